package dev.latchkey.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The worlds that were seen, by their keys, and from which one each was come to first: 16 bytes a place, for there are
/// millions. Open addressing. Not for several threads.
final class Visited {

    private static final long FREE = Long.MIN_VALUE;

    private long[] keys = free(1 << 12);
    private long[] from = new long[1 << 12];
    private int size;

    private static long[] free(int length) {
        long[] all = new long[length];
        Arrays.fill(all, FREE);
        return all;
    }

    /// @return whether it is new
    boolean add(long key, long comingFrom) {
        int place = place(keys, key);
        if (keys[place] == key) {
            return false;
        }
        keys[place] = key;
        from[place] = comingFrom;
        size++;
        if (size > keys.length / 2) {
            grow();
        }
        return true;
    }

    private static int place(long[] keys, long key) {
        int mask = keys.length - 1;
        int place = (int) (key ^ key >>> 32) & mask;
        while (keys[place] != FREE && keys[place] != key) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private void grow() {
        long[] more = free(keys.length * 2);
        long[] moreFrom = new long[keys.length * 2];
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != FREE) {
                int place = place(more, keys[i]);
                more[place] = keys[i];
                moreFrom[place] = from[i];
            }
        }
        keys = more;
        from = moreFrom;
    }

    /// The keys of the first way that led there, from the start on.
    List<Long> wayTo(long key) {
        List<Long> way = new ArrayList<>();
        for (long at = key; at != 0; at = from[place(keys, at)]) {
            way.addFirst(at);
        }
        return way;
    }

    int size() {
        return size;
    }
}

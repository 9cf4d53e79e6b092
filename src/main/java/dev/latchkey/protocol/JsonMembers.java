package dev.latchkey.protocol;

import java.util.Arrays;

/// Where the members of all open objects lie in what has been written: of each, where it begins and where its name ends.
/// It ends where the next one begins.
final class JsonMembers {

    private final ByteBuilder out;
    private int[] places = new int[32];
    private long[] beginnings = new long[16];
    private int count;
    private long compared;

    JsonMembers(ByteBuilder out) {
        this.out = out;
    }

    int count() {
        return count;
    }

    void cutTo(int newCount) {
        count = newCount;
    }

    /// Adds the member whose name has just been written.
    ///
    /// @param first its object's first member
    /// @return whether it comes after the one before it
    boolean add(int first, int from, int nameEnd) throws NotStrictJson {
        if (2 * count == places.length) {
            places = Arrays.copyOf(places, places.length * 2);
            beginnings = Arrays.copyOf(beginnings, beginnings.length * 2);
        }
        places[2 * count] = from;
        places[2 * count + 1] = nameEnd;
        beginnings[count] = beginning(from + 1, nameEnd - 1);
        count++;
        return count - 1 == first || inOrder(count - 2, count - 1);
    }

    int from(int member) {
        return places[2 * member];
    }

    int nameEnd(int member) {
        return places[2 * member + 1];
    }

    int end(int member) {
        return member + 1 < count ? from(member + 1) : out.length();
    }

    /// The members from the first one on, by name. Sorting by comparison: no choice of names makes it slow.
    int[] sorted(int first) throws NotStrictJson {
        Integer[] order = new Integer[count - first];
        Arrays.setAll(order, i -> first + i);
        Arrays.sort(order, this::compare);
        int[] sorted = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            sorted[i] = order[i];
            if (i > 0) {
                inOrder(sorted[i - 1], sorted[i]);
            }
        }
        return sorted;
    }

    /// Bytes of names compared so far, or a few more.
    long work() {
        return compared;
    }

    private boolean inOrder(int before, int after) throws NotStrictJson {
        int comparison = compare(before, after);
        if (comparison == 0) {
            throw new NotStrictJson("an object has two members of one name");
        }
        return comparison < 0;
    }

    /// A name's first eight bytes as a number, which tells most names apart without a look at the names.
    private long beginning(int from, int to) {
        long bytes = 0;
        for (int i = from; i < from + Long.BYTES; i++) {
            bytes = (bytes << 8) | (i < to ? out.array()[i] & 0xFF : 0);
        }
        return bytes;
    }

    private int compare(int left, int right) {
        compared += Long.BYTES;
        int comparison = Long.compareUnsigned(beginnings[left], beginnings[right]);
        return comparison != 0 ? comparison : compareWhole(left, right);
    }

    private int compareWhole(int left, int right) {
        compared += Math.min(nameEnd(left) - from(left), nameEnd(right) - from(right));
        byte[] bytes = out.array();
        return Arrays.compareUnsigned(bytes, from(left), nameEnd(left) - 1, bytes, from(right), nameEnd(right) - 1);
    }
}

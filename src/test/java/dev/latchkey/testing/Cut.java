package dev.latchkey.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Strikes the first connection whose request holds a mark, at a spot that is looked for from the arrival of bytes that
/// held it; once, unless told otherwise. Safe for any number of threads.
public final class Cut implements Fault {

    private static final int PATIENCE_SECONDS = 60;

    private final String mark;
    private final Way way;
    private final Spot spot;
    private final Ending ending;
    private final Map<Object, ByteArrayOutputStream> marked = new WeakHashMap<>();
    private final CountDownLatch struck = new CountDownLatch(1);
    private volatile boolean all;

    private Cut(String mark, Way way, Spot spot, Ending ending) {
        this.mark = mark;
        this.way = way;
        this.spot = spot;
        this.ending = ending;
    }

    /// On its way there.
    ///
    /// @param mark text in the request, one character a byte; empty: whatever comes first, a mere connection too
    public static Cut ofRequest(String mark, Spot spot, Ending ending) {
        return new Cut(mark, Way.REQUEST, spot, ending);
    }

    /// On its answer's way back.
    ///
    /// @param mark text in the request, one character a byte
    public static Cut ofAnswer(String mark, Spot spot, Ending ending) {
        return new Cut(mark, Way.ANSWER, spot, ending);
    }

    /// Once it has struck, whatever moves on any connection dies as well, and so does each new connection.
    public Cut andAllAfterwards() {
        all = true;
        return this;
    }

    @Override
    public synchronized Optional<Strike> look(Object link, Way came, byte[] bytes) {
        if (struck.getCount() == 0) {
            return all ? Optional.of(new Strike(0, ending)) : Optional.empty();
        }
        if (came == Way.REQUEST && new String(bytes, StandardCharsets.ISO_8859_1).contains(mark)) {
            marked.computeIfAbsent(link, _ -> new ByteArrayOutputStream());
        }
        ByteArrayOutputStream seen = marked.get(link);
        if (seen == null || came != way) {
            return Optional.empty();
        }
        int before = seen.size();
        seen.writeBytes(bytes);
        int place = spot.in(seen.toByteArray());
        if (place < 0) {
            return Optional.empty();
        }
        struck.countDown();
        return Optional.of(new Strike(Math.max(0, place - before), ending));
    }

    /// Waits until it has struck.
    public void awaitStruck() throws InterruptedException {
        if (!struck.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("nothing came that was to be cut");
        }
    }
}

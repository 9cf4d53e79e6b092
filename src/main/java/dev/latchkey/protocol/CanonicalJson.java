package dev.latchkey.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads a JSON document strictly and writes it in one form for all its spellings (contract §4): two documents give the
/// same bytes exactly when they mean the same.
///
/// Members are sorted by the bytes of their names. An object whose form is longer than `COLLAPSE` bytes is replaced by its
/// digest, so each byte is moved a bounded number of times however deep it lies. Time is O(n log n) for any input, memory
/// a small multiple of the document, and the depth of the call stack does not grow with nesting. For one thread, used once.
final class CanonicalJson {

    /// The deepest nesting that is still read as JSON.
    static final int MAX_DEPTH = 500;

    private static final int COLLAPSE = 256;
    private static final int COLLAPSED = '#';
    private static final int LEFT_OUT = 'x';

    private final ByteBuilder out;
    private final ByteBuilder scratch = new ByteBuilder(0);
    private final JsonScanner scanner;
    private final PointerTree pointers;
    private final @Nullable Map<PointerTree, byte[]> found;
    private final List<JsonFrame> frames = new ArrayList<>();
    private final JsonMembers members;
    private int depth;
    private long moved;

    private CanonicalJson(byte[] text, PointerTree pointers, @Nullable Map<PointerTree, byte[]> found) {
        this.out = new ByteBuilder(text.length + (text.length >> 1));
        this.scanner = new JsonScanner(text, out);
        this.members = new JsonMembers(out);
        this.pointers = pointers;
        this.found = found;
    }

    /// A document's canonical form.
    ///
    /// @param work bytes moved and compared beyond reading the document once
    record Form(ByteBuilder bytes, long work) {}

    /// The form of a document without what the pointers name; empty if it is not strictly valid.
    static Optional<Form> of(byte[] text, PointerTree leftOut) {
        return new CanonicalJson(text, leftOut, null).read();
    }

    /// The forms of the values that the pointers name, as far as they are there, each under its pointer's end. Of an array
    /// or object, the first byte only. Empty if the document is not strictly valid.
    static Optional<Map<PointerTree, byte[]>> values(byte[] text, PointerTree pointers) {
        Map<PointerTree, byte[]> found = new HashMap<>();
        return new CanonicalJson(text, pointers, found).read().map(_ -> found);
    }

    /// Why a document is not strictly valid; empty if it is.
    static Optional<StrictJson.Fault> fault(byte[] text) {
        CanonicalJson reader = new CanonicalJson(text, PointerTree.of(List.of()), null);
        try {
            reader.document();
            return Optional.empty();
        } catch (NotStrictJson not) {
            return Optional.of(new StrictJson.Fault(not.what(), Math.min(reader.scanner.taken(), text.length)));
        }
    }

    private Optional<Form> read() {
        try {
            document();
            return Optional.of(new Form(out, moved + members.work()));
        } catch (NotStrictJson _) {
            return Optional.empty();
        }
    }

    private void document() throws NotStrictJson {
        begin(pointers);
        while (depth > 0) {
            JsonFrame frame = frames.get(depth - 1);
            if (frame.isObject) {
                nextMember(frame);
            } else {
                nextElement(frame);
            }
        }
        if (scanner.peek() >= 0) {
            throw new NotStrictJson("something follows the value");
        }
    }

    private void begin(@Nullable PointerTree pointer) throws NotStrictJson {
        int mark = scanner.peek();
        if (mark == '{' || mark == '[') {
            open(mark, pointer);
        } else {
            int from = out.length();
            scanner.scalar();
            ended(pointer, from);
        }
    }

    private void open(int mark, @Nullable PointerTree pointer) throws NotStrictJson {
        if (depth == MAX_DEPTH) {
            throw new NotStrictJson("nesting goes past " + MAX_DEPTH);
        }
        scanner.skip();
        if (depth == frames.size()) {
            frames.add(new JsonFrame());
        }
        frames.get(depth++).open(mark == '{', out.length(), members.count(), pointer);
        out.add(mark);
    }

    private void nextElement(JsonFrame frame) throws NotStrictJson {
        if (scanner.peek() == ']') {
            scanner.skip();
            depth--;
            out.add(']');
            ended(frame.pointer, frame.from);
            return;
        }
        if (frame.count > 0) {
            scanner.expect(',');
        }
        PointerTree pointer = frame.pointer == null ? null : frame.pointer.element(frame.count);
        frame.count++;
        begin(pointer);
    }

    private void nextMember(JsonFrame frame) throws NotStrictJson {
        if (scanner.peek() == '}') {
            scanner.skip();
            depth--;
            closeObject(frame);
            ended(frame.pointer, frame.from);
            return;
        }
        if (frame.count > 0) {
            scanner.expect(',');
        }
        frame.count++;
        int from = out.length();
        out.add(JsonScanner.STRING);
        scanner.string();
        scanner.expect(':');
        frame.isSorted &= members.add(frame.firstMember, from, out.length());
        begin(frame.pointer == null ? null : frame.pointer.member(out.array(), from + 1, out.length() - 1));
    }

    private void closeObject(JsonFrame frame) throws NotStrictJson {
        if (!frame.isSorted || frame.leavesOut) {
            sort(frame);
        }
        members.cutTo(frame.firstMember);
        out.add('}');
        if (out.length() - frame.from > COLLAPSE) {
            moved += out.length() - frame.from;
            byte[] digest =
                    new Sha256().plain(out.array(), frame.from, out.length()).finish();
            out.cutTo(frame.from);
            out.add(COLLAPSED);
            out.add(digest, 0, digest.length);
        }
    }

    private void sort(JsonFrame frame) throws NotStrictJson {
        scratch.cutTo(0);
        for (int member : members.sorted(frame.firstMember)) {
            if (out.array()[members.nameEnd(member)] != LEFT_OUT) {
                scratch.add(out.array(), members.from(member), members.end(member));
            }
        }
        moved += 2L * scratch.length();
        out.cutTo(frame.from + 1);
        out.add(scratch.array(), 0, scratch.length());
    }

    /// Keeps or leaves out the value written last if a pointer ends at it. A member left out keeps its name until its
    /// object closes, so that a second one of that name is still seen.
    private void ended(@Nullable PointerTree pointer, int from) {
        if (pointer == null || !pointer.isEnd()) {
            return;
        }
        if (found != null) {
            byte tag = out.array()[from];
            boolean scalar = tag != '{' && tag != '[' && tag != COLLAPSED;
            found.put(pointer, Arrays.copyOfRange(out.array(), from, scalar ? out.length() : from + 1));
            return;
        }
        out.cutTo(from);
        JsonFrame around = frames.get(depth - 1);
        if (around.isObject) {
            around.leavesOut = true;
            out.add(LEFT_OUT);
        }
    }
}

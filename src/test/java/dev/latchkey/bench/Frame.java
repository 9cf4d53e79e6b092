package dev.latchkey.bench;

/// Where messages of HTTP/1.1 end that say their length. As little as a load needs, for it shares the cores with what it
/// measures.
final class Frame {

    private static final byte[] LENGTH = "content-length:".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    private Frame() {}

    /// The end of the head that begins at 0, behind its empty line; -1: not all of it is there.
    static int head(byte[] bytes, int count) {
        for (int i = 3; i < count; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    /// The length of the body that the head promises; -1: it says none.
    static int length(byte[] bytes, int head) {
        int at = find(bytes, head, LENGTH);
        if (at < 0) {
            return -1;
        }
        int length = 0;
        for (int i = at + LENGTH.length; bytes[i] != '\r'; i++) {
            if (bytes[i] != ' ') {
                length = length * 10 + bytes[i] - '0';
            }
        }
        return length;
    }

    /// Where a line of the head begins with that, whatever its case; -1: nowhere.
    ///
    /// @param start in lower case
    static int find(byte[] bytes, int head, byte[] start) {
        for (int i = 0; i < head - start.length; i++) {
            if (bytes[i] == '\n' && startsWith(bytes, i + 1, start)) {
                return i + 1;
            }
        }
        return -1;
    }

    private static boolean startsWith(byte[] bytes, int from, byte[] start) {
        for (int i = 0; i < start.length; i++) {
            byte b = bytes[from + i];
            if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != start[i]) {
                return false;
            }
        }
        return true;
    }
}

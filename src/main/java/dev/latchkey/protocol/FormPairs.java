package dev.latchkey.protocol;

/// Reads `application/x-www-form-urlencoded` by the rules of the WHATWG URL standard, §5.1, but refuses a percent sign
/// without two hexadecimal digits, which that standard takes as it is: `%zz` and `%25zz` must not be one value.
final class FormPairs {

    private final byte[] body;
    private final ByteBuilder decoded;

    private FormPairs(byte[] body) {
        this.body = body;
        this.decoded = new ByteBuilder(body.length);
    }

    /// Adds the decoded pairs in their order.
    ///
    /// @return false, and the digest is of no use, if the body is malformed
    static boolean addTo(Sha256 digest, byte[] body) {
        FormPairs pairs = new FormPairs(body);
        for (int from = 0; from < body.length;) {
            int end = pairs.find('&', from, body.length);
            if (end > from) { // nothing between two ampersands is no pair
                int equals = pairs.find('=', from, end);
                if (!pairs.add(digest, from, equals) || !pairs.add(digest, Math.min(equals + 1, end), end)) {
                    return false;
                }
            }
            from = end + 1;
        }
        return true;
    }

    private int find(char mark, int from, int to) {
        int at = from;
        while (at < to && body[at] != mark) {
            at++;
        }
        return at;
    }

    private boolean add(Sha256 digest, int from, int to) {
        decoded.cutTo(0);
        int at = from;
        while (at < to) {
            byte next = body[at++];
            if (next == '%') {
                int high = at + 1 < to ? hex(body[at]) : -1;
                int low = at + 1 < to ? hex(body[at + 1]) : -1;
                if (high < 0 || low < 0) {
                    return false;
                }
                decoded.add((high << 4) | low);
                at += 2;
            } else {
                decoded.add(next == '+' ? ' ' : next);
            }
        }
        digest.field(decoded.array(), 0, decoded.length());
        return true;
    }

    private static int hex(byte digit) {
        return digit < 0 ? -1 : Character.digit((char) digit, 16);
    }
}

package dev.latchkey.protocol;

import dev.latchkey.http.Body;
import dev.latchkey.protocol.ContentCoding.Decoded;
import dev.latchkey.protocol.ContentCoding.Decoding;
import dev.latchkey.protocol.ContentCoding.TooLarge;
import dev.latchkey.protocol.ContentCoding.Undecodable;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Decompresses one body, strictly: the JDK's own stream ignores what follows the last gzip member, and then two
/// different bodies would be one. Bounded by the limit, whatever the body claims. For one thread, used once.
final class Inflation {

    private static final int CHUNK = 8192;
    private static final int GZIP_HEADER = 10;
    private static final int GZIP_TRAILER = 8;

    private final byte[] bytes;
    private final long limit;
    private final ByteBuilder out;
    private int at;

    Inflation(byte[] bytes, long limit) {
        this.bytes = bytes;
        this.limit = limit;
        this.out = new ByteBuilder(CHUNK);
    }

    /// Any number of gzip members, one after the other (RFC 1952 §2.2).
    Decoding gzip() {
        try {
            do {
                skipGzipHeader();
                int from = out.length();
                inflate(true);
                checkGzipTrailer(from);
            } while (at < bytes.length);
            return new Decoded(Body.of(out.toBytes()), "");
        } catch (TooManyBytes _) {
            return new TooLarge(limit);
        } catch (DataFormatException _) {
            return new Undecodable("The body is not valid gzip (RFC 1952), although its Content-Encoding says so");
        }
    }

    /// One zlib stream (RFC 1950).
    Decoding zlib() {
        try {
            inflate(false);
            if (at < bytes.length) {
                throw new DataFormatException();
            }
            return new Decoded(Body.of(out.toBytes()), "");
        } catch (TooManyBytes _) {
            return new TooLarge(limit);
        } catch (DataFormatException _) {
            return new Undecodable(
                    "The body is not a valid zlib stream (RFC 1950), which Content-Encoding: deflate stands for");
        }
    }

    private void inflate(boolean raw) throws DataFormatException, TooManyBytes {
        if (at > bytes.length) {
            throw new DataFormatException();
        }
        byte[] chunk = new byte[CHUNK];
        Inflater inflater = new Inflater(raw);
        try {
            inflater.setInput(bytes, at, bytes.length - at);
            while (!inflater.finished()) {
                int count = inflater.inflate(chunk);
                if (count == 0 && !inflater.finished()) {
                    throw new DataFormatException(); // cut off, or it needs a dictionary
                }
                if (out.length() + (long) count > limit) {
                    throw new TooManyBytes();
                }
                out.add(chunk, 0, count);
            }
            at = bytes.length - inflater.getRemaining();
        } finally {
            inflater.end();
        }
    }

    private void skipGzipHeader() throws DataFormatException {
        int start = at;
        if (bytes.length - at < GZIP_HEADER || little(2) != 0x8B1F || bytes[at] != 8) {
            throw new DataFormatException();
        }
        int flags = bytes[at + 1] & 0xFF;
        at = start + GZIP_HEADER;
        if ((flags & 0xE0) != 0) {
            throw new DataFormatException(); // reserved
        }
        if ((flags & 4) != 0) {
            int extra = (int) little(2);
            at += extra;
        }
        for (int texts = Integer.bitCount(flags & 0x18); texts > 0; texts--) {
            skipZeroEnded();
        }
        if ((flags & 2) != 0) {
            int end = at;
            if (little(2) != (crc(bytes, start, end) & 0xFFFF)) {
                throw new DataFormatException();
            }
        }
    }

    private void skipZeroEnded() throws DataFormatException {
        while (at < bytes.length && bytes[at] != 0) {
            at++;
        }
        if (at >= bytes.length) {
            throw new DataFormatException();
        }
        at++;
    }

    private void checkGzipTrailer(int from) throws DataFormatException {
        if (bytes.length - at < GZIP_TRAILER
                || little(4) != crc(out.array(), from, out.length())
                || little(4) != out.length() - from) {
            throw new DataFormatException();
        }
    }

    private static long crc(byte[] source, int from, int to) {
        CRC32 crc = new CRC32();
        crc.update(source, from, to - from);
        return crc.getValue();
    }

    /// Takes a number of so many bytes, small end first.
    private long little(int length) throws DataFormatException {
        if (bytes.length - at < length) {
            throw new DataFormatException();
        }
        long number = 0;
        for (int i = 0; i < length; i++) {
            number |= (bytes[at++] & 0xFFL) << (8 * i);
        }
        return number;
    }

    private static final class TooManyBytes extends Exception {
        private static final long serialVersionUID = 1;

        TooManyBytes() {
            super(null, null, false, false);
        }
    }
}

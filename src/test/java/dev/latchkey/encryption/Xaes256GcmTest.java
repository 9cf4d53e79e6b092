package dev.latchkey.encryption;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// The vectors of the specification (C2SP, XAES-256-GCM): one for each way that the doubling in CMAC can take.
class Xaes256GcmTest {

    private static final byte[] NONCE = "ABCDEFGHIJKLMNOPQRSTUVWX".getBytes(US_ASCII);
    private static final byte[] PLAIN = "XAES-256-GCM".getBytes(US_ASCII);

    private static Xaes256Gcm with(int each) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) each);
        return new Xaes256Gcm(key);
    }

    @Test
    void firstVector() throws GeneralSecurityException {
        byte[] sealed = with(1).seal(NONCE, PLAIN, new byte[0]);

        assertThat(HexFormat.of().formatHex(sealed))
                .isEqualTo("ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271");
        assertThat(with(1).open(NONCE, sealed, new byte[0])).isEqualTo(PLAIN);
    }

    @Test
    void secondVector() throws GeneralSecurityException {
        byte[] associated = "c2sp.org/XAES-256-GCM".getBytes(US_ASCII);
        byte[] sealed = with(3).seal(NONCE, PLAIN, associated);

        assertThat(HexFormat.of().formatHex(sealed))
                .isEqualTo("986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d");
        assertThat(with(3).open(NONCE, sealed, associated)).isEqualTo(PLAIN);
    }

    @Test
    void eachHalfOfTheNonceCounts() {
        byte[] sealed = with(1).seal(NONCE, PLAIN, new byte[0]);
        for (int at : new int[] {0, 11, 12, 23}) {
            byte[] other = NONCE.clone();
            other[at]++;
            assertThatThrownBy(() -> with(1).open(other, sealed, new byte[0]))
                    .isInstanceOf(GeneralSecurityException.class);
        }
    }
}

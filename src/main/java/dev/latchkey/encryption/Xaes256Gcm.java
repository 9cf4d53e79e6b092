package dev.latchkey.encryption;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// XAES-256-GCM (C2SP): AES-256-GCM under a key that is made anew for each value, of the first half of a nonce of 24 bytes.
/// AES-GCM alone has a nonce of 12, and of random ones may not have more than 2³² under one key, which a busy ledger
/// comes to in weeks. Safe for any number of threads.
final class Xaes256Gcm {

    static final int NONCE = 24;

    private static final int HALF = 12;
    private static final int BLOCK = 16;
    private static final int TAG_BITS = 128;

    private final SecretKey key;
    private final byte[] mask;

    /// @param key 32 bytes
    Xaes256Gcm(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
        this.mask = doubled(block(new byte[BLOCK]));
    }

    byte[] seal(byte[] nonce, byte[] plain, byte[] associated) {
        try {
            return cipher(Cipher.ENCRYPT_MODE, nonce, associated).doFinal(plain);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES-GCM", e);
        }
    }

    /// @throws GeneralSecurityException when it was not sealed so
    byte[] open(byte[] nonce, byte[] sealed, byte[] associated) throws GeneralSecurityException {
        return cipher(Cipher.DECRYPT_MODE, nonce, associated).doFinal(sealed);
    }

    private Cipher cipher(int mode, byte[] nonce, byte[] associated) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, keyOf(nonce), new GCMParameterSpec(TAG_BITS, nonce, HALF, NONCE - HALF));
        cipher.updateAAD(associated);
        return cipher;
    }

    /// CMAC in counter mode (NIST SP 800-108) over the letter X and half of the nonce.
    private SecretKey keyOf(byte[] nonce) {
        byte[] made = new byte[2 * BLOCK];
        for (int counter = 1; counter <= 2; counter++) {
            byte[] input = new byte[BLOCK];
            input[1] = (byte) counter;
            input[2] = 'X';
            System.arraycopy(nonce, 0, input, BLOCK - HALF, HALF);
            for (int i = 0; i < BLOCK; i++) {
                input[i] ^= mask[i];
            }
            System.arraycopy(block(input), 0, made, (counter - 1) * BLOCK, BLOCK);
        }
        return new SecretKeySpec(made, "AES");
    }

    /// One block by itself: there is no mode to choose where each input differs.
    @SuppressWarnings("InsecureCryptoUsage")
    private byte[] block(byte[] input) {
        try {
            Cipher aes = Cipher.getInstance("AES/ECB/NoPadding");
            aes.init(Cipher.ENCRYPT_MODE, key);
            return aes.doFinal(input);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES", e);
        }
    }

    /// Times x in the field of CMAC (RFC 4493 §2.3).
    private static byte[] doubled(byte[] block) {
        byte[] doubled = Arrays.copyOf(block, BLOCK);
        int carry = 0;
        for (int i = BLOCK - 1; i >= 0; i--) {
            int shifted = (block[i] & 0xFF) << 1 | carry;
            doubled[i] = (byte) shifted;
            carry = shifted >> 8 & 1;
        }
        doubled[BLOCK - 1] ^= (byte) (carry * 0x87);
        return doubled;
    }
}

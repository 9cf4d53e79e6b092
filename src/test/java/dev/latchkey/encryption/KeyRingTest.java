package dev.latchkey.encryption;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.encryption.KeyRing.Unreadable;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a ring encrypts it reads again, with the same key for the same place, and nothing else.
class KeyRingTest {

    private static final RingKey OLD = key("old", 1);
    private static final RingKey NEW = key("new", 2);
    private static final byte[] PLAIN = "canary".getBytes(US_ASCII);
    private static final byte[] PLACE = {1, 2, 3};

    private static RingKey key(String id, int each) {
        byte[] key = new byte[RingKey.LENGTH];
        Arrays.fill(key, (byte) each);
        return new RingKey(id, key);
    }

    private static KeyRing ring(RingKey... keys) {
        return new KeyRing(List.of(keys));
    }

    @Test
    void sealedValueIsReadAgainAndShowsNothing() throws Unreadable {
        byte[] sealed = ring(OLD).seal(PLAIN, PLACE);

        assertThat(KeyRing.isSealed(sealed)).isTrue();
        assertThat(new String(sealed, US_ASCII)).doesNotContain("canary");
        assertThat(ring(OLD).open(sealed, PLACE)).isEqualTo(PLAIN);
        assertThat(ring(OLD).seal(PLAIN, PLACE)).isNotEqualTo(sealed);
    }

    @Test
    void olderKeyBehindTheFirstStillReads() throws Unreadable {
        byte[] sealed = ring(OLD).seal(PLAIN, PLACE);

        assertThat(ring(NEW, OLD).open(sealed, PLACE)).isEqualTo(PLAIN);
        assertThat(ring(OLD, NEW).open(ring(NEW, OLD).seal(PLAIN, PLACE), PLACE)).isEqualTo(PLAIN);
    }

    @Test
    void firstKeyEncrypts() throws Unreadable {
        assertThat(ring(NEW).open(ring(NEW, OLD).seal(PLAIN, PLACE), PLACE)).isEqualTo(PLAIN);
    }

    @Test
    void withoutItsKeyItIsUnreadable() {
        byte[] sealed = ring(OLD).seal(PLAIN, PLACE);

        assertThatThrownBy(() -> ring(NEW).open(sealed, PLACE)).isInstanceOf(Unreadable.class)
                .hasMessageContaining("key");
        assertThatThrownBy(() -> KeyRing.NONE.open(sealed, PLACE)).isInstanceOf(Unreadable.class)
                .hasMessageContaining("key");
    }

    @Test
    void inAnotherPlaceItIsUnreadable() {
        byte[] sealed = ring(OLD).seal(PLAIN, PLACE);

        assertThatThrownBy(() -> ring(OLD).open(sealed, new byte[] {1, 2, 4})).isInstanceOf(Unreadable.class)
                .hasMessageContaining("moved");
    }

    @Test
    void everyChangedByteAndEveryCutIsNoticed() {
        byte[] sealed = ring(OLD).seal(PLAIN, PLACE);
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            byte[] cut = Arrays.copyOf(sealed, i);
            assertThatThrownBy(() -> ring(OLD).open(changed, PLACE)).isInstanceOf(Unreadable.class);
            assertThatThrownBy(() -> ring(OLD).open(cut, PLACE)).isInstanceOf(Unreadable.class);
        }
    }

    @Test
    void withoutKeysNothingIsChanged() {
        assertThat(KeyRing.NONE.seal(PLAIN, PLACE)).isEqualTo(PLAIN);
        assertThat(KeyRing.isSealed("Content-Type: x\r\n".getBytes(US_ASCII))).isFalse();
        assertThat(KeyRing.isSealed(new byte[0])).isFalse();
    }

    @Test
    void keyIsNeverShown() {
        assertThat(OLD.toString()).isEqualTo("key old");
    }

    @Test
    void whatIsMadeOfAKeyDiffersByKeyAndByUse() {
        assertThat(OLD.check()).isNotEqualTo(NEW.check());
        assertThat(OLD.tag()).isNotEqualTo(NEW.tag());
        assertThat(OLD.code(PLAIN)).isNotEqualTo(NEW.code(PLAIN)).isEqualTo(OLD.code(PLAIN)).hasSize(32);
        assertThatThrownBy(() -> new RingKey("short", new byte[31])).isInstanceOf(IllegalArgumentException.class);
    }
}

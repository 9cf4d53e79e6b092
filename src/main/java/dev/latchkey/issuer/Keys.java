package dev.latchkey.issuer;

import com.nimbusds.jose.JWSHeader;
import java.security.PublicKey;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Where an issuer's keys come from. Safe for any number of threads.
public interface Keys {

    /// Those that may have signed a token with this header; none: nobody knows its key.
    ///
    /// @throws KeysAway when they cannot be had at present, so that nothing can be said of the token
    List<PublicKey> find(JWSHeader header) throws KeysAway;

    /// Those of a text that may change, such as a file's.
    ///
    /// @param text asked at each token
    static Keys of(Supplier<String> text) {
        return new Keys() {
            private volatile @Nullable Parsed last;

            @Override
            public List<PublicKey> find(JWSHeader header) {
                String now = text.get();
                Parsed known = last;
                if (known == null || !known.text().equals(now)) {
                    known = new Parsed(now, KeySet.parse(now));
                    last = known;
                }
                return known.keys().find(header);
            }
        };
    }

    /// A text, and what it says.
    record Parsed(String text, KeySet keys) {}
}

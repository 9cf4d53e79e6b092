package dev.latchkey.issuer;

import com.nimbusds.jose.KeySourceException;

/// The issuer's keys cannot be had at present.
public final class KeysAway extends KeySourceException {

    private static final long serialVersionUID = 1L;

    KeysAway() {
        super("the issuer's keys cannot be had");
    }
}

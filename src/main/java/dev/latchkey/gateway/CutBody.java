package dev.latchkey.gateway;

import java.io.IOException;

/// The gateway cuts a body on its way, for it broke off or what it stands for was not recorded. Nothing is wrong with the
/// caller.
public final class CutBody extends IOException {

    private static final long serialVersionUID = 1L;

    CutBody(String message) {
        super(message);
    }

    CutBody(String message, Throwable cause) {
        super(message, cause);
    }
}

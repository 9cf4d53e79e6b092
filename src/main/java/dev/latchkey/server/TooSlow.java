package dev.latchkey.server;

import java.io.IOException;

/// The caller sends more slowly than it may.
final class TooSlow extends IOException {

    private static final long serialVersionUID = 1L;

    TooSlow() {
        super("the caller sends too slowly");
    }
}

package dev.latchkey.downstream;

import java.io.IOException;

/// The downstream sent something that is not a complete HTTP/1.1 response. The message holds nothing that it sent.
final class MalformedResponse extends IOException {

    private static final long serialVersionUID = 1L;

    MalformedResponse(String message) {
        super(message);
    }
}

package dev.latchkey.e2e;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;

/// One answer that a test saw, and what had asked for it.
///
/// @param method of the request
/// @param path of the request, without query
/// @param status of the answer
/// @param headers of the answer
/// @param body of the answer
record Exchange(String method, String path, int status, Headers headers, Body body) {

    String text() {
        return body.utf8();
    }
}

package dev.latchkey.e2e;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import java.util.List;
import java.util.stream.Stream;

/// One answer that a test saw, and what had asked for it.
///
/// @param method of the request
/// @param path of the request, without query
/// @param status of the answer
/// @param headers of the answer
/// @param body of the answer
record Exchange(String method, String path, int status, Headers headers, Body body) {

    /// An answer that shows its head and hides its body.
    ///
    /// @param head status line and header fields, a line each
    static Exchange ofHead(String method, String path, String head) {
        List<String> lines = head.lines().toList();
        int status = Integer.parseInt(lines.getFirst().split(" ", 3)[1]);
        return new Exchange(method, path, status, Headers.of(lines.stream().skip(1)
                .flatMap(line -> Stream.of(line.split(": *", 2))).toArray(String[]::new)), Body.empty());
    }

    String text() {
        return body.utf8();
    }
}

package dev.latchkey.server;

import dev.latchkey.gateway.Origin;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/// One request and its answer on the wire, byte for byte: header fields go past the servlet layer, which would normalise
/// them. Used by one thread.
final class Exchange {

    /// How much of a body that nobody wants is read, so that its sender comes to read the answer.
    private static final int READ_AND_DROPPED = 4 * 1024 * 1024;

    private final Context context;
    private final ServletContextRequest wire;
    private final Headers headers;
    private final Watch watch;
    private @Nullable PacedInput body;
    private boolean bodyWhole;
    private boolean bodyGivenUp;

    Exchange(Context context) {
        this.context = context;
        this.wire = ServletContextRequest.getServletContextRequest(context.req());
        this.watch = SlowCallers.of(wire.getConnectionMetaData());
        this.headers = new Headers(wire.getHeaders().stream()
                .map(field -> new Header(field.getName(), field.getValue() == null ? "" : field.getValue()))
                .toList());
    }

    String method() {
        return wire.getMethod();
    }

    /// As it was sent, undecoded.
    String path() {
        return context.req().getRequestURI();
    }

    /// As it was sent, undecoded; null: none.
    @Nullable
    String query() {
        return wire.getHttpURI().getQuery();
    }

    Headers headers() {
        return headers;
    }

    /// What the request says its body's length is; negative: it does not.
    long declaredLength() {
        return wire.getLength();
    }

    /// The body was read to its end: there is nothing to drop.
    void bodyIsWhole() {
        bodyWhole = true;
    }

    /// Held to the caller's pace.
    PacedInput body() throws IOException {
        return body(false);
    }

    /// The same, each line by itself: a sender may take its time between them.
    PacedInput lines() throws IOException {
        return body(true);
    }

    private PacedInput body(boolean lines) throws IOException {
        PacedInput known = body;
        if (known == null) {
            known = new PacedInput(context.req().getInputStream(), watch, lines);
            body = known;
        }
        return known;
    }

    /// A line of the body came whole.
    void lineCame() {
        watch.line();
    }

    /// The rest of the body is not waited for: its sender is too slow.
    void giveBodyUp() {
        bodyGivenUp = true;
    }

    Origin origin() {
        String version = wire.getConnectionMetaData().getProtocol();
        return new Origin(
                wire.isSecure() ? "https" : "http",
                headers.first("Host").orElse(""),
                withoutBrackets(Request.getRemoteAddr(wire)),
                version.startsWith("HTTP/") ? version.substring("HTTP/".length()) : version);
    }

    private static String withoutBrackets(String address) {
        return address.startsWith("[") ? address.substring(1, address.length() - 1) : address;
    }

    /// Sends the answer.
    ///
    /// @param close whether this connection takes no further request
    /// @throws IOException when the caller is gone, or the answer had to be cut; the connection is then closed without a
    ///     proper end
    void send(Reply reply, boolean close) throws IOException {
        HttpFields.Mutable fields = wire.getServletContextResponse().getResponse().getHeaders();
        fields.remove("Content-Type");
        context.res().setStatus(reply.status());
        List<Header> own = reply.headers().lines();
        own.forEach(line -> fields.add(field(line)));
        if (!fields.contains("Date")) {
            fields.add(wire.getConnectionMetaData().getConnector().getServer().getDateField());
        }
        if (close || bodyGivenUp) {
            fields.put("Connection", "close");
        }
        try {
            write(reply, fields);
        } catch (IOException | RuntimeException e) {
            cut(e);
            throw e instanceof IOException io ? io : new IOException("the answer cannot be written", e);
        }
        dropUnreadBody();
    }

    /// Closes the connection at once, whoever reads from it or writes to it.
    void cut(Exception why) {
        // Not the channel's own abort: its state would make Javalin fail on the way out.
        wire.getConnectionMetaData().getConnection().getEndPoint().close(why);
    }

    /// Jetty writes the field of a name that it does not know as it is, and that of a name it knows as it likes: only the
    /// length is its own affair.
    private static HttpField field(Header line) {
        return line.is("Content-Length")
                ? new HttpField(line.name(), line.value())
                : new HttpField((HttpHeader) null, line.name(), line.value());
    }

    private void write(Reply reply, HttpFields.Mutable fields) throws IOException {
        OpenBody open = reply.open();
        if (open != null) {
            length(fields, open.length());
            open.writeTo(new PacedOutput(context.res().getOutputStream(), watch, open::held));
        } else if (method().equals("HEAD")) {
            // The length is that of the content which a GET would bring: the downstream's word, or none.
            context.res().flushBuffer();
        } else if (reply.status() == 204 || reply.status() == 304) {
            length(fields, -1);
            context.res().flushBuffer();
        } else {
            length(fields, reply.body().length());
            byte[] bytes = reply.body().bytes();
            new PacedOutput(context.res().getOutputStream(), watch, () -> bytes.length).write(bytes);
        }
    }

    private static void length(HttpFields.Mutable fields, long length) {
        if (length < 0) {
            fields.remove("Content-Length");
        } else {
            fields.put("Content-Length", length);
        }
    }

    /// A close with bytes unread resets the connection under the answer. After it, since the body may never come.
    private void dropUnreadBody() {
        boolean sendsNone = declaredLength() == 0 || (headers.has("Expect") && body == null);
        if (sendsNone || bodyWhole || bodyGivenUp) {
            return;
        }
        try {
            body().skip(READ_AND_DROPPED);
        } catch (IOException | RuntimeException _) {
            // Nobody wants it: what is wrong with it does not matter.
        }
    }
}

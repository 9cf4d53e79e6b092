package dev.latchkey.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/// One flat JSON object for each event, on a line of its own: when, how grave and what, then the event's own fields. Of a
/// failure only its kinds and places are written.
public final class LogJson extends EncoderBase<ILoggingEvent> {

    private static final JsonFactory JSON = JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.writeStartObject();
            json.writeStringField("time", event.getInstant().toString());
            json.writeStringField("level", event.getLevel().toString());
            json.writeStringField("logger", event.getLoggerName());
            json.writeStringField("message", event.getFormattedMessage());
            if (event.getKeyValuePairs() != null) {
                for (KeyValuePair pair : event.getKeyValuePairs()) {
                    json.writeFieldName(pair.key);
                    write(json, pair.value);
                }
            }
            if (event.getThrowableProxy() != null) {
                json.writeStringField("failure", FailureText.of(event.getThrowableProxy()));
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        line.write('\n');
        return line.toByteArray();
    }

    /// A field of a library may be anything.
    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        switch (value) {
            case Long number -> json.writeNumber(number);
            case Integer number -> json.writeNumber(number);
            case Boolean flag -> json.writeBoolean(flag);
            case null -> json.writeNull();
            default -> json.writeString(value.toString());
        }
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}

package dev.latchkey.config;

/// Text from a file as a message may show it: quoted, cut short, on one line.
final class Quoted {

    private static final int MOST = 80;

    private Quoted() {}

    static String of(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.codePoints().limit(MOST).forEach(c -> {
            if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.append(text.codePointCount(0, text.length()) > MOST ? "…\"" : "\"").toString();
    }
}

package dev.latchkey.protocol;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;

/// A JSON document as a plain value, equal to another exactly when the contract calls them the same. Written without
/// regard to how the program reads JSON, so that the tests can hold one against the other.
sealed interface JsonTree {

    HexFormat HEX = HexFormat.of();

    record Members(Map<String, JsonTree> members) implements JsonTree {}

    record Elements(List<JsonTree> elements) implements JsonTree {}

    record Text(String text) implements JsonTree {}

    /// Compared by value: the scale is taken off.
    record Decimal(BigDecimal value) implements JsonTree {
        public Decimal {
            value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        }
    }

    enum Word implements JsonTree {
        TRUE,
        FALSE,
        NULL
    }

    static JsonTree random(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 5)) {
            case 0 -> Word.values()[random.nextInt(3)];
            case 1, 2 -> decimal(random);
            case 3, 4 -> new Text(text(random));
            case 5 -> {
                List<JsonTree> elements = new ArrayList<>();
                for (int i = random.nextInt(6); i > 0; i--) {
                    elements.add(random(random, depth - 1));
                }
                yield new Elements(elements);
            }
            default -> {
                Map<String, JsonTree> members = new LinkedHashMap<>();
                for (int i = random.nextInt(random.nextInt(10) == 0 ? 40 : 6); i > 0; i--) {
                    members.put(text(random), random(random, depth - 1));
                }
                yield new Members(members);
            }
        };
    }

    private static Decimal decimal(Random random) {
        BigInteger digits = new BigInteger(1 + random.nextInt(80), random);
        return new Decimal(new BigDecimal(random.nextBoolean() ? digits : digits.negate(), random.nextInt(-60, 60)));
    }

    private static String text(Random random) {
        int[] alphabet = {'a', 'b', '"', '\\', '/', '}', '{', 0, 0x1F, 0x7F, 0xE9, 0x20AC, 0xFFFD, 0xFFFF, 0x1F600,
            0xD800, 0xDC00};
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return text.toString();
    }

    /// The same document but for one small change somewhere, which now and then is none.
    default JsonTree changed(Random random) {
        return switch (this) {
            case Word _ -> random(random, 0);
            case Text text -> new Text(text.text + (random.nextBoolean() ? "a" : "\u0000"));
            case Decimal decimal -> new Decimal(decimal.value.add(decimal.value.ulp()));
            case Elements elements -> {
                List<JsonTree> copy = new ArrayList<>(elements.elements);
                if (copy.isEmpty() || random.nextInt(4) == 0) {
                    copy.add(random(random, 1));
                } else if (random.nextInt(4) == 0) {
                    Collections.shuffle(copy, random);
                } else {
                    int at = random.nextInt(copy.size());
                    copy.set(at, copy.get(at).changed(random));
                }
                yield new Elements(copy);
            }
            case Members members -> {
                Map<String, JsonTree> copy = new LinkedHashMap<>(members.members);
                if (copy.isEmpty() || random.nextInt(4) == 0) {
                    copy.put(text(random), random(random, 1));
                } else {
                    String name = List.copyOf(copy.keySet()).get(random.nextInt(copy.size()));
                    JsonTree value = Objects.requireNonNull(copy.remove(name));
                    if (random.nextInt(3) > 0) {
                        copy.put(random.nextBoolean() ? name : text(random), value.changed(random));
                    }
                }
                yield new Members(copy);
            }
        };
    }

    /// One of its many spellings.
    default String spelled(Random random) {
        String inner = switch (this) {
            case Word word -> word.name().toLowerCase(Locale.ROOT);
            case Text text -> quoted(text.text, random);
            case Decimal decimal -> number(decimal.value, random);
            case Elements elements -> elements.elements.stream()
                    .map(element -> element.spelled(random))
                    .collect(Collectors.joining(",", "[", space(random) + "]"));
            case Members members -> {
                List<Map.Entry<String, JsonTree>> shuffled = new ArrayList<>(members.members.entrySet());
                Collections.shuffle(shuffled, random);
                yield shuffled.stream()
                        .map(member -> space(random) + quoted(member.getKey(), random) + space(random) + ":"
                                + member.getValue().spelled(random))
                        .collect(Collectors.joining(",", "{", space(random) + "}"));
            }
        };
        return space(random) + inner + space(random);
    }

    private static String space(Random random) {
        return new String[] {"", "", "", " ", "\n", "\r\n\t"}[random.nextInt(6)];
    }

    private static String quoted(String text, Random random) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length();) {
            int codePoint = text.codePointAt(i);
            i += Character.charCount(codePoint);
            boolean lone = codePoint >= 0xD800 && codePoint <= 0xDFFF;
            if (lone || codePoint < 0x20 || codePoint == '"' || codePoint == '\\' || random.nextInt(3) == 0) {
                for (char unit : Character.toChars(codePoint)) {
                    String hex = HEX.toHexDigits((short) unit);
                    out.append("\\u").append(random.nextBoolean() ? hex : hex.toUpperCase(Locale.ROOT));
                }
            } else {
                out.appendCodePoint(codePoint);
            }
        }
        return out.append('"').toString();
    }

    private static String number(BigDecimal value, Random random) {
        if (value.signum() == 0) {
            return new String[] {"0", "-0", "0.0", "0e5", "-0.000E-77"}[random.nextInt(5)];
        }
        BigDecimal padded = value.setScale(value.scale() + random.nextInt(4));
        if (random.nextBoolean()) {
            String plain = padded.toPlainString();
            return plain.contains(".") ? plain + "0".repeat(random.nextInt(3)) : plain;
        }
        int shift = random.nextInt(-70, 70);
        String mark = new String[] {"e", "E"}[random.nextInt(2)];
        String sign = shift > 0 && random.nextBoolean() ? "+" : "";
        String zeros = shift > 0 ? "0".repeat(random.nextInt(3)) : "";
        return padded.scaleByPowerOfTen(-shift).toPlainString() + mark + sign + zeros + shift;
    }
}

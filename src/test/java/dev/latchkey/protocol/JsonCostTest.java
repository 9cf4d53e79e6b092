package dev.latchkey.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Hostile documents cost no more than their size warrants. Work is counted in bytes moved and compared, so that the
/// answer does not depend on the machine.
class JsonCostTest {

    private static final PointerTree NOTHING = PointerTree.of(List.of());

    @Test
    void hugeNumbersCostTheirLength() {
        assertLinear(size -> "1".repeat(size));
        assertLinear(size -> "1e" + "9".repeat(size));
        assertLinear(size -> "0." + "0".repeat(size) + "1");
        assertLinear(size -> "[" + "1e999999999,".repeat(size / 12) + "0]");
    }

    @Test
    void aHugeExponentIsNotExpanded() {
        assertThat(form("{\"a\":1e999999999}").bytes().length()).isLessThan(30);
        assertThat(form("{\"a\":1e-999999999}").bytes().length()).isLessThan(30);
    }

    @Test
    void membersInTheWorstOrderCostSortingThem() {
        assertLinear(size -> object(size / 10, i -> "\"" + (9_999_999 - i) + "\":1"));
    }

    @Test
    void namesThatCollideInEveryStringHashCostSortingThem() {
        assertThat(colliding(1)).hasSameHashCodeAs(colliding(12_345)).isNotEqualTo(colliding(12_345));
        assertLinear(size -> object(size / 40, i -> "\"" + colliding(i * 7919 % (1 << 16)) + "\":1"));
    }

    /// Sixteen times one of two pairs of letters whose hash is the same.
    private static String colliding(int number) {
        return IntStream.range(0, 16)
                .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
                .collect(Collectors.joining());
    }

    @Test
    void longNamesThatDifferAtTheirEndCostSortingThem() {
        assertLinear(size -> object(size / 1000, i -> "\"" + "n".repeat(990) + (10_000 - i) + "\":1"));
    }

    @Test
    void unsortedMembersAtEveryDepthMoveEachByteABoundedNumberOfTimes() {
        assertLinear(size -> "{\"b\":".repeat(499) + "\"" + "x".repeat(size) + "\"" + ",\"a\":1}".repeat(499));
        assertLinear(
                size -> "[" + ("{\"b\":".repeat(100) + "1" + ",\"a\":1}".repeat(100) + ",").repeat(size / 1200) + "0]");
        assertLinear(size -> "[" + "{\"b\":0,\"a\":1},".repeat(size / 14) + "0]");
    }

    @Test
    void memoryIsASmallMultipleOfTheDocument() {
        for (String body : List.of("0,", "\"\",", "[],", "{},", "1e1,", "{\"b\":0,\"a\":0},", "\"\\ud800\",")) {
            String document = "[" + body.repeat(100_000) + "0]";
            assertThat(form(document).bytes().array().length).as(body).isLessThan(6 * document.length());
        }
    }

    /// Eight times the size must cost what sorting it warrants (n log n: less than eleven times the work), and a small
    /// multiple of the size.
    private static void assertLinear(IntFunction<String> document) {
        long small = work(document.apply(50_000));
        String large = document.apply(400_000);
        assertThat(work(large)).isLessThan(small * 11).isLessThan(40L * large.length());
    }

    private static long work(String document) {
        CanonicalJson.Form form = form(document);
        return form.work() + form.bytes().length() + document.length();
    }

    private static CanonicalJson.Form form(String document) {
        return CanonicalJson.of(Fingerprints.utf8(document), NOTHING).orElseThrow();
    }

    private static String object(int members, IntFunction<String> member) {
        return IntStream.range(0, members).mapToObj(member).collect(Collectors.joining(",", "{", "}"));
    }
}

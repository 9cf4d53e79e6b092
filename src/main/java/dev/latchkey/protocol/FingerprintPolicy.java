package dev.latchkey.protocol;

import java.util.List;
import java.util.Locale;

/// What a route leaves out of its fingerprints and takes in. Immutable.
public final class FingerprintPolicy {

    /// Leaves nothing out and takes no header in.
    public static final FingerprintPolicy PLAIN = new FingerprintPolicy(List.of(), List.of());

    private final List<JsonPointer> ignore;
    private final List<String> headers;
    private final PointerTree ignored;

    /// @param ignore what to leave out of a JSON body
    /// @param headers names of the header fields to take in, in any case and order
    /// @throws IllegalArgumentException if a pointer would leave out the whole body
    public FingerprintPolicy(List<JsonPointer> ignore, List<String> headers) {
        if (ignore.stream().anyMatch(JsonPointer::isWhole)) {
            throw new IllegalArgumentException(
                    "an empty JSON pointer would leave out the whole body; name a member, for example /requested_at");
        }
        this.ignore = List.copyOf(ignore);
        this.headers = headers.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .distinct()
                .sorted()
                .toList();
        this.ignored = PointerTree.of(this.ignore);
    }

    /// The pointers left out.
    public List<JsonPointer> ignore() {
        return ignore;
    }

    /// The names taken in, in lower case, sorted, each once.
    public List<String> headers() {
        return headers;
    }

    PointerTree ignored() {
        return ignored;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FingerprintPolicy policy
                && ignore.equals(policy.ignore)
                && headers.equals(policy.headers);
    }

    @Override
    public int hashCode() {
        return 31 * ignore.hashCode() + headers.hashCode();
    }

    @Override
    public String toString() {
        return "ignore " + ignore + ", headers " + headers;
    }
}

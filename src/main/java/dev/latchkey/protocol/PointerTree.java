package dev.latchkey.protocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// JSON pointers that share their beginnings, walked along with a document. Immutable once made. A walk ends with null
/// where no pointer goes on.
final class PointerTree {

    private final List<Branch> branches = new ArrayList<>();
    private boolean end;

    private PointerTree() {}

    private static final class Branch {
        private final byte[] name;
        private final PointerTree next = new PointerTree();

        Branch(byte[] name) {
            this.name = name;
        }
    }

    static PointerTree of(List<JsonPointer> pointers) {
        PointerTree root = new PointerTree();
        for (JsonPointer pointer : pointers) {
            PointerTree at = root;
            for (String token : pointer.tokens()) {
                at = at.branch(ByteBuilder.encode(token));
            }
            at.end = true;
        }
        return root;
    }

    private PointerTree branch(byte[] name) {
        Optional<Branch> known = branches.stream()
                .filter(branch -> Arrays.equals(branch.name, name))
                .findFirst();
        if (known.isPresent()) {
            return known.get().next;
        }
        Branch fresh = new Branch(name);
        branches.add(fresh);
        return fresh.next;
    }

    /// Where a pointer ends that this was made of.
    PointerTree at(JsonPointer pointer) {
        PointerTree at = this;
        for (String token : pointer.tokens()) {
            byte[] name = ByteBuilder.encode(token);
            at = Objects.requireNonNull(at.member(name, 0, name.length), "a pointer of this tree");
        }
        return at;
    }

    /// Whether a pointer ends here.
    boolean isEnd() {
        return end;
    }

    /// Where the member goes whose name's bytes are given.
    @Nullable
    PointerTree member(byte[] bytes, int from, int to) {
        for (Branch branch : branches) {
            if (Arrays.equals(branch.name, 0, branch.name.length, bytes, from, to)) {
                return branch.next;
            }
        }
        return null;
    }

    /// Where the element at a position goes, from 0.
    @Nullable
    PointerTree element(int position) {
        if (branches.isEmpty()) {
            return null;
        }
        byte[] name = Integer.toString(position).getBytes(StandardCharsets.US_ASCII);
        return member(name, 0, name.length);
    }
}

package dev.latchkey.protocol;

import org.jspecify.annotations.Nullable;

/// An array or object that is being read. Used again for the next one at the same depth.
final class JsonFrame {

    boolean isObject;

    /// Where its form begins.
    int from;

    /// How many elements or members it has so far.
    int count;

    /// Where its members begin among all that are open.
    int firstMember;

    /// Whether its members came in order so far.
    boolean isSorted;

    /// Whether one of its members is to be left out.
    boolean leavesOut;

    /// Where the pointers are that go through it.
    @Nullable
    PointerTree pointer;

    void open(boolean object, int position, int member, @Nullable PointerTree through) {
        isObject = object;
        from = position;
        firstMember = member;
        pointer = through;
        count = 0;
        isSorted = true;
        leavesOut = false;
    }
}

package dev.latchkey.e2e;

import dev.latchkey.testing.Debugger;

/// Where a gateway dies or stands still: the method that it is about to run.
enum CrashPoint {

    AFTER_CLAIM_COMMIT("gateway.IdempotentCall$ForwardingTurns", "start", 0, false),
    /// Connected; the send window is asked next.
    BEFORE_LAST_CHECK("downstream.RequestWriter", "begin", 0, false),
    /// The send window was found open.
    BEFORE_FIRST_BYTE("downstream.Connection", "write", 0, false),
    /// Its request has arrived and had its effect; the response has not come.
    AFTER_EFFECT("downstream.ResponseHead", "readFinal", 1, false),
    AFTER_RESPONSE("protocol.Protocol", "onOutcome", 1, false),
    BEFORE_RECORD_COMMIT("postgres.Settlements", "settle", 1, false),
    AFTER_RECORD_COMMIT("gateway.ReplayCache", "learn", 1, true),
    BEFORE_ANSWER("server.AnswerWriter", "reply", 1, true);

    private final String className;
    private final String method;
    private final int effects;
    private final boolean recorded;

    CrashPoint(String className, String method, int effects, boolean recorded) {
        this.className = "dev.latchkey." + className;
        this.method = method;
        this.effects = effects;
        this.recorded = recorded;
    }

    /// Stops the program once so many calls are here.
    Debugger.Trap trap(Debugger debugger, int calls) {
        return debugger.trap(className, method, calls);
    }

    /// How many effects the call has had when it comes here.
    int effects() {
        return effects;
    }

    /// Whether the response is recorded when the call comes here.
    boolean isRecorded() {
        return recorded;
    }
}

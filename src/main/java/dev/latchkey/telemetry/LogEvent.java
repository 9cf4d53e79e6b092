package dev.latchkey.telemetry;

import java.util.Locale;

/// Every event that the program logs. Its name, in the field `event`, is stable; the sentence is for people.
public enum LogEvent {
    READY("Ready"),
    CERTIFICATE("A port's certificate was read anew"),
    CERTIFICATE_UNFIT("The new files of a port's certificate are unfit; the former are used"),
    DRAINING("Draining: readiness has fallen"),
    REFUSING("Draining: new calls are refused"),
    DRAIN_TIMED_OUT("Calls were still under way when the drain timed out"),
    STOPPED("Stopped"),
    CALL("Call answered"),
    REFUSED("Call refused"),
    BATCH("Batch answered"),
    CALLER_GONE("The caller hung up before all of its answer was sent, or took it too slowly"),
    SLOW_CALLERS("Connections whose callers sent or read too slowly were ended"),
    ANSWER_CUT("An answer was cut: it broke off, or what it stands for was not recorded"),
    FAILED("Something failed that must not"),
    ISSUER_AWAY("The keys of the issuer of JWTs cannot be had"),
    ISSUER_KEY_UNFIT("A key that the issuer of JWTs publishes is not used"),
    LEDGER_LOST("The ledger is out of reach"),
    LEDGER_BACK("The ledger answers again"),
    DOUBT("An entry went into doubt"),
    SETTLED("An entry in doubt was settled"),
    ERASED("An operator erased an entry"),
    LATE_RESPONSE("A genuine response came after its attempt had lost its key"),
    UNREADABLE("A recorded response is encrypted and cannot be read"),
    NO_TOKEN("No access token was to be had, so nothing was sent"),
    SWEPT("Claims past their lease were put in doubt"),
    PURGED("Entries and responses past their retention were deleted"),
    LOOKUP_UNCLEAR("A lookup said nothing that can be relied on; the entry stays in doubt"),
    UPKEEP_FAILED("A round of upkeep failed; the next one tries again"),
    TRACES_LOST("The collector of traces takes no spans; they are lost until it does"),
    TRACES_BACK("The collector of traces takes spans again"),
    POSTGRES_STARTED("The embedded PostgreSQL runs"),
    POSTGRES_DIED("The embedded PostgreSQL has died; it is started again"),
    POSTGRES_NOT_STARTED("The embedded PostgreSQL does not start again; another try follows"),
    POSTGRES_ORPHAN_ENDED("An embedded PostgreSQL that still ran was ended before a new start"),
    POSTGRES_STOPPED("The embedded PostgreSQL stopped");

    private final String sentence;

    LogEvent(String sentence) {
        this.sentence = sentence;
    }

    /// The value of the field `event`, such as `late-response`.
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// For people.
    public String sentence() {
        return sentence;
    }
}

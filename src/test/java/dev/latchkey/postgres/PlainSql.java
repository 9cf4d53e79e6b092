package dev.latchkey.postgres;

/// The two statements of a first call as the plain writer sends them, for whoever measures them without a gateway. Their
/// parameters are named, `:id`.
public final class PlainSql {

    private PlainSql() {}

    public static String claim() {
        return ClaimSql.FIRST;
    }

    public static String record() {
        return SettleSql.RECORD;
    }
}

package dev.latchkey.postgres;

/// How the ledger remembers the keys that it was encrypted with. JDBC's parameters, for it is asked before all else.
final class KeySql {

    static final String ALL = "select key_id, check_value from ledger_key";

    /// No unique constraint: two replicas that start at once may both add a key, and each reads what the other added.
    static final String ADD =
            """
                    insert into ledger_key (key_id, check_value)
                    select ?, ?
                     where not exists (select 1 from ledger_key where key_id = ?)
                    """;

    private KeySql() {}
}

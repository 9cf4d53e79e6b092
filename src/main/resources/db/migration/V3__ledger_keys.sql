-- The keys that the ledger was encrypted with, so that a wrong or missing one is found at the start and not at a replay.

create table ledger_key (
    key_id      text        not null,
    check_value bytea       not null,
    added_at    timestamptz not null default now()
);

comment on column ledger_key.key_id      is 'as the settings name it';
comment on column ledger_key.check_value is 'made of the key; its first four bytes are in every value that the key encrypted';

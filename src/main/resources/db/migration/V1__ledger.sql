-- The ledger. Plain enough for every engine that speaks PostgreSQL: each unique constraint contains entry_id (the
-- distribution column), no sequence, no trigger, no foreign key.

create table entry (
    entry_id         uuid        primary key,
    client           text        not null,
    idempotency_key  text        not null,
    route            text        not null,
    method           text        not null,
    target           text        not null,
    fingerprint      bytea       not null,
    correction       int         not null default 0,
    sent_as          bytea       not null,
    state            smallint    not null check (state between 0 and 3),
    attempt          bigint      not null,
    attempts         int         not null default 1,
    claimed_at       timestamptz not null default now(),
    first_forward_at timestamptz not null default now(),
    lease_until      timestamptz not null,
    in_doubt_since   timestamptz,
    cause            text,
    recorded_at      timestamptz,
    expires_at       timestamptz,
    status           smallint,
    rejection        boolean     not null default false,
    settled_by       text,
    erased           boolean     not null default false
);

-- Claims by the end of their lease: what the sweep looks for.
create index entry_claimed on entry (lease_until) where state = 0;
-- What is in doubt, newest first.
create index entry_in_doubt on entry (claimed_at) where state = 2;
-- What the purge looks for. A B-tree and not BRIN: rejections go after an hour and others after months, so that each
-- range of pages would soon hold something old, and each purge read the whole table.
create index entry_released on entry (lease_until) where state = 3;
create index entry_expiring on entry (expires_at) where expires_at is not null and not rejection;
create index entry_rejected on entry (expires_at) where rejection;

-- The big part, with the shorter life. No row: the response is gone. No body: it was never kept.
create table response (
    entry_id   uuid  primary key,
    expires_at timestamptz,
    headers    bytea not null,
    body       bytea
);

create index response_expiring on response (expires_at) where expires_at is not null;

-- What happened besides claim, record, replay. Outlives its entry, and is readable without it.
create table entry_event (
    entry_id uuid        not null,
    at       timestamptz not null default now(),
    kind     text        not null,
    attempt  bigint      not null,
    cause    text,
    by_whom  text,
    status   smallint,
    headers  bytea,
    body     bytea,
    client   text,
    route    text,
    primary key (entry_id, at, kind, attempt)
);

comment on column entry.entry_id         is 'made from client and idempotency key';
comment on column entry.fingerprint      is 'version byte, then SHA-256';
comment on column entry.correction       is 'recorded rejections before this request; part of the downstream key';
comment on column entry.sent_as          is 'how the downstream key was sent; forwarded again only while unchanged';
comment on column entry.state            is '0 claimed, 1 recorded, 2 in doubt, 3 released';
comment on column entry.attempt          is 'random; fences every transition';
comment on column entry.attempts         is 'forwards of this generation';
comment on column entry.first_forward_at is 'start of this generation';
comment on column entry.in_doubt_since   is 'set once doubtful, kept over re-forwards and settling';
comment on column entry.cause            is 'why it is, or was last, in doubt or released';
comment on column entry.expires_at       is 'when it may be purged; null: never';
comment on column entry.status           is 'recorded, or of the response that left it in doubt';
comment on column entry.rejection        is 'recorded with a 4xx of a first forward that was never in doubt';
comment on column entry.settled_by       is 'lookup or verdict, where one of them recorded it';
comment on column response.headers       is 'lines of Name: value, ended by CR LF, in ISO-8859-1';
comment on column response.expires_at    is 'null: never';

-- Claims that callers hold themselves, for effects that are not forwarded.

alter table entry add column released_on_expiry boolean not null default false;

comment on column entry.released_on_expiry is 'the end of the lease releases the key instead of leaving it in doubt';

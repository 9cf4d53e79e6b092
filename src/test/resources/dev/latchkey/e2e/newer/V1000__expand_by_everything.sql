-- What a newer program may add to the ledger of an older one.

alter table entry
    add column note   text,
    add column weight integer not null default 7;
alter table response add column kind text not null default 'plain';
alter table entry_event add column seen boolean default false;
alter table ledger_key add column owner text;

create index entry_by_weight on entry (weight, claimed_at);

create table entry_note (
    entry_id uuid not null,
    note     text not null,
    constraint entry_note_pk primary key (entry_id)
);

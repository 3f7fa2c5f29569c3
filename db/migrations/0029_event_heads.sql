-- Heads of logs, as they were published.

-- The head of an organization's log, signed: what the log says up to there cannot be told in another way any more.
create table event_heads (
  id uuid primary key default uuidv7(),
  organization_id uuid not null references organizations,
  seq bigint not null,
  hash bytea not null,
  previous bytea, -- SHA-256 of the statement before: heads of a log follow one another
  statement text not null, -- canonical JSON of all of that
  key_id text not null,
  signature bytea not null, -- Ed25519, of the statement
  stored_as text, -- the object in storage that has it, too
  inserted_at timestamptz not null default business_now(),
  unique (organization_id, seq),
  unique nulls not distinct (organization_id, previous)
);
create index event_heads_list on event_heads (organization_id, inserted_at desc, id desc);
create index event_heads_to_store on event_heads (id) where stored_as is null;
call isolate('event_heads', definer => 'writes');
grant select, insert on event_heads to business_finance_app;
grant select, update (stored_as) on event_heads to business_finance_definer;

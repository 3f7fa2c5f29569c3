-- What happened in organizations, and what has to happen.

-- An entry of an organization's log: append-only. A cause is taken once for a subject and type, so that a repeat of
-- the same request writes nothing.
create table events (
  id uuid primary key default uuidv7(),
  organization_id uuid not null,
  stream text not null,
  subject_id uuid not null,
  type text not null,
  kind text not null default 'domain' check (kind in ('domain', 'evidence')),
  actor_kind text check (actor_kind in
    ('user', 'admin', 'system', 'worker', 'webhook', 'llm_on_behalf_of_user', 'llm_on_behalf_of_admin')),
  actor_user_id uuid,
  causation_id uuid, -- the event that caused it: find_causation()
  correlation_id text,
  cause text not null,
  payload text, -- canonical JSON, kept as text so that its hash can be checked
  provider text,
  occurred_at timestamptz not null default business_now(),
  xact xid8 not null default pg_current_xact_id(),
  unique (subject_id, cause, type)
);
create index events_organization on events (organization_id, occurred_at desc, id desc);
create index events_xact on events (xact, cause); -- the chain reads in commit order, causation within a transaction
call isolate('events', definer => 'writes');
grant select, insert on events to business_finance_app;
grant select on events to business_finance_definer;

-- An event in its place in the log of its organization, with its hash over the one before. It is written after the
-- events, in commit order, so that no payment waits for it, and none ever gets a place in front of one that was read.
create table event_chain (
  organization_id uuid not null,
  seq bigint not null,
  event_id uuid not null unique references events,
  -- as in the event, so that each filter of the log has an index in the order of seq
  stream text not null,
  type text not null,
  subject_id uuid not null,
  occurred_at timestamptz not null,
  latest_at timestamptz not null, -- the latest occurred_at up to here: what is asked from an instant on begins there
  lateness interval not null, -- of those up to here, how long at most one occurred before another in front of it
  hash bytea not null,
  primary key (organization_id, seq)
);
create index event_chain_type on event_chain (organization_id, type, seq);
create index event_chain_stream on event_chain (organization_id, stream, seq);
create index event_chain_subject on event_chain (organization_id, subject_id, seq);
create index event_chain_latest on event_chain (organization_id, latest_at, seq);
call isolate('event_chain', definer => 'writes');
grant select on event_chain to business_finance_app;
grant select, insert on event_chain to business_finance_definer;

-- The one row that says up to which transaction the chain has read.
create table event_chain_position (
  only_row boolean primary key default true check (only_row),
  xact xid8 not null default '0'
);
insert into event_chain_position default values;
grant select, update on event_chain_position to business_finance_definer;

-- A process: a row that a workflow drives, or whose latest change no run has looked at. It is outbox, list of
-- deadlines and list of driven rows in one.
create table processes (
  id uuid primary key,
  workflow text not null, -- the workflow id is workflow || '-' || id
  organization_id uuid,
  rail text,
  status text, -- as it was at the latest change
  ref jsonb, -- what a start needs beside the ids
  version bigint not null default 1,
  why text not null, -- the latest reason, and the name of the signal
  look_at timestamptz not null default business_now(), -- from when somebody has to wake it; infinity: it waits
  told integer not null default 0, -- how often the sweep has signalled it since it was seen
  unseen_since timestamptz default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index processes_look_at on processes (look_at); -- whole: with a partial one `<= now()` was a sequential scan
alter table processes enable row level security;
alter table processes force row level security;
create policy definer on processes to business_finance_definer using (true) with check (true);
grant select, insert, update, delete on processes to business_finance_definer;

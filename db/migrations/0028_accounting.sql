-- Accounting programs that organizations are connected with, and what was posted to their books.

-- A consent that somebody was sent to give, until it is given or too old.
create table accounting_authorizations (
  id uuid primary key,
  organization_id uuid not null references organizations,
  user_id uuid not null references people, -- who asked
  session_id uuid not null, -- in which it was asked: once it has ended, nothing comes of it
  state_hash bytea not null unique, -- of the state that the provider sends back
  sealed bytea not null, -- the verifier of PKCE, with the row's id
  expires_at timestamptz not null,
  used_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
create index accounting_authorizations_expired on accounting_authorizations (expires_at);
call isolate('accounting_authorizations', definer => 'writes');
grant select, insert on accounting_authorizations to business_finance_app;
grant select, update (used_at), delete on accounting_authorizations to business_finance_definer;

-- The books of an accounting program that an organization is connected with.
create table accounting_connections (
  id uuid primary key,
  organization_id uuid not null references organizations,
  provider text not null check (provider in ('xero')),
  status text not null check (status in ('connected', 'needs_reconnect', 'disconnecting', 'disconnected')),
  tenant_id text not null, -- whose books, as the provider names them
  tenant_name text not null,
  provider_connection_id text not null, -- the consent, as the provider names it
  sealed bytea, -- the tokens, with the row's id; null: they are gone
  access_expires_at timestamptz not null, -- of the access token
  lease uuid, -- who speaks with the provider, alone, until the lease is over by the clock of the system
  leased_until timestamptz,
  synced_to timestamptz, -- what was posted a day before is in the books, or waits as an item
  connected_by uuid not null references people,
  connected_at timestamptz not null default business_now(),
  ended_at timestamptz, -- since when the provider refuses us, or somebody asked for its end
  ask_at timestamptz, -- when it is revoked again
  asks integer not null default 0,
  ask_note text,
  unclear_since timestamptz,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check ((status = 'disconnected') = (sealed is null)),
  check ((status = 'connected') = (ended_at is null))
) with (fillfactor = 80);
create unique index accounting_connections_one on accounting_connections (organization_id)
  where status in ('connected', 'needs_reconnect');
create index accounting_connections_list on accounting_connections (organization_id, inserted_at desc, id desc);
-- those that the clock syncs
create index accounting_connections_open on accounting_connections (id) where status = 'connected';
call isolate('accounting_connections', definer => 'reads');
grant select, insert, update (status, tenant_name, provider_connection_id, sealed, access_expires_at, lease,
  leased_until, synced_to, connected_by, connected_at, ended_at, ask_at, asks, ask_note, unclear_since, updated_at)
  on accounting_connections to business_finance_app;
grant select on accounting_connections to business_finance_definer;

-- An account of the books that an organization is connected with, as the latest sync found it.
create table accounting_accounts (
  organization_id uuid not null references organizations,
  tenant_id text not null,
  code text not null,
  name text not null,
  account_type text not null,
  currency text,
  takes_payments boolean not null, -- invoices can be paid from it
  primary key (organization_id, tenant_id, code)
);
call isolate('accounting_accounts');
grant select, insert, delete on accounting_accounts to business_finance_app;

-- Which account of the books an organization has chosen for what.
create table accounting_mappings (
  organization_id uuid not null references organizations,
  mapping_type text not null,
  source_value text not null default '', -- a category of cards; '' of other types
  account_code text not null,
  primary key (organization_id, mapping_type, source_value)
);
call isolate('accounting_mappings');
grant select, insert, delete on accounting_mappings to business_finance_app;

-- One time that what is new is posted to the books.
create table accounting_sync_runs (
  id uuid primary key,
  organization_id uuid not null references organizations,
  connection_id uuid not null references accounting_connections,
  status text not null check (status in ('running', 'completed', 'failed')),
  trigger text not null check (trigger in ('connect', 'manual', 'schedule')),
  requested_by uuid references people, -- null: the clock
  accounts_read boolean not null default false, -- the chart of accounts is as it was when the run began
  pushed integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  errors jsonb not null default '[]', -- of what was skipped or has failed, the first of them
  failure text check ((failure is null) = (status <> 'failed')), -- why the run itself has failed
  ask_at timestamptz, -- when it goes on
  asks integer not null default 0,
  ask_note text,
  unclear_since timestamptz,
  ended_at timestamptz check ((ended_at is null) = (status = 'running')),
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
) with (fillfactor = 80);
-- nothing is posted by two runs at once
create unique index accounting_sync_runs_one on accounting_sync_runs (organization_id) where status = 'running';
create index accounting_sync_runs_list on accounting_sync_runs (organization_id, inserted_at desc, id desc);
create index accounting_sync_runs_over on accounting_sync_runs (ended_at);
call isolate('accounting_sync_runs', definer => 'reads');
grant select, insert, update (status, accounts_read, pushed, skipped, failed, errors, failure, ask_at, asks, ask_note,
  unclear_since, ended_at, updated_at) on accounting_sync_runs to business_finance_app;
grant select, delete on accounting_sync_runs to business_finance_definer;

-- What was posted to which books, once for ever, and what could not be.
create table accounting_items (
  organization_id uuid not null references organizations,
  tenant_id text not null,
  kind text not null check (kind in ('transaction', 'bill', 'bill_payment', 'invoice', 'invoice_payment')),
  subject_id uuid not null, -- of the transaction, bill, invoice or allocation
  status text not null check (status in ('pushed', 'skipped', 'failed')),
  external_id text check ((external_id is null) = (status <> 'pushed')), -- as the books name it
  run_id uuid not null, -- that tried it last
  tried_at timestamptz not null default business_now(),
  primary key (organization_id, tenant_id, kind, subject_id)
);
-- what every run tries again
create index accounting_items_open on accounting_items (organization_id, tenant_id, kind) where status <> 'pushed';
-- documents that were posted lately, whose payments are next
create index accounting_items_recent on accounting_items (organization_id, tenant_id, kind, tried_at)
  where status = 'pushed';
call isolate('accounting_items');
grant select, insert, update (status, external_id, run_id, tried_at) on accounting_items to business_finance_app;

-- When a provider was asked about some books in the last minute: it counts for all of us together.
create table accounting_calls (
  tenant_id text primary key,
  made_at timestamptz[] not null
);
grant select, insert, update (made_at) on accounting_calls to business_finance_app;

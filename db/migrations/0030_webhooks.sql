-- Webhook endpoints: addresses that an organization's events are delivered to.

-- An address of an organization that its events are delivered to, in the order of its log.
create table webhook_endpoints (
  id uuid primary key,
  organization_id uuid not null references organizations,
  url text not null,
  types text[] not null default '{}', -- empty: all
  description text,
  status text not null check (status in ('active', 'disabled', 'deleted')),
  disabled_reason text check ((disabled_reason is null) = (status <> 'disabled'))
    check (disabled_reason in ('person', 'gone', 'failures')),
  sealed bytea, -- the secret that signs, and the one before it, with the row's id; null: deleted
  previous_secret_expires_at timestamptz, -- until then the one before it signs, too
  cursor bigint not null, -- up to this place of the log each event has been delivered, or has a delivery
  failures integer not null default 0, -- tries in vain since the last that succeeded
  failing_since timestamptz check ((failing_since is null) = (failures = 0)),
  last_success_at timestamptz,
  last_failure_at timestamptz,
  is_slow boolean not null default false, -- it took its time when it was called last
  lease uuid, -- who delivers, alone, until the lease is over by the clock of the system
  leased_until timestamptz,
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check ((status = 'deleted') = (sealed is null))
) with (fillfactor = 80);
create index webhook_endpoints_list on webhook_endpoints (organization_id, inserted_at desc, id desc);
call isolate('webhook_endpoints', definer => 'reads');
grant select, insert, update (url, types, description, status, disabled_reason, sealed, previous_secret_expires_at,
  cursor, failures, failing_since, last_success_at, last_failure_at, is_slow, lease, leased_until, updated_at)
  on webhook_endpoints to business_finance_app;
grant select on webhook_endpoints to business_finance_definer;

-- One event on its way to one endpoint, with every try: of the log, again on demand, or a test.
create table webhook_deliveries (
  id uuid primary key,
  organization_id uuid not null references organizations,
  endpoint_id uuid not null references webhook_endpoints,
  origin text not null check (origin in ('event', 'replay', 'test')),
  event_id uuid not null, -- of a test, an id of its own
  event_type text not null,
  subject_id uuid not null, -- deliveries about the same come one after the other
  seq bigint not null, -- the event's place in the log; 0: a test
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  tries integer not null default 0, -- of the schedule: what was replayed begins anew
  attempts jsonb not null default '[]', -- each try, and what was answered
  attempt_at timestamptz default business_now() check ((attempt_at is null) = (status <> 'pending')),
  ended_at timestamptz check ((ended_at is null) = (status = 'pending')),
  inserted_at timestamptz not null default business_now()
) with (fillfactor = 80);
create index webhook_deliveries_list on webhook_deliveries (organization_id, endpoint_id, inserted_at desc, id desc);
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, subject_id, seq, id) where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (organization_id, endpoint_id, inserted_at desc, id desc)
  where status = 'failed';
create index webhook_deliveries_event on webhook_deliveries (endpoint_id, event_id);
create index webhook_deliveries_over on webhook_deliveries (ended_at);
call isolate('webhook_deliveries', definer => 'reads');
grant select, insert, update (status, tries, attempts, attempt_at, ended_at)
  on webhook_deliveries to business_finance_app;
grant select, delete on webhook_deliveries to business_finance_definer;

-- Events of a time that somebody asked for once more, page by page.
create table webhook_replays (
  id uuid primary key,
  organization_id uuid not null references organizations,
  endpoint_id uuid not null references webhook_endpoints,
  status text not null check (status in ('running', 'completed')),
  from_at timestamptz not null, -- events from then on
  until_at timestamptz not null, -- and before then
  cursor bigint not null, -- up to this place of the log each of them has a delivery
  until_seq bigint not null, -- the end of the log when it was asked for
  queued integer not null default 0, -- so many deliveries
  requested_by uuid not null references people,
  ended_at timestamptz check ((ended_at is null) = (status = 'running')),
  inserted_at timestamptz not null default business_now(),
  check (from_at < until_at)
);
create unique index webhook_replays_one on webhook_replays (endpoint_id) where status = 'running';
create index webhook_replays_list on webhook_replays (organization_id, endpoint_id, inserted_at desc, id desc);
call isolate('webhook_replays');
grant select, insert, update (status, cursor, queued, ended_at) on webhook_replays to business_finance_app;

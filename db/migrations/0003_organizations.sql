-- Organizations, who is in them, and the log of everything that happened in them.

create table organizations (
  id uuid primary key,
  name text not null,
  svc_id text unique check (svc_id ~ '^[a-z0-9][a-z0-9_-]{1,28}[a-z0-9]$'),
  status text not null default 'active' check (status in ('active', 'paused', 'banned', 'deleted')),
  card_name text,
  company_address text,
  contact_email text,
  country_code text,
  invoice_name text,
  invoice_notes text,
  referral_code text,
  tax_id text,
  registered_entity boolean,
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now()
);

create table members (
  organization_id uuid not null references organizations,
  user_id uuid not null references people,
  role text not null check (role in ('owner', 'admin', 'member')),
  joined_at timestamptz not null default business_now(),
  primary key (organization_id, user_id)
);
create index members_user on members (user_id, organization_id);

-- Append-only. A cause is taken once for a subject and type: a repeat of the same request writes nothing.
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
  causation_id uuid,
  correlation_id text,
  cause text not null,
  payload text, -- canonical JSON, kept as text so that its hash can be checked
  provider text,
  occurred_at timestamptz not null default business_now(),
  xact xid8 not null default pg_current_xact_id(),
  unique (subject_id, cause, type)
);
create index events_organization on events (organization_id, occurred_at desc, id desc);
create index events_xact on events (xact, id); -- the chain reads in commit order

-- Written behind the events, in commit order, so that no payment waits for it.
create table event_chain (
  organization_id uuid not null,
  seq bigint not null,
  event_id uuid not null unique references events,
  hash bytea not null,
  primary key (organization_id, seq)
);
create table event_chain_position (
  only_row boolean primary key default true check (only_row),
  xact xid8 not null default '0'
);
insert into event_chain_position default values;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;
create trigger events_are_immutable before update or delete or truncate on events
  execute function refuse_change();
create trigger event_chain_is_immutable before update or delete or truncate on event_chain
  execute function refuse_change();

grant select, insert, update on organizations, members to business_finance_app;
grant select, insert on events to business_finance_app;
grant select on event_chain to business_finance_app;

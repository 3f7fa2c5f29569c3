-- The books of the stand-in partners of the test environment. They are the partners' own: no organization is known in
-- them, and their time is the system clock. Expand only.

create table sandbox_payouts (
  partner text not null check (partner in ('bank', 'custodian')),
  id uuid not null,
  seq bigint generated always as identity,
  body_hash text not null,
  amount text not null,
  currency text not null,
  status text not null check (status in ('pending', 'processing', 'on_hold', 'settled', 'rejected', 'cancelled',
    'returned')),
  detail text not null,
  reference text,
  own_reference text not null, -- of a custodian shown from the broadcast on
  version integer not null default 1,
  previous jsonb, -- what was said before the last change
  manual boolean not null default false, -- goes on only when it is told to
  cancel_asked boolean not null default false,
  due_at timestamptz, -- when it goes on by itself
  made_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (partner, id)
);
create unique index sandbox_payouts_list on sandbox_payouts (partner, seq);
create index sandbox_payouts_due on sandbox_payouts (due_at) where due_at is not null;

create table sandbox_deposits (
  partner text not null check (partner in ('bank', 'custodian')),
  id uuid not null,
  seq bigint generated always as identity,
  account text not null,
  amount text not null,
  currency text not null,
  sender jsonb not null,
  status text not null default 'received' check (status in ('received', 'returned')),
  return_reason text,
  reference text not null,
  version integer not null default 1,
  received_at timestamptz not null default clock_timestamp(),
  primary key (partner, id),
  check ((status = 'returned') = (return_reason is not null))
);
create unique index sandbox_deposits_list on sandbox_deposits (partner, seq);

create table sandbox_accounts (
  partner text not null check (partner in ('bank', 'custodian')),
  id uuid not null,
  body_hash text not null,
  account text not null unique,
  details jsonb not null,
  made_at timestamptz not null default clock_timestamp(),
  primary key (partner, id)
);

create table sandbox_trades (
  id uuid primary key,
  seq bigint generated always as identity unique,
  body_hash text not null,
  sell jsonb not null,
  buy jsonb not null,
  executed_at timestamptz not null default clock_timestamp()
);

-- Callbacks that are still to be delivered. One that is on its way is due again should nobody tell how that ended.
create table sandbox_callbacks (
  id text primary key,
  partner text not null check (partner in ('bank', 'custodian')),
  type text not null check (type in ('payout.updated', 'deposit.updated')),
  subject_id uuid not null,
  version integer not null,
  deliveries_left integer not null default 1,
  after_newer boolean not null default false, -- held back until a newer one of its subject was delivered
  attempts integer not null default 0,
  due_at timestamptz not null default clock_timestamp()
);
create index sandbox_callbacks_due on sandbox_callbacks (due_at);
create index sandbox_callbacks_subject on sandbox_callbacks (subject_id);

create table sandbox_faults (
  partner text not null check (partner in ('bank', 'custodian', 'rates')),
  fault text not null,
  times integer not null check (times >= 0), -- how many more it hits
  primary key (partner, fault)
);

create table sandbox_market (
  id boolean primary key default true check (id),
  state text not null check (state in ('open', 'closed', 'calendar'))
);
insert into sandbox_market (state) values ('open');

grant select, insert, update, delete on sandbox_payouts, sandbox_deposits, sandbox_accounts, sandbox_trades,
  sandbox_callbacks, sandbox_faults to business_finance_app;
grant select, update on sandbox_market to business_finance_app;

-- Where a payment stands, for the sandbox endpoint that moves it at its partner and has no person to ask for.
create function sandbox_payment(payment uuid)
returns table (organization_id uuid, rail text, status text, partner_version integer)
language sql stable security definer set search_path = public, pg_temp
as $$ select p.organization_id, p.rail, p.status, p.partner_version from payments p where p.id = payment $$;

grant create on schema public to business_finance_definer; -- a function is handed over only to a role that may create
alter function sandbox_payment(uuid) owner to business_finance_definer;
revoke create on schema public from business_finance_definer;
revoke execute on function sandbox_payment(uuid) from public;
grant execute on function sandbox_payment(uuid) to business_finance_app;

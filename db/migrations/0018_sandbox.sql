-- The books of the stand-in partners of the test environment. They are the partners' own: no organization is known in
-- them, and their time is the system clock.

-- A payout at a stand-in partner.
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
grant select, insert, update (status, detail, reference, version, previous, manual, cancel_asked, due_at, updated_at),
  delete on sandbox_payouts to business_finance_app;

-- A deposit at a stand-in partner.
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
grant select, insert, update (status, return_reason, version), delete on sandbox_deposits to business_finance_app;

-- An account that a stand-in partner opened.
create table sandbox_accounts (
  partner text not null check (partner in ('bank', 'custodian')),
  id uuid not null,
  body_hash text not null,
  account text not null unique,
  details jsonb not null,
  made_at timestamptz not null default clock_timestamp(),
  primary key (partner, id)
);
grant select, insert, delete on sandbox_accounts to business_finance_app;

-- A trade of the stand-in rates desk.
create table sandbox_trades (
  id uuid primary key,
  seq bigint generated always as identity unique,
  body_hash text not null,
  sell jsonb not null,
  buy jsonb not null,
  executed_at timestamptz not null default clock_timestamp()
);
grant select, insert, delete on sandbox_trades to business_finance_app;

-- A message that a stand-in has delivered: to the sandbox mailbox, which shows what is in `messages`.
create table sandbox_messages (
  partner text not null check (partner in ('mail', 'messenger')),
  id uuid not null,
  body_hash text not null,
  delivered_at timestamptz not null default clock_timestamp(),
  primary key (partner, id)
);
grant select, insert, delete on sandbox_messages to business_finance_app;

-- A callback that is still to be delivered. One on its way is due again unless somebody records how it ended.
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
grant select, insert, update (deliveries_left, after_newer, attempts, due_at), delete on sandbox_callbacks to
  business_finance_app;

-- A fault that a stand-in partner shows next.
create table sandbox_faults (
  partner text not null check (partner in ('bank', 'custodian', 'rates', 'mail', 'messenger', 'storage')),
  fault text not null,
  times integer not null check (times >= 0), -- how many more it hits
  primary key (partner, fault)
);
grant select, insert, update (times), delete on sandbox_faults to business_finance_app;

-- The one row that says whether the stand-in market is open; `calendar`: as the calendar says.
create table sandbox_market (
  id boolean primary key default true check (id),
  state text not null check (state in ('open', 'closed', 'calendar'))
);
insert into sandbox_market (state) values ('open');
grant select, update (state) on sandbox_market to business_finance_app;

-- The books of the stand-in partners of the test environment. They are the partners' own: no organization is known in
-- them, and their time is the system clock, but for the accounting program: its tokens and limits last for months.

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
  partner text not null check (partner in ('bank', 'custodian', 'rates', 'mail', 'messenger', 'accounting',
    'storage')),
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

-- A tenant at the stand-in of the accounting program: its books, and what was counted against its limits.
create table sandbox_accounting_tenants (
  id uuid primary key,
  seq bigint generated always as identity unique,
  name text not null,
  base_currency text not null,
  minute_started_at timestamptz not null default business_now(),
  minute_calls integer not null default 0,
  day_started_at timestamptz not null default business_now(),
  day_calls integer not null default 0,
  calls bigint not null default 0, -- all that were let in
  limited_calls bigint not null default 0, -- all that a limit refused
  made_at timestamptz not null default business_now()
);
grant select, insert, update (minute_started_at, minute_calls, day_started_at, day_calls, calls, limited_calls), delete on
  sandbox_accounting_tenants to business_finance_app;

-- A person's consent at the stand-in of the accounting program, of which all tokens are.
create table sandbox_accounting_consents (
  id uuid primary key,
  person_id uuid not null,
  scope text not null,
  consented_at timestamptz not null default business_now()
);
create index sandbox_accounting_consents_person on sandbox_accounting_consents (person_id);
grant select, insert, delete on sandbox_accounting_consents to business_finance_app;

-- A tenant that a person has connected at the stand-in of the accounting program.
create table sandbox_accounting_connections (
  id uuid primary key,
  person_id uuid not null,
  tenant_id uuid not null references sandbox_accounting_tenants,
  consent_id uuid not null references sandbox_accounting_consents, -- the last one
  made_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  unique (person_id, tenant_id)
);
create index sandbox_accounting_connections_tenant on sandbox_accounting_connections (tenant_id);
create index sandbox_accounting_connections_consent on sandbox_accounting_connections (consent_id);
grant select, insert, update (consent_id, updated_at), delete on sandbox_accounting_connections to business_finance_app;

-- A code or token that the stand-in of the accounting program has given out.
create table sandbox_accounting_tokens (
  hash text primary key,
  kind text not null check (kind in ('code', 'access', 'refresh')),
  consent_id uuid not null references sandbox_accounting_consents,
  redirect_uri text,
  challenge text,
  expires_at timestamptz not null,
  used_at timestamptz -- a code once; a refresh token for some minutes more
);
create index sandbox_accounting_tokens_consent on sandbox_accounting_tokens (consent_id);
grant select, insert, update (expires_at, used_at), delete on sandbox_accounting_tokens to business_finance_app;

-- What was posted to the stand-in of the accounting program, as it answers it.
create table sandbox_accounting_items (
  tenant_id uuid not null references sandbox_accounting_tenants,
  id uuid not null,
  seq bigint generated always as identity,
  type text not null check (type in ('BankTransactions', 'BankTransfers', 'Contacts', 'Invoices', 'ManualJournals',
    'Payments')),
  body jsonb not null,
  made_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  primary key (tenant_id, id)
);
create unique index sandbox_accounting_items_list on sandbox_accounting_items (tenant_id, type, seq);
grant select, insert, update (body, updated_at), delete on sandbox_accounting_items to business_finance_app;

-- An answer that the stand-in of the accounting program gives again while its Idempotency-Key is known.
create table sandbox_accounting_answers (
  tenant_id uuid not null references sandbox_accounting_tenants,
  key text not null,
  request_hash text not null,
  status integer not null,
  body jsonb not null,
  made_at timestamptz not null default business_now(),
  primary key (tenant_id, key)
);
grant select, insert, delete on sandbox_accounting_answers to business_finance_app;

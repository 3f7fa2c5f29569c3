-- Money that comes in, and the accounts where it arrives.

-- Addresses of these kinds are the same in capitals and in small letters (EIP-55, BIP 173); of all others case counts.
create function account_key(account text) returns text
language sql immutable
as $$
  select case when account ~* '^0x[0-9a-f]{40}$' or account ~* '^(bc|tb|bcrt)1[02-9ac-hj-np-z]{11,87}$'
    then lower(account) else account end
$$;
grant execute on function account_key(text) to business_finance_app, business_finance_definer;

-- A bank account or address where money for an organization arrives. The partner opens it, which takes a moment.
create table receiving_accounts (
  id uuid primary key,
  organization_id uuid not null references organizations,
  rail text not null check (rail in ('fiat', 'crypto')),
  currency text not null,
  network text,
  status text not null check (status in ('requested', 'active')),
  account text, -- what a deposit names: an account number, an address
  details jsonb,
  -- Whom the partner was first asked to open it for: a repeat with another name would be another request.
  holder text,
  ask_at timestamptz, -- when its partner is asked again; null is at once
  asks integer not null default 0, -- how often it was asked without anything new
  unclear_since timestamptz, -- since when nobody knows whether it took what it was asked for
  ask_note text, -- what the latest try came to
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  unique nulls not distinct (organization_id, rail, currency, network),
  check ((status = 'active') = (account is not null and details is not null)),
  check ((rail = 'crypto') = (network is not null))
);
-- an account is named once, however it is written
create unique index receiving_accounts_account on receiving_accounts (account_key(account));
call isolate('receiving_accounts', definer => 'reads');
grant select, insert, update (status, account, details, ask_at, asks, unclear_since, ask_note, updated_at) on
  receiving_accounts to business_finance_app;
grant select on receiving_accounts to business_finance_definer;

-- Money that came for an organization.
create table deposits (
  id uuid primary key,
  organization_id uuid not null references organizations,
  rail text not null check (rail in ('fiat', 'crypto')),
  status text not null check (status in ('held', 'credited', 'returned')),
  amount numeric not null check (amount > 0),
  currency text not null,
  source jsonb,
  partner_deposit_id uuid not null,
  receiving_account_id uuid references receiving_accounts,
  partner_reference text,
  value_usd numeric, -- what a crypto deposit was worth when it came
  travel_rule bytea, -- sealed: who sent it, as answered
  travel_rule_by uuid references people,
  release_by timestamptz, -- until when who sent it may still be answered
  is_returning boolean not null default false, -- on its way back: no answer changes that any more
  network text,
  callbacks_received integer not null default 0, -- of its partner, while it was held
  callbacks_processed integer not null default 0, -- of them, those after which the partner was asked
  ask_at timestamptz, -- when its partner is asked again; null is at once
  asks integer not null default 0, -- how often it was asked without anything new
  unclear_since timestamptz, -- since when nobody knows whether it took what it was asked for
  ask_note text, -- what the latest try came to
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
);
create index deposits_list on deposits (organization_id, inserted_at desc, id desc);
create index deposits_waiting on deposits (organization_id, inserted_at desc, id desc)
  where status = 'held' and not is_returning;
-- both partners may use the same id
create unique index deposits_partner_deposit on deposits (rail, partner_deposit_id);
call isolate('deposits', definer => 'writes');
grant select, insert, update (status, travel_rule, travel_rule_by, release_by, is_returning, callbacks_processed,
  ask_at, asks, unclear_since, ask_note, updated_at) on deposits to business_finance_app;
grant select, update on deposits to business_finance_definer;

-- Money that arrived and belongs to no account that we know. It is in the books, in suspense, and waits for an
-- operator.
create table unmatched_deposits (
  id uuid primary key,
  partner text not null check (partner in ('bank', 'custodian')),
  partner_deposit_id uuid not null,
  rail text not null check (rail in ('fiat', 'crypto')),
  amount numeric not null check (amount > 0),
  currency text not null,
  account text,
  source jsonb,
  status text not null check (status in ('unmatched', 'returning', 'assigned', 'returned')),
  deposit_id uuid references deposits,
  network text,
  value_usd numeric, -- what coins were worth when they came
  partner_reference text,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
);
create index unmatched_deposits_open on unmatched_deposits (inserted_at) where status in ('unmatched', 'returning');
create unique index unmatched_deposits_partner_deposit on unmatched_deposits (partner, partner_deposit_id);
grant select, insert, update (status, deposit_id, updated_at) on unmatched_deposits to business_finance_app;
grant select on unmatched_deposits to business_finance_definer;

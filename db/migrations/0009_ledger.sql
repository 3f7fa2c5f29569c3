-- Double entry. Only ledger_post (db/functions/ledger.sql) writes here; transfers and entries are append-only.

-- An account. One of an organization has a balance that is locked and never overdrawn. System accounts belong to the
-- nil organization: they have no overdraft rule, so no balance row is locked and their entries have no balance.
create table ledger_accounts (
  id uuid primary key default uuidv7(),
  organization_id uuid not null,
  kind text not null check (kind in ('available', 'held', 'bank', 'custody', 'desk', 'fx', 'fees', 'subscriptions',
    'suspense', 'receivable', 'payable')),
  currency text not null,
  balance numeric not null default 0,
  seq bigint not null default 0,
  last_posted_at timestamptz not null default '-infinity',
  unique (organization_id, currency, kind),
  check ((organization_id = '00000000-0000-0000-0000-000000000000') = (kind not in ('available', 'held'))),
  check (balance >= 0) -- the last guard: ledger_post refuses an overdraft before this fires
) with (fillfactor = 70);
call isolate('ledger_accounts', definer => 'writes');
grant select on ledger_accounts to business_finance_app;
grant select, insert, update on ledger_accounts to business_finance_definer;

-- A transfer: legs that were posted together. Its key says what it was for, and is taken once.
create table ledger_transfers (
  id uuid primary key default uuidv7(),
  key text not null unique,
  organization_id uuid not null,
  posted_at timestamptz not null
);
create index ledger_transfers_organization on ledger_transfers (organization_id);
call isolate('ledger_transfers', definer => 'writes');
grant select on ledger_transfers to business_finance_app;
grant select, insert on ledger_transfers to business_finance_definer;

-- A leg of a transfer. One of a system account has neither balance nor seq.
create table ledger_entries (
  transfer_id uuid not null references ledger_transfers,
  account_id uuid not null references ledger_accounts,
  organization_id uuid not null,
  amount numeric not null check (amount <> 0),
  posted_at timestamptz not null,
  seq bigint,
  balance numeric,
  primary key (transfer_id, account_id),
  unique (account_id, seq)
);
create index ledger_entries_as_of on ledger_entries (account_id, posted_at desc, seq desc);
call isolate('ledger_entries', definer => 'writes');
grant select on ledger_entries to business_finance_app;
grant select, insert on ledger_entries to business_finance_definer;

-- What ledger_post answers: each entry that it wrote, with what follows from it for balance and feed.
create type ledger_posting as (
  key text,
  organization_id uuid,
  kind text,
  currency text,
  amount numeric,
  balance numeric, -- of this account after the entry; null for a system account
  total numeric, -- available + held of the organization in this currency after the entry; null for a system account
  posted_at timestamptz,
  feed_seq bigint, -- grows with every entry of the organization in this currency
  account_id uuid,
  seq bigint -- of this account; null for a system account
);

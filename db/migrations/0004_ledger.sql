-- Double entry. Accounts of an organization have a balance that is locked and never overdrawn. System accounts belong
-- to the nil organization: they have no overdraft rule, so no balance row is locked and their entries have no balance.

create table ledger_accounts (
  id uuid primary key default uuidv7(),
  organization_id uuid not null,
  kind text not null check (kind in ('available', 'held', 'bank', 'custody', 'fx', 'fees', 'subscriptions', 'suspense')),
  currency text not null,
  balance numeric not null default 0,
  seq bigint not null default 0,
  last_posted_at timestamptz not null default '-infinity',
  unique (organization_id, currency, kind),
  check ((organization_id = '00000000-0000-0000-0000-000000000000') = (kind not in ('available', 'held'))),
  check (balance >= 0) -- the last guard: ledger_post refuses an overdraft before this fires
) with (fillfactor = 70);

create table ledger_transfers (
  id uuid primary key default uuidv7(),
  key text not null unique,
  organization_id uuid not null,
  posted_at timestamptz not null
);
create index ledger_transfers_organization on ledger_transfers (organization_id);

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

create trigger ledger_entries_are_immutable before update or delete or truncate on ledger_entries
  execute function refuse_change();
create trigger ledger_transfers_are_immutable before update or delete or truncate on ledger_transfers
  execute function refuse_change();

grant select on ledger_accounts, ledger_transfers, ledger_entries to business_finance_app;

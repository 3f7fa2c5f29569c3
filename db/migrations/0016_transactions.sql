-- The feed that shows money.

-- A row of the feed. Posted rows are in the order of the ledger; pending ones come first and have no running balance.
create table transactions (
  id uuid primary key,
  organization_id uuid not null references organizations,
  type text not null check (type in ('payment', 'deposit', 'swap', 'fee', 'refund', 'reversal', 'subscription')),
  direction text not null check (direction in ('in', 'out')),
  status text not null check (status in ('pending', 'posted')),
  amount numeric not null check (amount > 0),
  currency text not null,
  running_balance numeric check ((running_balance is null) = (status = 'pending')),
  counterparty text,
  description text,
  category text,
  internal_notes text,
  payment_id uuid references payments,
  payment_contact_id uuid,
  deposit_id uuid references deposits,
  swap_id uuid,
  bill_id uuid,
  adjustment_id uuid,
  created_by uuid references people,
  occurred_at timestamptz not null default business_now(),
  posted_at timestamptz check ((posted_at is null) = (status = 'pending')),
  -- A pending row whose payment came to nothing leaves the feed, and stays for cursors that name it.
  discarded_at timestamptz check (discarded_at is null or status = 'pending'),
  seq bigint not null default 0,
  feed_at timestamptz not null generated always as (coalesce(posted_at, 'infinity')) stored
);
-- whatever the feed is filtered by stands in the index that it is read by: a rare match is found without its rows
create index transactions_feed on transactions (organization_id, feed_at desc, seq desc, id desc)
  include (type, direction, currency, amount, payment_contact_id, category, created_by, occurred_at)
  where discarded_at is null;
create index transactions_payment on transactions (payment_id, organization_id);
create index transactions_deposit on transactions (deposit_id) where deposit_id is not null;
create index transactions_swap on transactions (swap_id) where swap_id is not null;
call isolate('transactions', definer => 'writes');
grant select, insert, update (status, running_balance, category, internal_notes, posted_at, discarded_at, seq) on
  transactions to business_finance_app;
grant select, insert on transactions to business_finance_definer;

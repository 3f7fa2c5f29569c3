-- Who is paid, what waits for a decision, payments, deposits, and the feed that shows them.

create table payment_contacts (
  id uuid primary key,
  organization_id uuid not null references organizations,
  name text not null,
  type text not null check (type in ('business', 'individual')),
  email text,
  tag text check (tag in ('vendor', 'own_account', 'employee', 'other')),
  status text not null default 'active' check (status in ('active', 'pending_approval', 'archived')),
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  deleted_at timestamptz
);
create index payment_contacts_list on payment_contacts (organization_id, inserted_at desc, id desc);

-- Coordinates never change: another destination is added instead. svc_id keeps the organization it meant when added.
create table payment_destinations (
  id uuid primary key default uuidv7(),
  organization_id uuid not null references organizations,
  payment_contact_id uuid not null references payment_contacts,
  type text not null check (type in ('svc_id', 'bank', 'crypto')),
  label text,
  svc_id text,
  payee_organization_id uuid references organizations,
  is_default boolean not null default false,
  inserted_at timestamptz not null default business_now(),
  deleted_at timestamptz,
  check ((type = 'svc_id') = (svc_id is not null and payee_organization_id is not null))
);
create index payment_destinations_contact on payment_destinations (payment_contact_id, inserted_at, id);

create table approvals (
  id uuid primary key,
  organization_id uuid not null references organizations,
  action_type text not null check (action_type in
    ('withdrawal', 'billing_invoice', 'payment_contact', 'organization_invitation', 'payment_batch')),
  target_type text not null check (target_type in ('crypto_outgoing', 'fiat_outgoing', 'internal_transfer',
    'billing_invoice', 'payment_contact', 'organization_invitation', 'payment_batch')),
  target_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  policy jsonb not null, -- the rule that applied when it was asked for; a later policy changes nothing here
  subject_hash text not null, -- what a step-up is bound to: amount and payee
  summary text,
  requester_id uuid not null references people,
  approver_id uuid references people,
  rejection_reason text,
  expires_at timestamptz not null,
  processed_at timestamptz,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
) with (fillfactor = 80);
create index approvals_list on approvals (organization_id, inserted_at desc, id desc);
create index approvals_pending on approvals (organization_id, inserted_at desc, id desc) where status = 'pending';
create index approvals_due on approvals (expires_at) where status = 'pending';

-- One row for each decision ever recorded, by the id the API gave it: a repeat gets the recorded verdict.
create table approval_decisions (
  decision_id uuid primary key,
  organization_id uuid not null references organizations,
  approval_id uuid not null references approvals,
  decision text not null check (decision in ('approve', 'reject', 'cancel', 'expire')),
  user_id uuid references people,
  step_up_id uuid references step_ups,
  factor text,
  device_id uuid,
  comment text,
  approval_status text not null,
  occurred_at timestamptz not null default business_now()
);
create index approval_decisions_approval on approval_decisions (approval_id, occurred_at);

create table payments (
  id uuid primary key,
  organization_id uuid not null references organizations,
  payment_contact_id uuid not null references payment_contacts,
  destination_id uuid not null references payment_destinations,
  destination_name text not null,
  payee_organization_id uuid references organizations,
  approval_request_id uuid references approvals,
  payment_batch_id uuid,
  quote_id uuid,
  transaction_id uuid, -- the feed row, once there is one
  feed_id uuid not null default uuidv7(), -- the id that the feed row will have
  event_id uuid not null,
  rail text not null check (rail in ('fiat', 'crypto', 'svc_id')),
  status text not null check (status in ('awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling',
    'succeeded', 'failed', 'reversed', 'cancelled')),
  status_detail text not null,
  deducting_amount numeric not null check (deducting_amount > 0),
  deducting_currency text not null,
  landing_amount numeric not null check (landing_amount > 0),
  landing_currency text not null,
  payout_reason text not null,
  statement_description text not null,
  internal_notes text,
  tag text check (tag in ('vendor', 'own_account', 'employee', 'other')),
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
) with (fillfactor = 80);
create index payments_list on payments (organization_id, inserted_at desc, id desc);
create index payments_driven on payments (updated_at)
  where status in ('awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling');

create table deposits (
  id uuid primary key,
  organization_id uuid not null references organizations,
  rail text not null check (rail in ('fiat', 'crypto')),
  status text not null check (status in ('held', 'credited', 'returned')),
  amount numeric not null check (amount > 0),
  currency text not null,
  source jsonb,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
);
create index deposits_list on deposits (organization_id, inserted_at desc, id desc);

-- The feed. Posted rows stand in the order of the ledger; pending ones come first and have no running balance.
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
  created_by uuid references people,
  occurred_at timestamptz not null default business_now(),
  posted_at timestamptz check ((posted_at is null) = (status = 'pending')),
  seq bigint not null default 0,
  feed_at timestamptz not null generated always as (coalesce(posted_at, 'infinity')) stored
);
create index transactions_feed on transactions (organization_id, feed_at desc, seq desc, id desc);
create index transactions_payment on transactions (payment_id, organization_id);

grant select, insert, update on payment_contacts, payment_destinations, approvals, payments, deposits, transactions
  to business_finance_app;
grant select, insert on approval_decisions to business_finance_app;

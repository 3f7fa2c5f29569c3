-- Money that goes out, and what was offered for it.

-- An offer for a payment: it moves no money, is valid for some minutes, and is used once.
create table payment_quotes (
  id uuid primary key,
  organization_id uuid not null references organizations,
  payment_contact_id uuid not null references payment_contacts,
  destination_id uuid not null references payment_destinations,
  rail text not null check (rail in ('fiat', 'crypto', 'svc_id')),
  side text not null check (side in ('deducting', 'landing')),
  deducting_amount numeric not null check (deducting_amount > 0),
  deducting_currency text not null,
  landing_amount numeric not null check (landing_amount > 0),
  landing_currency text not null,
  fee_amount numeric not null check (fee_amount >= 0), -- in the deducting currency, part of the deducting amount
  fees jsonb not null, -- by name, as they were shown
  rate text, -- landing for each unit of deducting less fees; null where both are one currency
  value_usd numeric check (value_usd >= 0), -- what is exchanged is worth so much
  tag text check (tag in ('vendor', 'own_account', 'employee', 'other')),
  created_by uuid not null references people,
  payment_id uuid unique, -- the payment that used it
  inserted_at timestamptz not null default business_now(),
  expires_at timestamptz not null,
  check (fee_amount < deducting_amount),
  check ((rate is null) = (value_usd is null))
);
create index payment_quotes_unused on payment_quotes (expires_at) where payment_id is null;
call isolate('payment_quotes', definer => 'reads');
grant select, insert, update (payment_id) on payment_quotes to business_finance_app;
grant select, update, delete on payment_quotes to business_finance_definer;

-- A payment of an organization.
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
  fee_amount numeric not null default 0 check (fee_amount >= 0), -- part of the deducting amount
  rate text,
  fee_feed_id uuid, -- the id that the feed row of the fee has
  partner_version integer not null default -1, -- of what the partner said last; an older word changes nothing
  partner_reference text, -- the partner's own: of a bank its reference, of a custodian the transaction's hash
  custody_decided boolean not null default false,
  callbacks_received integer not null default 0, -- of its partner
  callbacks_processed integer not null default 0, -- of them, those after which the partner was asked
  -- A callback names the version that it is about: what the partner said before that is not what it called about.
  callback_version integer not null default -1,
  created_by uuid not null references people,
  ask_at timestamptz, -- when its partner is asked again; null is at once
  asks integer not null default 0, -- how often it was asked without anything new
  unclear_since timestamptz, -- since when nobody knows whether it took what it was asked for
  ask_note text, -- what the latest try came to
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
) with (fillfactor = 80);
create index payments_list on payments (organization_id, inserted_at desc, id desc);
-- payments to a contact, and of them those that go on
create index payments_contact on payments (payment_contact_id)
  where status in ('awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling');
create index payments_with_callbacks on payments (updated_at) where callbacks_received > callbacks_processed;
-- whether anything was paid to a destination before, and the same today
create index payments_destination on payments (destination_id, inserted_at);
-- what is on hold is counted from these few rows
create index payments_on_hold on payments (organization_id, created_by) where status = 'on_hold';
call isolate('payments', definer => 'writes');
grant select, insert, update (status, status_detail, transaction_id, internal_notes, tag, partner_version,
  partner_reference, custody_decided, callbacks_processed, ask_at, asks, unclear_since, updated_at) on payments to
  business_finance_app;
grant select, update on payments to business_finance_definer;

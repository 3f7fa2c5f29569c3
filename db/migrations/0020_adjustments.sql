-- What two operators decide to book.

-- A booking that one operator proposes and another confirms: where a partner contradicts what it said before, what an
-- organization owes for that, what was paid outside for one that is gone. `clearing`, `receivable`, `available` and
-- `payable` are what these accounts are credited with, in its currency.
create table adjustments (
  id uuid primary key,
  organization_id uuid not null references organizations,
  kind text not null check (kind in ('payment', 'deposit', 'collection', 'disbursement')),
  status text not null check (status in ('proposed', 'confirmed', 'withdrawn')),
  payment_id uuid references payments,
  deposit_id uuid references deposits,
  own_status text, -- of the payment or deposit, once this is booked
  -- as its partner lists it: what this makes the books agree with, and nothing else
  partner_status text,
  partner_amount numeric,
  partner_currency text,
  currency text not null,
  clearing numeric not null, -- of the payment's or deposit's rail: what left, and the books had not
  receivable numeric not null, -- below zero: the organization owes so much more
  available numeric not null,
  payable numeric not null,
  refunded_fee numeric not null, -- from fees to available, in the currency that the payment deducted
  reason text not null,
  reference text, -- of the payment that was made outside
  proposed_by uuid not null references people,
  confirmed_by uuid references people,
  confirmed_at timestamptz,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check (clearing + receivable + available + payable = 0),
  -- a partner's word never takes what an organization has; only what it owes is collected, and only all is paid outside
  check (case kind
    when 'collection' then available < 0 and receivable > 0 and clearing = 0 and payable = 0
    when 'disbursement' then available < 0 and payable > 0 and clearing = 0 and receivable = 0 and reference is not null
    else available >= 0 and payable = 0 and own_status is not null and partner_status is not null
      and partner_amount is not null and partner_currency is not null end),
  check ((kind = 'payment') = (payment_id is not null)),
  check ((kind = 'deposit') = (deposit_id is not null)),
  check (refunded_fee = 0 or kind = 'payment' and refunded_fee > 0),
  check ((status = 'confirmed') = (confirmed_by is not null and confirmed_at is not null)),
  check (confirmed_by <> proposed_by)
);
create index adjustments_organization on adjustments (organization_id, currency);
create index adjustments_payment on adjustments (payment_id) where payment_id is not null;
create index adjustments_deposit on adjustments (deposit_id) where deposit_id is not null;
-- one proposal at a time about the same
create unique index adjustments_proposed
  on adjustments (organization_id, kind, coalesce(payment_id, deposit_id), currency) nulls not distinct
  where status = 'proposed';
call isolate('adjustments', definer => 'reads');
-- what was proposed is what is confirmed
grant select, insert, update (status, confirmed_by, confirmed_at, updated_at) on adjustments to business_finance_app;
grant select on adjustments to business_finance_definer;

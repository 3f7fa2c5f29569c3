-- Payouts of which a part came back, and charges of partners.

-- What came back of a payment that was returned, in the currency that had arrived; null for all of it.
alter table payments add column returned_amount numeric check (returned_amount >= 0);
grant update (returned_amount) on payments to business_finance_app;

-- A charge of a partner: an entry of the ledger moves it from the connection's clearing to its account of charges. It is
-- booked once by its id, which is made of the payment and the name, or of the partner's own id.
create table partner_charges (
  id uuid primary key,
  organization_id uuid not null references organizations,
  connection text not null,
  payment_id uuid references payments,
  name text not null, -- `kept` from a return, which the customer bears; else the status of the payout that named it
  reference text, -- the partner's own
  amount numeric not null check (amount > 0),
  currency text not null,
  posted_at timestamptz not null default business_now()
);
create index partner_charges_payment on partner_charges (payment_id) where payment_id is not null;
create index partner_charges_posted on partner_charges (posted_at desc, id desc);
call isolate('partner_charges', definer => 'reads');
grant select, insert on partner_charges to business_finance_app;
grant select on partner_charges to business_finance_definer;

-- Kept of what came back, in the currency that had arrived.
alter table transactions add column charges_amount numeric, add column charges_currency text;

-- As the partner lists it; null if it says nothing about the amount.
alter table partner_records add column returned_amount numeric, add column returned_currency text;
grant update (returned_amount, returned_currency) on partner_records to business_finance_app;
alter table adjustments add column partner_returned_amount numeric;

-- The stand-ins' payouts say it, too.
alter table sandbox_payouts add column returned jsonb, add column charges jsonb;
grant update (returned, charges) on sandbox_payouts to business_finance_app;

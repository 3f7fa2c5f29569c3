-- Payers that orders to partners name.

-- Who pays, as an order to a partner names it. It never changes: an organization that moves gets another one, and a
-- payment keeps the one that it was made with, so that a repeated order is the same.
create table payers (
  id uuid primary key, -- made of its content: an organization has each once
  organization_id uuid not null references organizations,
  name text not null,
  address jsonb not null,
  sent jsonb not null, -- name and address in the letters of banks
  inserted_at timestamptz not null default business_now(),
  unique (id, organization_id)
);
call isolate('payers');
grant select, insert on payers to business_finance_app;

alter table payments
  add column payer_id uuid, -- as it was when the payment was made; null of former ones
  add column payer_account_id uuid references receiving_accounts not enforced, -- of the payer at the partner
  add foreign key (payer_id, organization_id) references payers (id, organization_id);

alter table sandbox_payouts
  add column payer jsonb, -- as the order named them
  add column payee jsonb;

-- Postal addresses of payees, which banks ask for.

-- An address of a payee. It never changes: a contact gets another one, and a payment keeps the one that it was made with.
create table payee_addresses (
  id uuid primary key,
  organization_id uuid not null references organizations,
  sealed bytea not null, -- with its id, so that no two can be exchanged
  fingerprint bytea not null, -- equal where the address is: an HMAC; approvals name it, so it stays
  inserted_at timestamptz not null default business_now(),
  unique (id, organization_id)
);
call isolate('payee_addresses', definer => 'reads');
grant select, insert, update (sealed) on payee_addresses to business_finance_app;
grant select on payee_addresses to business_finance_definer;

alter table payment_contacts
  add column payee_address_id uuid,
  add foreign key (payee_address_id, organization_id) references payee_addresses (id, organization_id);
grant update (payee_address_id) on payment_contacts to business_finance_app;

alter table payment_destinations
  add column payee_address_id uuid, -- instead of its contact's
  add foreign key (payee_address_id, organization_id) references payee_addresses (id, organization_id),
  add constraint payment_destinations_address_check check (payee_address_id is null or type = 'bank');
-- the bank accounts of which no address is known, unless their contact has one
create index payment_destinations_without_address on payment_destinations (organization_id, payment_contact_id)
  where type = 'bank' and payee_address_id is null and deleted_at is null;

alter table payments
  add column payee_address_id uuid, -- as it was when the payment was made
  add foreign key (payee_address_id, organization_id) references payee_addresses (id, organization_id),
  add constraint payments_address_check check (payee_address_id is null or rail = 'fiat');

alter table payment_batch_rows
  add column address_fingerprint bytea, -- of the address that the cells name
  add column payee_address_id uuid references payee_addresses not enforced; -- of the contact that the row pays
grant update (address_fingerprint, payee_address_id) on payment_batch_rows to business_finance_app;

-- With the addresses of rows that have one; rows without are hashed as they were before.
create or replace function batch_rows_hash(batch uuid) returns text
language sql stable
as $$
  select encode(sha256(coalesce(string_agg(sha256(convert_to((jsonb_build_array(r.id, r.row_number, r.payee, r.svc_id,
    r.payee_organization_id, r.payment_contact_id, r.destination_id, encode(r.fingerprint, 'hex'), r.rail, r.amount,
    r.currency, r.fee_amount, r.payout_reason, r.statement_description, r.internal_notes, r.reference)
    || case when r.address_fingerprint is null and r.payee_address_id is null then '[]'::jsonb
      else jsonb_build_array(encode(r.address_fingerprint, 'hex'), r.payee_address_id) end)::text, 'UTF8')),
    ''::bytea order by r.row_number), ''::bytea)), 'hex')
  from payment_batch_rows r where r.payment_batch_id = batch and r.errors = '[]'
$$;

alter table sandbox_payouts add column payee_address jsonb; -- as the order named it

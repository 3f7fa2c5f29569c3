-- Runs: bills that rows of a batch pay, and credit notes that are set against them.

alter table payment_batch_rows
  add column bill_id uuid references bills, -- that the row pays
  add column named_destination_id uuid, -- account of the contact: not its default one, or known under another name
  add column named_address_id uuid; -- address of the payee by the bill, where its contact has none
grant update (named_destination_id, named_address_id) on payment_batch_rows to business_finance_app;
-- a bill is in one run until it is paid there, or has left it
create unique index payment_batch_rows_bill_once on payment_batch_rows (bill_id)
  where bill_id is not null and payment_id is null and status <> 'skipped';
create index payment_batch_rows_bill on payment_batch_rows (bill_id) where bill_id is not null;
create index payment_batch_rows_of_bills on payment_batch_rows (payment_batch_id, row_number) where bill_id is not null;

-- A credit note that lowers what a row of a batch pays for a bill.
create table payment_batch_credits (
  row_id uuid not null references payment_batch_rows on delete cascade,
  bill_id uuid not null references bills, -- the credit note
  organization_id uuid not null references organizations,
  amount numeric not null check (amount > 0), -- what the bill costs less
  inserted_at timestamptz not null default business_now(),
  primary key (row_id, bill_id)
);
create index payment_batch_credits_bill on payment_batch_credits (bill_id);
call isolate('payment_batch_credits', definer => 'reads');
grant select, insert on payment_batch_credits to business_finance_app;
grant select on payment_batch_credits to business_finance_definer;

alter table payment_batches add column execute_on date; -- day that its bills are to be paid on; null: none was named
grant update (execute_on) on payment_batches to business_finance_app;

-- With the bills of rows, their papers and their credit notes; rows without a bill are hashed as they were before.
create or replace function batch_rows_hash(batch uuid) returns text
language sql stable
as $$
  select encode(sha256(coalesce(string_agg(sha256(convert_to((jsonb_build_array(r.id, r.row_number, r.payee, r.svc_id,
    r.payee_organization_id, r.payment_contact_id, r.destination_id, encode(r.fingerprint, 'hex'), r.rail, r.amount,
    r.currency, r.fee_amount, r.payout_reason, r.statement_description, r.internal_notes, r.reference)
    || case when r.address_fingerprint is null and r.payee_address_id is null then '[]'::jsonb
      else jsonb_build_array(encode(r.address_fingerprint, 'hex'), r.payee_address_id) end
    || case when r.bill_id is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object('bill', r.bill_id,
      'paper', (select b.file_sha256 from bills b where b.id = r.bill_id), 'credits', (
        select jsonb_agg(jsonb_build_array(c.bill_id, c.amount, b.file_sha256) order by c.bill_id)
        from payment_batch_credits c join bills b on b.id = c.bill_id where c.row_id = r.id))) end)::text, 'UTF8')),
    ''::bytea order by r.row_number), ''::bytea)), 'hex')
  from payment_batch_rows r where r.payment_batch_id = batch and r.errors = '[]'
$$;

-- Payments that come in one file, and are approved as one.

-- A file of payments: imported, looked through, approved as a whole, paid row by row.
create table payment_batches (
  id uuid primary key,
  organization_id uuid not null references organizations,
  name text not null,
  status text not null default 'draft' check (status in ('draft', 'importing', 'awaiting_approval', 'processing',
    'cancelling', 'completed', 'partially_completed', 'failed', 'cancelled')),
  approval_request_id uuid references approvals,
  file_id uuid, -- that its rows come from
  importing_file_id uuid, -- that is being imported
  import_error jsonb, -- why the file that was imported last could not be read: line, code, message
  -- of the rows as they are now; what became of their payments is counted from these until the batch ends
  rows_total integer not null default 0,
  rows_valid integer not null default 0,
  rows_invalid integer not null default 0,
  rows_skipped integer not null default 0,
  rows_succeeded integer,
  rows_failed integer,
  columns text[] not null default '{}', -- of the file, in the order of its header, and then those that people have added
  separator text not null default ',' check (separator in (',', ';')), -- of the cells of that file
  rows_imported integer not null default 0, -- how far the import is
  rows_begun integer not null default 0, -- the number of the last row that has a payment, in the order of the file
  totals jsonb not null default '[]', -- of the valid rows, amount and currency for each currency
  fees jsonb not null default '[]', -- the same of their fees, once it was submitted
  created_by uuid not null references people,
  submitted_by uuid references people,
  submitted_at timestamptz,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  deleted_at timestamptz,
  unique (id, organization_id)
) with (fillfactor = 80);
create index payment_batches_list on payment_batches (organization_id, inserted_at desc, id desc);
create index payment_batches_drafts on payment_batches (organization_id) where status = 'draft' and deleted_at is null;
call isolate('payment_batches', definer => 'reads');
grant select, insert, update (status, approval_request_id, file_id, importing_file_id, import_error, rows_total, rows_valid,
  rows_invalid, rows_skipped, rows_succeeded, rows_failed, columns, separator, rows_imported, rows_begun, totals, fees,
  submitted_by, submitted_at, updated_at, deleted_at) on payment_batches to business_finance_app;
grant select on payment_batches to business_finance_definer;

-- A data row of a batch's file. Once it has a payment, what becomes of it stands there.
create table payment_batch_rows (
  id uuid primary key,
  organization_id uuid not null,
  payment_batch_id uuid not null,
  row_number integer not null check (row_number > 0), -- among the data rows of the file
  line integer not null check (line > 0), -- of the file, on which the row begins
  sealed bytea not null, -- its cells as they were written, with its id, so that no two can be exchanged
  status text not null check (status in ('valid', 'invalid', 'skipped')),
  errors jsonb not null, -- column, code and message of each
  warnings jsonb not null,
  cell_errors jsonb not null, -- those errors that the cells have by themselves, whoever they name
  -- what the cells say; null if they do not say it
  payee text, -- the name that is shown
  svc_id text,
  named_contact_id uuid, -- whether or not there is such a contact
  fingerprint bytea, -- of the bank account that the cells name, as destinations have it
  -- whom that means
  payee_key text, -- equal where the payee is: their organization, or the fingerprint of their account
  payee_organization_id uuid, -- no reference as long as nobody is paid
  payment_contact_id uuid references payment_contacts not enforced, -- by itself each of 50,000: batch_rows_refer() does
  destination_id uuid references payment_destinations not enforced,
  rail text check (rail in ('fiat', 'svc_id')),
  amount numeric check (amount > 0),
  currency text,
  payout_reason text,
  statement_description text,
  internal_notes text,
  reference text,
  fee_amount numeric check (fee_amount >= 0), -- by the fee table when the batch was submitted, on top of the amount
  payment_id uuid references payments,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  foreign key (payment_batch_id, organization_id) references payment_batches (id, organization_id) not enforced,
  unique (payment_batch_id, row_number),
  -- one that was skipped without an error was approved with its batch
  check ((status = 'valid') <= (errors = '[]') and (status = 'invalid') <= (errors <> '[]')),
  check (payment_id is null or status = 'valid'),
  check ((payment_contact_id is null) = (destination_id is null)),
  constraint payment_batch_rows_payable_check check (status <> 'valid' or (payee is not null and rail is not null
    and amount is not null and currency is not null and payout_reason is not null and statement_description is not null
    and case rail when 'svc_id' then payee_organization_id is not null
      else destination_id is not null or fingerprint is not null end))
);
create unique index payment_batch_rows_payment on payment_batch_rows (payment_id) where payment_id is not null;
create index payment_batch_rows_unpaid on payment_batch_rows (payment_batch_id, status, row_number) where status <> 'valid';
call isolate('payment_batch_rows', definer => 'reads');
grant select, insert, delete, update (sealed, status, errors, warnings, cell_errors, payee, svc_id, named_contact_id,
  fingerprint, payee_key, payee_organization_id, payment_contact_id, destination_id, rail, amount, currency,
  payout_reason, statement_description, internal_notes, reference, fee_amount, payment_id, updated_at)
  on payment_batch_rows to business_finance_app;
grant select on payment_batch_rows to business_finance_definer;

alter table payments add foreign key (payment_batch_id) references payment_batches;
create index payments_batch on payments (payment_batch_id, status) where payment_batch_id is not null;

-- The id of what is made for a row: its payment, and the contact and destination of a payee that is named in the file
-- alone. Derived, so that a row has one of each.
create function batch_row_part(batch_row uuid, part text) returns uuid
language sql immutable
as $$ select encode(substring(sha256(convert_to(batch_row::text || ':' || part, 'UTF8')) for 16), 'hex')::uuid $$;
grant execute on function batch_row_part(uuid, text) to business_finance_app, business_finance_definer;

-- The SHA-256 over all rows of a batch that are approved with it, in their order: all that is paid, to whom and why.
-- Approvals keep it, so it is made in this way for ever.
create function batch_rows_hash(batch uuid) returns text
language sql stable
as $$
  select encode(sha256(coalesce(string_agg(sha256(convert_to(jsonb_build_array(r.id, r.row_number, r.payee, r.svc_id,
    r.payee_organization_id, r.payment_contact_id, r.destination_id, encode(r.fingerprint, 'hex'), r.rail, r.amount,
    r.currency, r.fee_amount, r.payout_reason, r.statement_description, r.internal_notes, r.reference)::text, 'UTF8')),
    ''::bytea order by r.row_number), ''::bytea)), 'hex')
  from payment_batch_rows r where r.payment_batch_id = batch and r.errors = '[]'
$$;
grant execute on function batch_rows_hash(uuid) to business_finance_app, business_finance_definer;

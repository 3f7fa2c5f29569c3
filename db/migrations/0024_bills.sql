-- Bills that people upload or type, read, checked and paid.

-- What somebody wants to be paid for, as far as it is known: read from a file, typed, or not there yet.
create table bills (
  id uuid primary key,
  organization_id uuid not null references organizations,
  status text not null check (status in ('extracting', 'extracted', 'payment_requested', 'cancelled')),
  file_id uuid,
  file_sha256 text,
  amount numeric, -- all that is to be paid; negative on a credit note
  currency text,
  bill_number text,
  supplier_name text,
  supplier_tax_id text,
  payment_reference text,
  issue_date date,
  due_date date,
  tax_total numeric, -- all tax in the amount, with its sign
  line_items jsonb not null default '[]', -- what XML charges for, line by line
  sealed bytea, -- the bank details, with the bill's id, so that no two can be exchanged; null: there are none
  fingerprint bytea, -- of the account that they name, as destinations have it; null: they name none as yet
  -- why it is not to be paid
  not_payable text
    check (not_payable in ('credit_note', 'direct_debit', 'card', 'pro_forma', 'paid', 'own_invoice')),
  bank_details_differ boolean not null default false, -- from those of earlier bills of the supplier, or of the contact
  doubts jsonb not null default '[]', -- what the reading left empty, or a person should look at
  origins jsonb not null default '{}', -- of each field the event that brought its value, and whether a person typed it
  -- of tax id, name and number what is equal if they are, without what people write differently
  tax_key text,
  name_key text,
  number_key text,
  words text not null default '', -- that a search looks through: in lower case, without accents
  bank_changed_at timestamptz, -- when a person typed bank details last; null: only a reading has written them
  payment_contact_id uuid references payment_contacts,
  approval_request_id uuid references approvals,
  payment_id uuid references payments,
  tries integer not null default 0, -- of reading it, begun since that was asked for
  ask_at timestamptz, -- when it is read again
  asks integer not null default 0,
  ask_note text,
  unclear_since timestamptz,
  unreadable text, -- why it is given up, which is the next step of its run
  extraction_failed_at timestamptz,
  extraction_error text, -- why it was given up
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  unique (id, organization_id),
  check ((file_id is null) = (file_sha256 is null)),
  check (status <> 'extracting' or file_id is not null),
  check ((status = 'payment_requested') = (payment_id is not null)),
  check ((payment_id is null) = (approval_request_id is null))
) with (fillfactor = 80);
create index bills_list on bills (organization_id, inserted_at desc, id desc);
create index bills_file on bills (organization_id, file_sha256) where file_sha256 is not null;
create index bills_tax on bills (organization_id, tax_key) where tax_key is not null;
create index bills_name on bills (organization_id, name_key) where name_key is not null;
-- what is to be paid, by when
create index bills_due on bills (organization_id, due_date) where status = 'extracted';
call isolate('bills', definer => 'writes');
grant select, insert, update (status, amount, currency, bill_number, supplier_name, supplier_tax_id, payment_reference,
  issue_date, due_date, tax_total, line_items, sealed, fingerprint, not_payable, bank_details_differ, doubts, origins, tax_key, name_key, number_key, words, bank_changed_at,
  payment_contact_id, approval_request_id, payment_id, tries, ask_at, asks, ask_note, unclear_since,
  unreadable, extraction_failed_at, extraction_error, updated_at) on bills to business_finance_app;
grant select, update on bills to business_finance_definer;

-- What one way of reading found in a bill's file: where each value stands. Its id is that of its evidence event.
create table bill_readings (
  id uuid primary key,
  organization_id uuid not null,
  bill_id uuid not null,
  method text not null,
  sealed bytea not null, -- the fields that it found: bank details are among them
  inserted_at timestamptz not null default business_now(),
  foreign key (bill_id, organization_id) references bills (id, organization_id)
);
create index bill_readings_bill on bill_readings (bill_id, inserted_at);
call isolate('bill_readings', definer => 'reads');
grant select, insert, update (sealed) on bill_readings to business_finance_app;
grant select on bill_readings to business_finance_definer;

-- What reading found in a bill's file, until it is merged into the bill, which deletes it.
create table bill_findings (
  id uuid primary key,
  organization_id uuid not null,
  bill_id uuid not null unique,
  asks_model boolean not null, -- for what is missing, before it is merged
  times_away integer not null default 0, -- how often the model was
  sealed bytea not null, -- what each reader found, and the pages that the model is shown
  inserted_at timestamptz not null default business_now(),
  foreign key (bill_id, organization_id) references bills (id, organization_id)
);
call isolate('bill_findings', definer => 'reads');
grant select, insert, update (asks_model, times_away, sealed), delete on bill_findings to business_finance_app;
grant select on bill_findings to business_finance_definer;

alter table payments add column bill_id uuid references bills;
create index payments_bill on payments (bill_id) where bill_id is not null;
-- no bill is paid twice, whatever asks for it
create unique index payments_bill_once on payments (bill_id)
  where bill_id is not null and status not in ('cancelled', 'failed', 'reversed');

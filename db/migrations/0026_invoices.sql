-- Invoices that organizations write to their customers, and what pays them.

-- An invoice to a customer: a draft, then sent under a number, and open until it is paid.
create table invoices (
  id uuid primary key,
  organization_id uuid not null references organizations,
  status text not null check (status in ('draft', 'awaiting_approval', 'sent', 'finalized', 'paid')),
  billing_contact_id uuid not null,
  sequence integer check (sequence > 0), -- of those that the organization sent: 1, 2, 3, … without a gap
  number text, -- the sequence as customers read it
  currency text not null,
  issue_date date not null,
  delivery_date date, -- null: the issue date
  due_date date not null check (due_date >= issue_date),
  profile text not null check (profile in ('none', 'en16931', 'xrechnung')),
  line_items jsonb not null, -- each with its total
  taxes jsonb not null, -- by category and rate
  net_total numeric not null,
  tax_total numeric not null,
  total numeric not null check (total >= 0),
  accepted_amount numeric check (accepted_amount <= total),
  allocated numeric not null default 0 check (allocated >= 0), -- the sum of its allocations
  paid_elsewhere_at timestamptz, -- when a person said so; null: its allocations pay it
  comments text,
  internal_description text,
  internal_reference_number text,
  buyer_reference text,
  reference_keys text[] not null default '{}', -- of number and references, as payers name it: only letters and digits
  own_words tsvector not null, -- that a search finds it by, beside those of its contact
  document jsonb, -- as the customer was sent it: nothing of it changes afterwards
  page_token_hash bytea unique, -- of the token of its public page; null: there is none, or it was revoked
  page_token_sealed bytea,
  mail_to text[], -- the addresses of its customer when it was sent, which were counted then; no other is mailed of itself
  mailed_at timestamptz, -- when its customer was mailed, or had no address that it could be mailed to
  reminded_day integer, -- the latest reminder that was sent, in days after the due date
  reminder_waits_until timestamptz, -- a reminder that is due found no room in the limits of mails to customers until then
  pdf_file_id uuid,
  xml_file_id uuid,
  ask_at timestamptz, -- when its documents are tried again
  asks integer not null default 0,
  ask_note text,
  unclear_since timestamptz,
  approval_request_id uuid references approvals,
  submitted_by uuid references people,
  created_by uuid references people,
  sent_at timestamptz,
  finalized_at timestamptz,
  completed_at timestamptz,
  paid_at timestamptz check ((paid_at is null) = (status <> 'paid')),
  deleted_at timestamptz check (deleted_at is null or status = 'draft'), -- a draft that was deleted stays for cursors
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  unique (organization_id, sequence),
  unique (id, organization_id),
  foreign key (billing_contact_id, organization_id) references billing_contacts (id, organization_id),
  check ((status in ('draft', 'awaiting_approval')) = (number is null)),
  check (num_nulls(sequence, number, sent_at, document, mail_to) in (0, 5)),
  check ((page_token_hash is null) = (page_token_sealed is null)),
  check (paid_elsewhere_at is null or status = 'paid')
) with (fillfactor = 80, toast_tuple_target = 640); -- the document and long lines are kept beside: lists pass many rows
create index invoices_list on invoices (organization_id, inserted_at desc, id desc) where deleted_at is null;
create index invoices_state on invoices (organization_id, status, inserted_at desc, id desc) where deleted_at is null;
create index invoices_own on invoices (organization_id, created_by, inserted_at desc, id desc) where deleted_at is null;
create index invoices_contact on invoices (billing_contact_id);
create index invoices_open on invoices (organization_id, currency, due_date) where status in ('sent', 'finalized');
-- what incoming money may pay: by what its payer calls it, and by what is due
create index invoices_named on invoices using gin (reference_keys) where status in ('sent', 'finalized');
create index invoices_due on invoices (organization_id, currency, (coalesce(accepted_amount, total) - allocated))
  where status in ('sent', 'finalized');
create index invoices_paid_elsewhere on invoices (organization_id, currency, paid_elsewhere_at)
  where paid_elsewhere_at is not null;
call isolate('invoices', definer => 'writes');
grant select, insert, update (status, billing_contact_id, sequence, number, currency, issue_date, delivery_date, due_date, profile,
  line_items, taxes, net_total, tax_total, total, accepted_amount, allocated, paid_elsewhere_at, comments,
  internal_description, internal_reference_number, buyer_reference, reference_keys, own_words, document,
  page_token_hash, page_token_sealed, mail_to, mailed_at,
  reminded_day, reminder_waits_until, pdf_file_id, xml_file_id, ask_at, asks, ask_note, unclear_since, approval_request_id, submitted_by, sent_at,
  finalized_at, completed_at, paid_at, deleted_at, updated_at) on invoices to business_finance_app;
grant select on invoices to business_finance_definer;

-- The words that an invoice is found by, its customer's among them: a row is short, so that many are on a page. Triggers
-- write it. A draft that was deleted has none.
create table invoice_words (
  invoice_id uuid primary key,
  organization_id uuid not null,
  inserted_at timestamptz not null, -- the invoice's
  words tsvector not null, -- as words_within() writes them
  foreign key (invoice_id, organization_id) references invoices (id, organization_id)
);
create index invoice_words_list on invoice_words (organization_id, inserted_at desc, invoice_id desc);
-- at once: a list of what is to be added would be read by each search, and added by one writer in a second
create index invoice_words_words on invoice_words using gin (words) with (fastupdate = off);
call isolate('invoice_words', definer => 'reads');
grant select, insert, update (words) on invoice_words to business_finance_app;
grant select on invoice_words to business_finance_definer;

-- The last number that an organization gave: whoever sends an invoice takes the next one and keeps others waiting until
-- that is committed, so that none is missing.
create table invoice_numbers (
  organization_id uuid primary key references organizations,
  last integer not null check (last > 0)
);
call isolate('invoice_numbers', definer => 'reads');
grant select, insert, update (last) on invoice_numbers to business_finance_app;
grant select on invoice_numbers to business_finance_definer;

-- A mail about an invoice to one address of its customer.
create table invoice_mails (
  id uuid primary key,
  organization_id uuid not null,
  invoice_id uuid not null,
  kind text not null check (kind in ('invoice', 'reminder', 'resend')),
  reminder_day integer check ((reminder_day is null) = (kind <> 'reminder')), -- in days after the due date
  recipient text not null,
  status text not null check (status in ('queued', 'delivered', 'failed')), -- of the latest try
  message_id uuid not null unique, -- of the latest try; the message itself is kept for some weeks
  tries integer not null default 1,
  try_at timestamptz, -- when one that failed is tried again; null: not any more
  logged boolean not null default false, -- whether the log has what became of the latest try
  created_by uuid references people, -- null: the service
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  foreign key (invoice_id, organization_id) references invoices (id, organization_id)
);
create index invoice_mails_invoice on invoice_mails (invoice_id, inserted_at);
-- what of an invoice did not reach its customer
create index invoice_mails_open on invoice_mails (organization_id, inserted_at) where status <> 'delivered';
call isolate('invoice_mails', definer => 'writes');
grant select, insert, update (status, message_id, tries, try_at, logged, updated_at) on invoice_mails to business_finance_app;
grant select, update (status, updated_at) on invoice_mails to business_finance_definer;

-- What a transaction pays of an invoice. One that was taken back stays, for cursors and for who looks it up.
create table invoice_allocations (
  id uuid primary key,
  organization_id uuid not null,
  invoice_id uuid not null,
  transaction_id uuid not null references transactions,
  amount numeric not null check (amount > 0),
  created_by uuid references people, -- null: the service, which was certain
  taken_back_by uuid references people,
  taken_back_at timestamptz check ((taken_back_at is null) = (taken_back_by is null)),
  inserted_at timestamptz not null default business_now(),
  foreign key (invoice_id, organization_id) references invoices (id, organization_id)
);
create index invoice_allocations_invoice on invoice_allocations (invoice_id, inserted_at);
create index invoice_allocations_transaction on invoice_allocations (transaction_id) where taken_back_at is null;
call isolate('invoice_allocations', definer => 'reads');
grant select, insert, update (taken_back_by, taken_back_at) on invoice_allocations to business_finance_app;
grant select on invoice_allocations to business_finance_definer;

-- Money that came for an organization with open invoices in that currency: which of them it pays. Its id is that of its
-- transaction. The statement that posts it writes this row, so that none is missed.
create table incoming_payments (
  id uuid primary key references transactions,
  organization_id uuid not null,
  status text not null default 'matching' check (status in ('matching', 'allocated', 'proposed', 'unrelated')),
  candidates uuid[] not null default '{}', -- invoices that it may pay, the likeliest first
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check (status <> 'proposed' or candidates <> '{}')
);
-- what a person has to look at, or may say of an invoice; and what is looked at again when a candidate opens or closes
create index incoming_payments_open on incoming_payments (organization_id) where status in ('matching', 'proposed');
create index incoming_payments_candidates on incoming_payments (organization_id) where candidates <> '{}';
call isolate('incoming_payments', definer => 'writes');
grant select, update (status, candidates, updated_at) on incoming_payments to business_finance_app;
grant select, insert on incoming_payments to business_finance_definer;

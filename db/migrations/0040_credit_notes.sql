-- Credit notes: what an organization takes back of an invoice that it has sent.

-- A credit note of an invoice: a draft, then sent under a number of its own, and never taken back.
create table credit_notes (
  id uuid primary key,
  organization_id uuid not null references organizations,
  status text not null check (status in ('draft', 'awaiting_approval', 'sent')),
  invoice_id uuid not null,
  sequence integer check (sequence > 0), -- of those that the organization sent: 1, 2, 3, … without a gap
  number text, -- the sequence as customers read it
  reason text not null,
  issue_date date not null,
  line_items jsonb not null, -- each with its total
  discounts jsonb not null default '[]', -- of the whole credit note, each with its parts by tax
  charges jsonb not null default '[]', -- likewise
  discount_total numeric not null default 0,
  charge_total numeric not null default 0,
  taxes jsonb not null, -- by category and rate
  net_total numeric not null,
  tax_total numeric not null,
  total numeric not null check (total > 0), -- in the currency of the invoice
  document jsonb, -- as the customer was sent it: nothing of it changes afterwards
  mail_to text[], -- the addresses of the customer when it was sent, which were counted then
  mailed_at timestamptz, -- when the customer was mailed, or had no address
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
  deleted_at timestamptz check (deleted_at is null or status = 'draft'), -- a draft that was deleted stays for cursors
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  unique (organization_id, sequence),
  unique (id, organization_id),
  foreign key (invoice_id, organization_id) references invoices (id, organization_id),
  check ((status = 'sent') = (number is not null)),
  check (num_nulls(sequence, number, sent_at, document, mail_to) in (0, 5))
) with (fillfactor = 80, toast_tuple_target = 640);
create index credit_notes_list on credit_notes (organization_id, inserted_at desc, id desc) where deleted_at is null;
create index credit_notes_invoice on credit_notes (invoice_id, inserted_at desc, id desc) where deleted_at is null;
call isolate('credit_notes', definer => 'reads');
grant select, insert, update (status, sequence, number, reason, issue_date, line_items, discounts, charges,
  discount_total, charge_total, taxes, net_total, tax_total, total, document, mail_to, mailed_at, pdf_file_id,
  xml_file_id, ask_at, asks, ask_note, unclear_since, approval_request_id, submitted_by, sent_at, deleted_at, updated_at) on credit_notes to business_finance_app;
grant select on credit_notes to business_finance_definer;

-- Last number of the credit notes of an organization. A transaction that takes the next one makes others wait for its
-- commit.
create table credit_note_numbers (
  organization_id uuid primary key references organizations,
  last integer not null check (last > 0)
);
call isolate('credit_note_numbers', definer => 'reads');
grant select, insert, update (last) on credit_note_numbers to business_finance_app;
grant select on credit_note_numbers to business_finance_definer;

alter table organizations add column credit_note_prefix text not null default 'CN-'
  check (length(credit_note_prefix) <= 10);
grant update (credit_note_prefix) on organizations to business_finance_app;

-- What is credited of an invoice: the sum of its sent credit notes.
alter table invoices
  add column credited numeric not null default 0 check (credited >= 0 and credited <= total),
  add column settled_by text check (settled_by = 'credit'), -- of a paid one: a credit note left nothing due
  add column paid_elsewhere_amount numeric; -- what was due then; null before credit notes: all that was not allocated
grant update (credited, settled_by, paid_elsewhere_amount) on invoices to business_finance_app;
drop index invoices_due;
create index invoices_due on invoices
  (organization_id, currency, (coalesce(accepted_amount, total) - allocated - credited))
  where status in ('sent', 'finalized');

-- A mail about an invoice, or about a credit note.
alter table invoice_mails
  alter column invoice_id drop not null,
  add column credit_note_id uuid,
  add foreign key (credit_note_id, organization_id) references credit_notes (id, organization_id),
  add constraint invoice_mails_about check (num_nonnulls(invoice_id, credit_note_id) = 1),
  drop constraint invoice_mails_kind_check,
  add constraint invoice_mails_kind_check check (kind in ('invoice', 'credit_note', 'reminder', 'resend'));
create index invoice_mails_credit_note on invoice_mails (credit_note_id, inserted_at) where credit_note_id is not null;

-- What waits for approval as a credit note is answered as `billing_invoice`, whose id is that of the invoice.
alter table approvals
  drop constraint approvals_target_type_check,
  add constraint approvals_target_type_check check (target_type in ('crypto_outgoing', 'fiat_outgoing',
    'internal_transfer', 'billing_invoice', 'credit_note', 'payment_contact', 'organization_invitation',
    'payment_batch'));

-- Accounting programs get credit notes of the invoices that they have.
alter table accounting_items
  drop constraint accounting_items_kind_check,
  add constraint accounting_items_kind_check check (kind in ('transaction', 'bill', 'bill_payment', 'invoice',
    'credit_note', 'invoice_payment'));
alter table sandbox_accounting_items
  drop constraint sandbox_accounting_items_type_check,
  add constraint sandbox_accounting_items_type_check check (type in ('BankTransactions', 'BankTransfers', 'Contacts',
    'CreditNotes', 'Invoices', 'ManualJournals', 'Payments'));

drop function if exists end_invoice_mail(uuid, text); -- it answers more now
drop function if exists sandbox_invoice(uuid); -- it answers more now

-- Bills by mail: the addresses that take them, the mails, and what became of their files.

alter table files drop constraint files_purpose_check;
alter table files add constraint files_purpose_check
  check (purpose in ('payment_batch', 'bill', 'export', 'invoice', 'onboarding', 'attachment', 'inbound_mail'));

-- An address of an organization that takes bills by mail. Its token says whose it is; nobody can guess one.
create table bill_mailboxes (
  id uuid primary key,
  organization_id uuid not null references organizations,
  token text not null unique,
  name text not null,
  created_by uuid not null references people,
  ended_at timestamptz,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
);
create index bill_mailboxes_newest on bill_mailboxes (organization_id, inserted_at, id);
call isolate('bill_mailboxes', definer => 'reads');
grant select, insert, update (name, ended_at, updated_at) on bill_mailboxes to business_finance_app;
grant select on bill_mailboxes to business_finance_definer;

-- A mail that came to such an address. What it says of itself is foreign. Its bytes are a file that is encrypted under a
-- key of its own, and goes after the days of its retention.
create table inbound_mails (
  id uuid primary key,
  organization_id uuid not null references organizations,
  mailbox_id uuid not null references bill_mailboxes,
  status text not null default 'received' check (status in ('received', 'unknown_sender', 'mail_without_bill',
    'accepted', 'refused', 'duplicate')),
  file_id uuid not null,
  sealed_key bytea not null,
  sha256 text not null, -- of the mail itself, in hex
  byte_size integer not null,
  from_gateway boolean not null, -- it came by the gateway, whose results are believed
  envelope_from text,
  from_address text,
  from_name text,
  subject_line text,
  message_key text, -- hash of Message-ID and sender
  authentication jsonb,
  sender_is_known boolean not null default false, -- when it was read
  is_answered boolean not null default false, -- it may be, as no program wrote it
  without_bill text check (without_bill in ('no_file', 'no_bill_in_files', 'unreadable')),
  duplicate_of uuid references inbound_mails,
  decided_by uuid references people,
  tries integer not null default 0, -- of reading it
  ask_at timestamptz, -- when it is read again
  asks integer not null default 0,
  ask_note text,
  unclear_since timestamptz,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  unique (mailbox_id, sha256)
);
create index inbound_mails_newest on inbound_mails (organization_id, inserted_at, id);
create index inbound_mails_key on inbound_mails (organization_id, message_key);
create index inbound_mails_open on inbound_mails (organization_id) where status in ('unknown_sender', 'mail_without_bill');
call isolate('inbound_mails', definer => 'reads');
grant select on inbound_mails to business_finance_definer;
grant select, insert, update (status, from_address, from_name, subject_line, message_key, authentication, sender_is_known,
  is_answered, without_bill, duplicate_of, decided_by, tries, ask_at, asks, ask_note, unclear_since, sealed_key,
  updated_at) on inbound_mails to business_finance_app;

-- A file of a mail, and what it led to.
create table inbound_mail_files (
  id uuid primary key,
  organization_id uuid not null references organizations,
  mail_id uuid not null references inbound_mails,
  position integer not null,
  filename text not null,
  content_type text not null,
  byte_size integer not null,
  sha256 text not null,
  outcome text not null check (outcome in ('bill', 'known_bill', 'beside_xml', 'no_bill', 'too_large', 'too_many')),
  bill_id uuid references bills,
  unique (mail_id, position)
);
create index inbound_mail_files_bill on inbound_mail_files (bill_id) where bill_id is not null;
call isolate('inbound_mail_files');
grant select, insert on inbound_mail_files to business_finance_app;

-- A sender whose mails an organization takes at once, if the gateway proves their domain.
create table mail_senders (
  organization_id uuid not null references organizations,
  address text not null,
  accepted_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  primary key (organization_id, address)
);
call isolate('mail_senders');
grant select, insert on mail_senders to business_finance_app;

-- Nobody has prepared a bill that came by mail. One of a sender whom no person has accepted is read, and not paid.
alter table bills alter column created_by drop not null;
alter table bills add column inbound_mail_id uuid references inbound_mails;
alter table bills add column sender_is_unknown boolean not null default false;
grant update (sender_is_unknown) on bills to business_finance_app;

-- Stand-ins of banks by files. The lock of its row
-- makes several servers one bank.
create table sandbox_banks (
  partner text primary key,
  -- a batch is booked as one sum, without its payments
  books_sums boolean not null default false
);
grant select, insert, delete on sandbox_banks to business_finance_app;
grant update (books_sums) on sandbox_banks to business_finance_app;

-- Files that were taken. One that is not removed yet was left by a server that died.
create table sandbox_bank_messages (
  partner text not null,
  id uuid not null default uuidv7(),
  name text not null,
  hash text not null,
  message_id text,
  removed boolean not null default false,
  primary key (partner, id)
);
create index sandbox_bank_messages_message on sandbox_bank_messages (partner, message_id);
create index sandbox_bank_messages_left on sandbox_bank_messages (partner, name) where not removed;
grant select, insert, delete on sandbox_bank_messages to business_finance_app;
grant update (removed) on sandbox_bank_messages to business_finance_app;

-- Entries of the accounts: credits are positive. `statement` is the number of the one that has it.
create table sandbox_bank_entries (
  partner text not null,
  reference text not null,
  seq bigint generated always as identity,
  iban text not null,
  currency text not null,
  amount text not null,
  booked_on date not null,
  document jsonb not null,
  statement integer,
  primary key (partner, reference)
);
create index sandbox_bank_entries_open on sandbox_bank_entries (partner, iban, seq) where statement is null;
grant select, insert, delete on sandbox_bank_entries to business_finance_app;
grant update (statement) on sandbox_bank_entries to business_finance_app;

-- Statements of the accounts, each of a day, or of a part of it on demand.
create table sandbox_bank_statements (
  partner text not null,
  iban text not null,
  number integer not null,
  day date not null,
  closing text not null,
  primary key (partner, iban, number)
);
grant select, insert, delete on sandbox_bank_statements to business_finance_app;

-- Files to give: written under a temporary name, then renamed.
create table sandbox_bank_files (
  partner text not null,
  name text not null,
  seq bigint generated always as identity,
  content text not null,
  due_at timestamptz not null default clock_timestamp(),
  written boolean not null default false,
  primary key (partner, name)
);
create index sandbox_bank_files_due on sandbox_bank_files (partner, due_at) where not written;
grant select, insert, delete on sandbox_bank_files to business_finance_app;
grant update (written) on sandbox_bank_files to business_finance_app;

-- Payouts and deposits about which the bank has not written yet.
create index sandbox_payouts_unreported on sandbox_payouts (partner, seq)
  where document ? 'reported' and document ->> 'reported' <> status;
create index sandbox_deposits_unreported on sandbox_deposits (partner, seq) where document is null;
grant update (document) on sandbox_payouts to business_finance_app;
grant update (document) on sandbox_deposits to business_finance_app;

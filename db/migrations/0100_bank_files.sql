-- Banks by files: payments out, and what the bank says of them and of the accounts.

-- A file to or from a bank. `sealed` has its bytes; it names people. Outgoing: one debtor account, day and urgency.
create table bank_files (
  id uuid primary key,
  connection text not null,
  direction text not null check (direction in ('out', 'in')),
  name text not null, -- in the folder of the bank; shown, and never a path
  status text not null check (status in ('collecting', 'written', 'uploaded', 'acknowledged', 'on_hold', 'rejected', 'closed',
    'fetched', 'read', 'unreadable', 'duplicate')),
  kind text, -- of what a bank says: reports on payments, notifications or statements
  currency text, -- of the debtor account
  scheme text check (scheme in ('sepa', 'sepa_instant', 'other')), -- of all payments in it
  execution_day date,
  message_id text, -- ours
  sealed bytea,
  sha256 text, -- in hex
  byte_size bigint,
  modified_at timestamptz, -- by the clock of the bank's folder
  count integer,
  sum numeric,
  due_at timestamptz, -- when it is written; once uploaded: until when the bank has to acknowledge it
  upload uuid, -- try that renames the uploaded file: no other does
  faults text[] not null default '{}', -- findings of its reading
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check (direction = 'in' or (currency is not null and scheme is not null))
);
-- payments wait in one file of each account and urgency
create unique index bank_files_collecting on bank_files (connection, currency, scheme) where status = 'collecting';
create unique index bank_files_messages on bank_files (connection, message_id) where message_id is not null;
create unique index bank_files_read_once on bank_files (connection, sha256) where direction = 'in' and status <> 'duplicate';
create index bank_files_names on bank_files (connection, name) where direction = 'in';
create index bank_files_recent on bank_files (inserted_at desc, id desc);
create index bank_files_faults on bank_files (id) where faults <> '{}' or status in ('unreadable', 'on_hold');
grant select, insert, update (status, kind, execution_day, message_id, sealed, sha256, byte_size, modified_at, count, sum, name,
  due_at, upload, faults, updated_at) on bank_files to business_finance_app;
grant select on bank_files to business_finance_definer;

-- When the folder of a bank was last listed whole, with all its files taken, and by what fault visits to it fail now.
create table bank_folders (
  connection text primary key,
  listed_at timestamptz,
  upload_fault text,
  fetch_fault text,
  journal_read_on date -- day up to which the journal of uploads in storage was read
);
grant select, insert, update (listed_at, upload_fault, fetch_fault, journal_read_on) on bank_folders to business_finance_app;

-- A payment by file: the payout of a payment, or the return of a deposit. Its content is sealed, and its status is the
-- bank's. Commit is acceptance.
create table bank_payments (
  connection text not null,
  id uuid not null, -- of the payment, or of the deposit that goes back
  seq bigint generated always as identity,
  kind text not null check (kind in ('payout', 'return')),
  file_id uuid not null references bank_files,
  end_to_end_id text not null,
  amount numeric not null check (amount > 0),
  currency text not null,
  hash text not null, -- a sealed hash of the content
  sealed bytea not null,
  status text not null default 'pending' check (status in ('pending', 'processing', 'settled', 'rejected', 'returned')),
  bank_status text, -- as pain.002 has it
  detail text not null default '',
  returned_amount numeric,
  charges_amount numeric,
  inserted_at timestamptz not null default business_now(),
  moved_at timestamptz not null default business_now(), -- when it came into its status, by the books of the bank
  primary key (connection, id)
);
create unique index bank_payments_ends on bank_payments (connection, end_to_end_id);
create unique index bank_payments_in_order on bank_payments (connection, seq);
create index bank_payments_of_file on bank_payments (file_id, status);
grant select, insert, update (file_id, status, bank_status, detail, returned_amount, charges_amount, moved_at)
  on bank_payments to business_finance_app;
grant select on bank_payments to business_finance_definer;

-- What a bank has booked on an account of ours, once, in however many files it stands. `sealed` has the facts by which
-- an entry without a reference is known again.
create table bank_entries (
  id uuid primary key,
  connection text not null,
  account text not null,
  direction text not null check (direction in ('credit', 'debit')),
  reversal boolean not null,
  amount numeric not null,
  currency text not null,
  reference text, -- of the bank
  booked_on date,
  valued_on date,
  booked_at timestamptz not null, -- by the books of the bank
  sealed bytea not null,
  inserted_at timestamptz not null default business_now()
);
create index bank_entries_same on bank_entries (connection, account, currency, amount, direction);
create index bank_entries_named on bank_entries (connection, account, reference) where reference is not null;
grant select, insert, update (booked_at, reference, booked_on, valued_on, sealed) on bank_entries to business_finance_app;

-- An entry of a file, by its place in it.
create table bank_entry_mentions (
  file_id uuid not null references bank_files,
  position integer not null,
  entry_id uuid not null references bank_entries,
  kind text not null check (kind in ('notification', 'statement')),
  report text not null,
  primary key (file_id, position)
);
create index bank_entry_mentions_of on bank_entry_mentions (entry_id);
grant select, insert on bank_entry_mentions to business_finance_app;

-- A transaction of an entry, and what it is for us. The id of a deposit is made of what the bank calls it.
create table bank_entry_parts (
  id uuid primary key,
  connection text not null,
  entry_id uuid not null references bank_entries,
  seq bigint generated always as identity,
  kind text not null check (kind in ('payout', 'return', 'deposit', 'taken_back', 'unknown')),
  payment_id uuid, -- of bank_payments
  account text, -- receiving account of a deposit
  amount numeric not null,
  currency text not null,
  status text not null default 'received' check (status in ('received', 'returned')),
  sealed bytea not null, -- who sent a deposit, and its words
  inserted_at timestamptz not null default business_now()
);
create unique index bank_entry_parts_deposits on bank_entry_parts (connection, seq) where kind = 'deposit';
create index bank_entry_parts_of on bank_entry_parts (entry_id);
grant select, insert, update (status) on bank_entry_parts to business_finance_app;

-- What an account of ours holds at the end of a day.
create table bank_balances (
  connection text not null,
  account text not null,
  day date not null,
  opening numeric,
  amount numeric not null,
  currency text not null,
  as_of timestamptz not null,
  file_id uuid not null references bank_files,
  primary key (connection, account, day)
);
grant select, insert, update (opening, amount, as_of, file_id) on bank_balances to business_finance_app;

-- A virtual IBAN that a receiving account has got, once.
create table bank_virtual_ibans (
  connection text not null,
  iban text not null,
  receiving_account_id uuid not null,
  taken_at timestamptz not null default business_now(),
  primary key (connection, iban),
  unique (connection, receiving_account_id)
);
grant select, insert on bank_virtual_ibans to business_finance_app;

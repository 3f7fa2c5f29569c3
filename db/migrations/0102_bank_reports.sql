-- What banks say of payments that our outbox lacks.

-- A payment that a bank tells of, or may have, and our outbox lacks: a database that was put back has forgotten that it
-- was sent.
create table bank_reported_payments (
  connection text not null,
  end_to_end_id text not null,
  status text not null check (status in ('processing', 'settled', 'rejected', 'returned')),
  file_id uuid references bank_files, -- of ours, where the journal of uploads has it
  reported_at timestamptz not null default business_now(),
  primary key (connection, end_to_end_id)
);
grant select, insert, update (status, file_id, reported_at) on bank_reported_payments to business_finance_app;

create index bank_reported_payments_of_file on bank_reported_payments (file_id) where file_id is not null;

-- a payment that the bank has already has no file here
alter table bank_payments alter column file_id drop not null;

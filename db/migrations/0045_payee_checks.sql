-- Verification of payee: what the bank says about the name of an account's holder.

-- An answer of the bank about the holder of a bank destination, or of the one that a row of a batch will have.
create table payee_checks (
  id uuid primary key,
  organization_id uuid not null references organizations,
  destination_id uuid not null, -- no reference: a row of a batch is asked about before it has its destination
  result text not null check (result in ('match', 'close_match', 'no_match', 'not_possible')),
  sealed bytea not null, -- the name that was asked for, the bank's own, and a reason; with its id
  checked_at timestamptz not null default business_now()
);
create index payee_checks_destination on payee_checks (destination_id, checked_at desc, id desc);
call isolate('payee_checks', definer => 'writes');
grant select, insert, update (sealed) on payee_checks to business_finance_app;
grant select, update, delete on payee_checks to business_finance_definer;

alter table organizations
  add column payee_check text not null default 'warn' check (payee_check in ('warn', 'block'));
grant update (payee_check) on organizations to business_finance_app;

alter table payments
  add column payee_check_id uuid references payee_checks, -- the answer that its approval shows
  add column payee_acknowledged boolean not null default false, -- its requester pays in spite of that answer
  -- from when the bank is asked again before the payment is ordered; null as soon as its order begins
  add column payee_check_due_at timestamptz,
  add column payee_ended_by uuid references payee_checks; -- the answer that ended it unpaid
create index payments_ended_by_payee on payments (organization_id) where payee_ended_by is not null;
create index payments_payee_checks on payments (payee_check_id) where payee_check_id is not null;
grant update (payee_check_due_at, payee_ended_by) on payments to business_finance_app;

alter table payment_batch_rows
  add column payee_check_id uuid references payee_checks not enforced, -- the latest answer
  add column payee_changed_at timestamptz; -- when its cells were changed: earlier answers are about another account
grant update (payee_check_id, payee_changed_at) on payment_batch_rows to business_finance_app;
create index payment_batch_rows_payee_checks on payment_batch_rows (payee_check_id) where payee_check_id is not null;

alter table payment_batches
  add column payees_acknowledged boolean not null default false, -- its submitter pays in spite of the bank's answers
  add column payees_unasked boolean not null default false; -- the bank is to be asked about rows of the draft
grant update (payees_acknowledged, payees_unasked) on payment_batches to business_finance_app;

alter table sandbox_faults drop constraint sandbox_faults_partner_check;
alter table sandbox_faults add constraint sandbox_faults_partner_check
  check (partner in ('bank', 'custodian', 'rates', 'mail', 'messenger', 'payee_checks', 'accounting', 'storage'));

-- Payees that are to be paid at another account than the one that they were last paid at.
alter table organizations
  -- hours in which a new account is paid no more than the free amount, unless it is confirmed by a call-back; 0: none
  add column account_change_hours integer not null default 24 check (account_change_hours between 0 and 168),
  add column account_change_free_amount jsonb; -- amount and currency; null: nothing is free
grant update (account_change_hours, account_change_free_amount) on organizations to business_finance_app;

-- The address of a contact before a recent change: a mail about another account goes to the one that was there before.
alter table payment_contacts
  add column former_email text,
  add column email_changed_at timestamptz; -- null: it was never changed
grant update (former_email, email_changed_at) on payment_contacts to business_finance_app;

alter table payment_destinations add column usable_at timestamptz; -- approved then; null: with its making, or not yet
grant update (usable_at) on payment_destinations to business_finance_app;

alter table payments add column payee_key text; -- of a payee outside the service: what is equal for names that look alike
create index payments_payee on payments (organization_id, payee_key, inserted_at) where payee_key is not null;
create index bills_account on bills (organization_id, fingerprint) where fingerprint is not null;

alter table payment_batch_rows
  add column name_key text, -- of the payee of a bank account, as payee_key of payments
  add column account_changed boolean not null default false; -- when the batch was submitted last
create index payment_batch_rows_changed on payment_batch_rows (payment_batch_id) where account_changed;
grant update (name_key, account_changed) on payment_batch_rows to business_finance_app;

-- An account that a payee is to be paid at after another one was paid, as it was first seen.
create table account_changes (
  destination_id uuid not null references payment_destinations,
  former_destination_id uuid not null references payment_destinations, -- the one that was paid last
  organization_id uuid not null references organizations,
  mailed boolean not null, -- to the payee, at the address that was there before
  inserted_at timestamptz not null default business_now(),
  primary key (destination_id, former_destination_id)
);
create index account_changes_list on account_changes (organization_id, inserted_at);
call isolate('account_changes', definer => 'reads');
grant select, insert on account_changes to business_finance_app;
grant select on account_changes to business_finance_definer;

-- A call-back: a person asked the payee, on a way that was known before, whether an account is theirs.
create table account_callbacks (
  destination_id uuid primary key references payment_destinations,
  organization_id uuid not null references organizations,
  confirmed_by uuid not null references people,
  spoken_to text not null,
  note text,
  inserted_at timestamptz not null default business_now()
);
create index account_callbacks_list on account_callbacks (organization_id, inserted_at);
call isolate('account_callbacks', definer => 'reads');
grant select, insert on account_callbacks to business_finance_app;
grant select on account_callbacks to business_finance_definer;

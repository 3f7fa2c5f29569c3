-- One account is one payee, whatever currency, holder or contact names it, and whatever key told it apart.

-- A key by which an account of payees is known to an organization: an HMAC of its number, the id of the encryption key in front. All that mean one account have one id.
create table payee_accounts (
  organization_id uuid not null references organizations,
  key bytea not null,
  account_id uuid not null,
  primary key (organization_id, key)
);
create index payee_accounts_account on payee_accounts (account_id);
call isolate('payee_accounts', definer => 'writes');
grant select, insert, update (account_id) on payee_accounts to business_finance_app;
grant select, delete on payee_accounts to business_finance_definer;

-- equal where the account is; the fingerprint beside it is also of the currency, and stays as it was approved
alter table payment_destinations add column account_id uuid;
alter table bills add column account_id uuid;
alter table payment_batch_rows add column account_id uuid; -- of the account that the row pays, whatever names it
grant update (account_id) on payment_destinations to business_finance_app;
grant update (account_id) on bills to business_finance_app;
grant update (account_id) on payment_batch_rows to business_finance_app;

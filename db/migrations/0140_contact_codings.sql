-- How bills of a contact are coded unless a person says otherwise: it is proposed before what was coded last.
create table contact_codings (
  organization_id uuid not null references organizations,
  payment_contact_id uuid primary key references payment_contacts,
  account_code text,
  tax_code text,
  labels jsonb not null default '[]',
  coded_by uuid not null references people,
  coded_at timestamptz not null default business_now()
);
call isolate('contact_codings');
grant select, insert, delete, update (account_code, tax_code, labels, coded_by, coded_at) on contact_codings to business_finance_app;

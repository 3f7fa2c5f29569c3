-- A second copy of a bill is found however its supplier is spelled.

-- equal however tax id and name are spelled: domain/bills/likeness.ts computes them
alter table bills add column tax_number text;
alter table bills add column plain_name text;
-- tax id and name that the two are computed from; another text: the release before has written the bill
alter table bills add column keys_of text;
grant update (tax_number, plain_name, keys_of) on bills to business_finance_app;

create index bills_tax_number on bills (organization_id, tax_number) where tax_number is not null;
create index bills_plain_name on bills (organization_id, plain_name) where plain_name is not null;
create index bills_number on bills (organization_id, number_key) where number_key is not null;
create index bills_day on bills (organization_id, issue_date, currency) where issue_date is not null;
create index bills_to_key on bills (id)
  where keys_of is distinct from coalesce(supplier_tax_id, '') || E'\n' || coalesce(supplier_name, '');

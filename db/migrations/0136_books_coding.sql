-- Tax rates and tracking of connected books: lines of bills are posted with them.

-- A tax rate of the books, as the latest sync found it.
create table accounting_tax_rates (
  organization_id uuid not null references organizations,
  tenant_id text not null,
  code text not null,
  name text not null,
  rate numeric, -- in percent
  primary key (organization_id, tenant_id, code)
);
call isolate('accounting_tax_rates');
grant select, insert, delete on accounting_tax_rates to business_finance_app;

-- An option of a tracking category of the books, as the latest sync found it.
create table accounting_tracking (
  organization_id uuid not null references organizations,
  tenant_id text not null,
  category text not null,
  option text not null,
  primary key (organization_id, tenant_id, category, option)
);
call isolate('accounting_tracking');
grant select, insert, delete on accounting_tracking to business_finance_app;

-- Coding: the accounts, tax codes and dimensions by which an organization books its bills, and what it books them by.

-- An account of the chart, by its code. An archived one stays in what it codes.
create table chart_accounts (
  organization_id uuid not null references organizations,
  code text not null,
  name text not null,
  account_type text not null check (account_type in ('bank', 'asset', 'liability', 'equity', 'revenue', 'expense')),
  archived_at timestamptz,
  updated_at timestamptz not null default business_now(),
  primary key (organization_id, code)
);
call isolate('chart_accounts');
grant select, insert, update (name, account_type, archived_at, updated_at) on chart_accounts to business_finance_app;

-- A tax code of the chart, by its code.
create table chart_tax_codes (
  organization_id uuid not null references organizations,
  code text not null,
  name text not null,
  rate numeric check (rate between 0 and 100), -- in percent; null: none of its own
  archived_at timestamptz,
  updated_at timestamptz not null default business_now(),
  primary key (organization_id, code)
);
call isolate('chart_tax_codes');
grant select, insert, update (name, rate, archived_at, updated_at) on chart_tax_codes to business_finance_app;

-- A dimension of an organization, such as its departments, by its code.
create table dimensions (
  organization_id uuid not null references organizations,
  code text not null,
  name text not null,
  archived_at timestamptz,
  updated_at timestamptz not null default business_now(),
  primary key (organization_id, code)
);
call isolate('dimensions');
grant select, insert, update (name, archived_at, updated_at) on dimensions to business_finance_app;

-- A value of a dimension, by its code.
create table dimension_values (
  organization_id uuid not null,
  dimension text not null,
  code text not null,
  name text not null,
  archived_at timestamptz,
  updated_at timestamptz not null default business_now(),
  primary key (organization_id, dimension, code),
  foreign key (organization_id, dimension) references dimensions
);
call isolate('dimension_values');
grant select, insert, update (name, archived_at, updated_at) on dimension_values to business_finance_app;

-- The coding of a line of a bill, as a person saved it. It counts while the line has the amount and words that it had.
create table bill_codings (
  organization_id uuid not null references organizations,
  bill_id uuid not null,
  line integer not null check (line > 0), -- from 1; the only one of a bill without lines
  amount numeric not null,
  description text not null,
  parts jsonb not null, -- amounts with account, tax code and labels; they add up to the amount
  coded_by uuid not null references people,
  coded_at timestamptz not null default business_now(),
  primary key (bill_id, line),
  foreign key (bill_id, organization_id) references bills (id, organization_id)
);
call isolate('bill_codings');
grant select, insert, delete on bill_codings to business_finance_app;

-- How a line of a supplier with these words was coded last: it is proposed again.
create table coding_memories (
  organization_id uuid not null references organizations,
  supplier text not null, -- key of its tax id or name
  words text not null, -- of the line, without numbers
  parts jsonb not null, -- shares in percent with account, tax code and labels
  coded_at timestamptz not null default business_now(),
  primary key (organization_id, supplier, words)
);
call isolate('coding_memories');
grant select, insert, update (parts, coded_at) on coding_memories to business_finance_app;

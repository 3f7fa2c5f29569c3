-- To whom an organization sends invoices.

-- A customer of an organization, as its invoices name it. A deleted one stays in the invoices that it has.
create table billing_contacts (
  id uuid primary key,
  organization_id uuid not null references organizations,
  company_name text not null,
  address text, -- as it is to be printed; what electronic invoices need is in postal_address
  phone_number text,
  tax_id text,
  emails text[] check (cardinality(emails) between 1 and 20), -- null: there is none
  postal_address jsonb,
  vat_id text, -- without blanks and signs
  language text not null check (language in ('en', 'de', 'fr', 'es')), -- of what is sent to it
  words text not null, -- that a search looks through: in lower case, without accents
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  deleted_at timestamptz,
  unique (id, organization_id)
);
create index billing_contacts_list on billing_contacts (organization_id, inserted_at desc, id desc);
call isolate('billing_contacts', definer => 'reads');
grant select, insert, update (company_name, address, phone_number, tax_id, emails, postal_address, vat_id, language,
  words, updated_at, deleted_at) on billing_contacts to business_finance_app;
grant select on billing_contacts to business_finance_definer;

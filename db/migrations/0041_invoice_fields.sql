-- What invoices say beside their lines: discounts, charges, terms of payment, the customer's order, the period of supply.
alter table billing_contacts
  drop constraint billing_contacts_language_check,
  add constraint billing_contacts_language_check check (language in ('en', 'de', 'fr', 'es', 'it'));

alter table invoices
  add column discounts jsonb not null default '[]', -- of the whole invoice, each with its parts by tax
  add column charges jsonb not null default '[]', -- likewise
  add column discount_total numeric not null default 0,
  add column charge_total numeric not null default 0,
  add column payment_terms jsonb, -- discounts for early payment, by days after the issue
  add column order_number text, -- of the customer
  add column attachments jsonb not null default '[]', -- files that are sent with it
  add column warnings text[] not null default '{}', -- of a sent one
  add column period_from date,
  add column period_to date check (period_to >= period_from),
  add constraint invoices_period_check check ((period_from is null) = (period_to is null));
grant update (discounts, charges, discount_total, charge_total, payment_terms, order_number, period_from, period_to,
  attachments, warnings)
  on invoices to business_finance_app;

-- A discount for early payment settles an invoice. `early_percentage` is the one that was taken, or that a person accepted.

alter table invoices add column early_percentage numeric check (early_percentage > 0 and early_percentage < 100);
grant update (early_percentage) on invoices to business_finance_app;
alter table invoices drop constraint invoices_settled_by_check;
alter table invoices add constraint invoices_settled_by_check check (settled_by in ('credit', 'early_payment'));

-- The latest day of the invoices that have a number, which a later number should not precede.

create index invoices_days on invoices (organization_id, issue_date) where sequence is not null;

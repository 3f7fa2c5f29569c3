-- Any other way to be paid than the last one is a changed account: by bank, blockchain or service ID.

alter table payment_quotes add column payee_key text; -- of the name of its contact then, as payee_key of payments

-- the destinations of a name, each found once: a loose scan
create index payments_payee_destinations on payments (organization_id, payee_key, destination_id)
  where payee_key is not null and bill_id is null;

-- What people saw of the bank's answers about payees before they acknowledged them; what is left of an invoice.

-- the answer that the quote showed; null: the code before made it, or no bank is paid
alter table payment_quotes add column payee_check_id uuid;

-- mismatch that was last refused, as people were told of it; null: none was, or it changed since
alter table bills add column payee_seen text check (payee_seen in ('close_match', 'no_match'));
grant update (payee_seen) on bills to business_finance_app;
alter table payment_batch_rows add column payee_seen text check (payee_seen in ('close_match', 'no_match'));
grant update (payee_seen) on payment_batch_rows to business_finance_app;

-- What is left of the accepted amount after credit notes, less what is allocated. The index of before stays for
-- the code before.
create index invoices_left
  on invoices (organization_id, currency, (least(coalesce(accepted_amount, total), total - credited) - allocated))
  where status in ('sent', 'finalized');

-- Holders of accounts as a file or a bill names them, beside those under which the accounts are known.

-- equal for spellings of one name, of a bank account; null: the code before made it, and the rotation of keys fills it
alter table payment_destinations add column holder_key text;
grant update (holder_key) on payment_destinations to business_finance_app;

alter table payment_batch_rows
  add column holder_key text, -- of the holder that the cells name
  add column known_as uuid references payment_destinations not enforced; -- of a contact: the account, under another name
create index payment_batch_rows_known on payment_batch_rows (payment_batch_id) where known_as is not null;
grant update (holder_key, known_as) on payment_batch_rows to business_finance_app;

alter table bills add column holder_differs boolean not null default false; -- a contact has its account under another name
grant update (holder_differs) on bills to business_finance_app;

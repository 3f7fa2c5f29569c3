-- What carries no data in the file of a batch, and was passed over.
alter table payment_batches
  add column rows_empty integer not null default 0,
  add column columns_empty integer not null default 0;
grant update (rows_empty, columns_empty) on payment_batches to business_finance_app;

-- Changes of a payment by file, and how many of them its run was called about: a file that says nothing new calls nobody.
alter table bank_payments
  add column changes integer not null default 0,
  add column changes_called integer not null default 0;
grant update (changes, changes_called) on bank_payments to business_finance_app;

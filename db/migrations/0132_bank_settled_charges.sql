-- What the bank took beside a payment when it booked it: its return has charges of its own.
alter table bank_payments add column settled_charges_amount numeric;
update bank_payments set settled_charges_amount = charges_amount where status = 'settled';
grant update (settled_charges_amount) on bank_payments to business_finance_app;

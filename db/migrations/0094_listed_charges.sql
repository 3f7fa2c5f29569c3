-- What a partner has charged for a payout at its status, as it lists it; null if it names none.
alter table partner_records add column charges_amount numeric, add column charges_currency text;
grant update (charges_amount, charges_currency) on partner_records to business_finance_app;

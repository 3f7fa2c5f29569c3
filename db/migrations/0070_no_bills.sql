-- Files that are no bills: offers, orders, delivery notes and statements.

alter table bills drop constraint bills_not_payable_check;
alter table bills add constraint bills_not_payable_check check (not_payable in
  ('credit_note', 'direct_debit', 'card', 'pro_forma', 'paid', 'own_invoice', 'not_a_bill')) not valid;
alter table bills validate constraint bills_not_payable_check;

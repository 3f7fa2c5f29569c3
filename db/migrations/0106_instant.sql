-- Instant payments by bank: speed and fallback of quotes and payments, null of a standard one, and the memory of the
-- standard order that follows an instant one which came to nothing.
alter table payment_quotes
  add column speed text check (speed is null or (speed = 'instant' and rail = 'fiat')),
  add column fallback text check (fallback in ('standard', 'none')),
  add check ((speed is null) = (fallback is null));
alter table payments
  add column speed text check (speed is null or (speed = 'instant' and rail = 'fiat')),
  add column fallback text check (fallback in ('standard', 'none')),
  add column fell_back_at timestamptz check (fell_back_at is null or fallback = 'standard'),
  add check ((speed is null) = (fallback is null));
grant update (fell_back_at, callback_version) on payments to business_finance_app;

alter table partner_orders drop constraint partner_orders_subject_check;
alter table partner_orders add constraint partner_orders_subject_check
  check (subject in ('payment', 'payment_fallback', 'deposit_return', 'receiving_account'));
-- a callback or a list names the standard order by its own id
create index partner_orders_fallbacks on partner_orders (connection, key) where subject = 'payment_fallback';

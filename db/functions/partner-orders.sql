-- Orders at partners.

set local role business_finance_definer;

-- Payments whose payouts have these ids at their provider, over all organizations: a callback or a list names them.
create or replace function payments_of_payouts(at_connection text, at_provider text[])
returns table (their_id text, id uuid) language sql stable security definer set search_path = public, pg_temp
as $$
  select o.their_id, o.subject_id from partner_orders o
  where o.connection = at_connection and o.subject in ('payment', 'payment_fallback') and o.their_id = any (at_provider)
$$;

grant execute on function payments_of_payouts(text, text[]) to business_finance_app;

-- Of these ids of payouts, those of payments with two orders, an instant one and the standard one in its place: the id of
-- the payment, which the instant order has, and that of the standard order.
create or replace function orders_of_fallbacks(at_connection text, ids uuid[])
returns table (payment uuid, fallback uuid) language sql stable security definer set search_path = public, pg_temp
as $$
  select o.subject_id, o.key from partner_orders o
  where o.connection = at_connection and o.subject = 'payment_fallback' and o.key = any (ids)
  union
  select o.subject_id, o.key from partner_orders o
  where o.connection = at_connection and o.subject = 'payment_fallback' and o.subject_id = any (ids)
$$;

grant execute on function orders_of_fallbacks(text, uuid[]) to business_finance_app;

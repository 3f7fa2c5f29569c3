-- Orders at partners.

set local role business_finance_definer;

-- Payments whose payouts have these ids at their provider, over all organizations: a callback or a list names them.
create or replace function payments_of_payouts(at_connection text, at_provider text[])
returns table (their_id text, id uuid) language sql stable security definer set search_path = public, pg_temp
as $$
  select o.their_id, o.subject_id from partner_orders o
  where o.connection = at_connection and o.subject = 'payment' and o.their_id = any (at_provider)
$$;

grant execute on function payments_of_payouts(text, text[]) to business_finance_app;

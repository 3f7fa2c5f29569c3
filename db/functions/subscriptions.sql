-- Subscriptions across organizations.

set local role business_finance_definer;

-- Counts the organizations that have an offer now.
create or replace function subscribers_of(offer uuid) returns integer
language sql stable security definer set search_path = public, pg_temp
as $$ select count(*)::integer from subscriptions s where s.offer_id = offer and s.status = 'active' $$;
grant execute on function subscribers_of(uuid) to business_finance_app;

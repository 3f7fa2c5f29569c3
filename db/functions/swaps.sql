-- Unused quotes of swaps.

set local role business_finance_definer;

-- Deletes unused quotes of swaps that expired at least `days` ago; answers their number.
create or replace function forget_swap_quotes(days integer, batch integer) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from swap_quotes where id = any (array(
      select q.id from swap_quotes q
      where q.swap_id is null and q.expires_at < business_now() - make_interval(days => forget_swap_quotes.days)
      order by q.expires_at limit forget_swap_quotes.batch for update skip locked))
      and swap_id is null
    returning 1)
  select count(*)::integer from gone
$$;
grant execute on function forget_swap_quotes(integer, integer) to business_finance_app;

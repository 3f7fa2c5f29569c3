-- Quotes of swaps that nobody used go as those of payments do; money that a partner lists as sent back is asked about;
-- what nothing calls any more is gone.

create index swap_quotes_unused on swap_quotes (expires_at) where swap_id is null;

-- Deletes quotes of swaps that expired so many days ago and that no swap used; answers how many.
create function forget_swap_quotes(days integer, batch integer) returns integer
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
grant update, delete on swap_quotes to business_finance_definer;

-- Deposits, by the partner's id, that it lists as sent back and that our books still hold.
create function unreturned_deposits(of_partner text) returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select r.id from partner_records r
  where r.partner = of_partner and r.list = 'deposits' and r.status = 'returned'
    and (exists (select from deposits d where d.partner_deposit_id = r.id and d.status = 'held'
        and d.rail = case of_partner when 'bank' then 'fiat' else 'crypto' end)
      or exists (select from unmatched_deposits u
        where u.partner_deposit_id = r.id and u.partner = of_partner and u.status = 'unmatched'))
$$;

do $$
declare
  routine regprocedure;
begin
  grant create on schema public to business_finance_definer; -- a function is handed over only to a role that may create
  foreach routine in array array['forget_swap_quotes(integer, integer)', 'unreturned_deposits(text)']::regprocedure[]
  loop
    execute format('alter function %s owner to business_finance_definer', routine);
    execute format('revoke execute on function %s from public', routine);
    execute format('grant execute on function %s to business_finance_app', routine);
  end loop;
  revoke create on schema public from business_finance_definer;
end
$$;

drop function note_payment_news(uuid);
drop function driven_payments(interval, uuid, integer);
drop function due_payments();

-- Quotes at work: what a person is warned of is found without a search, and what nobody used goes after a while.

-- whether anything was paid to a destination before, and the same today
create index payments_destination on payments (destination_id, inserted_at);
create index payment_quotes_unused on payment_quotes (expires_at) where payment_id is null;

-- Deletes quotes that expired so many days ago and that no payment used; answers how many.
create function forget_quotes(days integer, batch integer) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from payment_quotes where id = any (array(
      select q.id from payment_quotes q
      where q.payment_id is null and q.expires_at < business_now() - make_interval(days => forget_quotes.days)
      order by q.expires_at limit forget_quotes.batch for update skip locked))
      and payment_id is null
    returning 1)
  select count(*)::integer from gone
$$;
grant update, delete on payment_quotes to business_finance_definer;

do $$
begin
  grant create on schema public to business_finance_definer; -- a function is handed over only to a role that may create
  alter function forget_quotes(integer, integer) owner to business_finance_definer;
  revoke execute on function forget_quotes(integer, integer) from public;
  grant execute on function forget_quotes(integer, integer) to business_finance_app;
  revoke create on schema public from business_finance_definer;
end
$$;

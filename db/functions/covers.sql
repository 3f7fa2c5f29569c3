-- Our own position, over all organizations.

set local role business_finance_definer;

-- What open covers are worth in US dollars, as they were quoted. What is to be sold of a currency and what is to be
-- bought of it offset each other; what is left to sell is worth what is left to buy.
create or replace function open_position_usd() returns numeric
language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce(sum(greatest(p.worth, 0)), 0) from (
    select o.currency, sum(o.worth) as worth from covers c,
      lateral (values (c.sell_currency, c.value_usd), (c.buy_currency, -c.value_usd)) o (currency, worth)
    where c.status = 'open' group by 1) p
$$;
grant execute on function open_position_usd() to business_finance_app;

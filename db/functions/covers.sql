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

-- Covers whose two amounts are not exchanged yet; the id is that of the trade, or of the dealing.
create or replace function unsettled_trades()
returns table (id uuid, connection text, settles_on date, sell_currency text, sold_amount numeric, buy_currency text,
  bought_amount numeric)
language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce(c.dealing_id, c.trade_id), coalesce(c.connection, 'rates'), c.settles_on, c.sell_currency,
    c.sold_amount, c.buy_currency, c.bought_amount
  from covers c left join cover_dealings g on g.id = c.dealing_id left join partner_trades t on t.id = c.trade_id
  where c.settles_on is not null
    and case when g.id is not null then g.settled_at is null else not coalesce(t.settled, false) end
$$;

-- Trades and dealings whose day of settlement has not ended: what each will move in a currency, above zero to us. For
-- covers of one dealing together.
create or replace function trades_in_flight()
returns table (id uuid, connection text, currency text, amount numeric, settles_on date)
language sql stable security definer set search_path = public, pg_temp
as $$
  select u.id, u.connection, m.currency, sum(m.amount), u.settles_on from unsettled_trades() u,
    lateral (values (u.sell_currency, -u.sold_amount), (u.buy_currency, u.bought_amount)) m (currency, amount)
  group by 1, 2, 3, 5 having sum(m.amount) <> 0
$$;
grant execute on function trades_in_flight() to business_finance_app;

-- Trades and dealings that should have settled: their day is over, and two hours in which the desk's list may be late.
create or replace function late_settlements() returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select distinct u.id from unsettled_trades() u
  where (u.settles_on + 1)::timestamp at time zone 'UTC' + interval '2 hours' <= business_now()
$$;
grant execute on function late_settlements() to business_finance_app;

-- Covers of any organizations, locked until the transaction ends: a dealing of operators is for several.
create or replace function lock_covers(ids uuid[])
returns table (id uuid, organization_id uuid, status text, sell_amount numeric, sell_currency text, buy_amount numeric,
  buy_currency text)
language sql volatile security definer set search_path = public, pg_temp
as $$
  select c.id, c.organization_id, c.status, c.sell_amount, c.sell_currency, c.buy_amount, c.buy_currency
  from covers c where c.id = any (ids) order by c.id for no key update
$$;
grant execute on function lock_covers(uuid[]) to business_finance_app;

-- Covers that are open, oldest first, with the dealing that waits for a second operator or for the cover's run.
create or replace function open_covers(most integer)
returns table (id uuid, connection text, sell_amount numeric, sell_currency text, buy_amount numeric, buy_currency text,
  value_usd numeric, inserted_at timestamptz, ask_note text, dealing_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.id, coalesce(c.connection, 'rates'), c.sell_amount, c.sell_currency, c.buy_amount, c.buy_currency, c.value_usd,
    c.inserted_at, c.ask_note, (
      select d.dealing_id from dealt_covers d join cover_dealings g on g.id = d.dealing_id
      where d.cover_id = c.id and g.withdrawn_at is null)
  from covers c where c.status = 'open' order by c.inserted_at, c.id limit most
$$;
grant execute on function open_covers(integer) to business_finance_app;

-- How many covers a dealing is for, and what it comes to beside what they were quoted at.
create or replace function dealing_results(dealing uuid)
returns table (covers integer, sold_result numeric, bought_result numeric)
language sql stable security definer set search_path = public, pg_temp
as $$
  select count(*)::integer,
    sum(case c.sell_currency when g.sold_currency then c.sell_amount - d.sold_amount else d.bought_amount - c.buy_amount end),
    sum(case c.sell_currency when g.sold_currency then d.bought_amount - c.buy_amount else c.sell_amount - d.sold_amount end)
  from cover_dealings g join dealt_covers d on d.dealing_id = g.id join covers c on c.id = d.cover_id where g.id = dealing
$$;
grant execute on function dealing_results(uuid) to business_finance_app;

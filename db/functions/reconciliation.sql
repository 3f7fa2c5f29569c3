-- Our books against what partners list.

set local role business_finance_definer;

-- Where the partner's list and our payments differ. What both may still be about to hear of is left for the next time:
-- judged at once is only what can never become right. `organization_id` is null for a payout that we never had. A
-- payout that is listed and cannot be read is not missing. A part that came back is no difference if it is the booked
-- one. What two operators have booked is as the latest adjustment says it is listed; whatever else is listed since, or
-- has become of the payment, differs again.
create or replace function payout_differences(of_partner text, asked_since timestamptz)
returns table (organization_id uuid, check_name text, subject text)
language sql stable security definer set search_path = public, pg_temp
  set enable_seqscan = on set enable_bitmapscan = on -- it reads whatever there is
as $$
  with ours as (
    select p.id, p.organization_id, p.status, p.landing_amount as amount, p.landing_currency as currency,
      coalesce(p.returned_amount, p.landing_amount) as returned_amount,
      p.updated_at < asked_since - interval '10 minutes' as settled_down
    from payments p where connection_of(p.rail, p.connection) = of_partner
  ), theirs as (
    select r.id, r.status, r.amount, r.currency, r.returned_amount as listed_return,
      coalesce(r.returned_amount, r.amount) as returned_amount, coalesce(r.returned_currency, r.currency) as returned_currency,
      r.changed_at < business_now() - interval '10 minutes' as settled_down
    from partner_records r where r.partner = of_partner and r.list = 'payouts'
  ), adjusted as (
    select distinct on (a.payment_id) a.payment_id as id, a.own_status, a.partner_status, a.partner_amount, a.partner_currency,
      a.partner_returned_amount
    from adjustments a where a.status = 'confirmed' and a.payment_id is not null
    order by a.payment_id, a.confirmed_at desc, a.id desc
  ), judged as (
    select coalesce(o.id, t.id) as id, o.organization_id, case
      when o.id is null then 'payout_of_no_payment'
      when (a.own_status, a.partner_status, a.partner_amount, a.partner_currency)
        = (o.status, t.status, t.amount, t.currency)
        and a.partner_returned_amount is not distinct from t.listed_return then null
      when o.status in ('awaiting_approval', 'scheduled') and t.id is not null then 'paid_without_approval'
      when o.status in ('failed', 'cancelled') and t.status = 'settled' then 'paid_but_not_in_the_books'
      when o.status in ('succeeded', 'reversed') and t.status in ('rejected', 'cancelled') then 'in_the_books_but_not_paid'
      when (o.amount, o.currency) is distinct from (t.amount, t.currency) and t.id is not null then 'payout_amount_differs'
      -- more than was sent, another currency, or another part than is booked
      when t.status = 'returned' and (t.returned_currency <> o.currency or t.returned_amount > o.amount
        or (o.status = 'reversed' and t.returned_amount <> o.returned_amount)) then 'payout_amount_differs'
      when o.status in ('succeeded', 'reversed') and t.id is null and o.settled_down
        and not exists (select from partner_oddities u
          where u.partner = of_partner and u.list = 'payouts' and u.name = o.id::text) then 'payout_missing'
      when t.id is null or not t.settled_down then null
      when o.status in ('submitted', 'processing', 'on_hold', 'cancelling')
        and t.status in ('settled', 'rejected', 'cancelled', 'returned') then 'payout_not_heard_of'
      when not o.settled_down then null
      when o.status = 'succeeded' and t.status <> 'settled' then 'payout_status_differs'
      when o.status = 'reversed' and t.status <> 'returned' then 'payout_status_differs'
      when o.status in ('failed', 'cancelled') and t.status not in ('rejected', 'cancelled') then 'payout_status_differs'
      when a.id is not null then 'payout_status_differs'
    end as check_name
    from ours o full join theirs t on t.id = o.id left join adjusted a on a.id = o.id
  )
  select j.organization_id, of_partner || '_' || j.check_name, j.id::text from judged j where j.check_name is not null
$$;
grant execute on function payout_differences(text, timestamptz) to business_finance_app;

-- The same of deposits. One that we do not have is no difference but money that has to be taken in: unknown_deposits().
create or replace function deposit_differences(of_partner text, asked_since timestamptz)
returns table (organization_id uuid, check_name text, subject text)
language sql stable security definer set search_path = public, pg_temp
  set enable_seqscan = on set enable_bitmapscan = on -- it reads whatever there is
as $$
  with ours as (
    select d.partner_deposit_id as id, d.id as own_id, d.organization_id, d.status, d.amount, d.currency,
      d.updated_at < asked_since - interval '10 minutes' as settled_down
    from deposits d
    where connection_of(d.rail, d.connection) = of_partner
    union all
    select u.partner_deposit_id, u.id, null, case u.status when 'returned' then 'returned' else 'held' end, u.amount, u.currency,
      u.updated_at < asked_since - interval '10 minutes'
    from unmatched_deposits u where u.partner = of_partner and u.status <> 'assigned'
  ), theirs as (
    select r.id, r.status, r.amount, r.currency, r.changed_at < business_now() - interval '10 minutes' as settled_down
    from partner_records r where r.partner = of_partner and r.list = 'deposits'
  ), adjusted as (
    select distinct on (a.deposit_id) a.deposit_id as id, a.own_status, a.partner_status, a.partner_amount, a.partner_currency
    from adjustments a where a.status = 'confirmed' and a.deposit_id is not null
    order by a.deposit_id, a.confirmed_at desc, a.id desc
  ), judged as (
    select o.own_id as id, o.organization_id, case
      when t.id is null then case when o.settled_down then 'deposit_missing' end
      when (a.own_status, a.partner_status, a.partner_amount, a.partner_currency)
        = (o.status, t.status, t.amount, t.currency) then null
      when (o.amount, o.currency) is distinct from (t.amount, t.currency) then 'deposit_amount_differs'
      -- a return that waits in a file, or that the bank has not booked yet
      when o.status = 'returned' and t.status = 'received' and exists (select from bank_payments b
        where b.connection = of_partner and b.id = t.id and b.kind = 'return' and b.status in ('pending', 'processing')) then null
      when o.settled_down and t.settled_down and (a.id is not null or (o.status = 'returned') <> (t.status = 'returned'))
        then 'deposit_status_differs'
    end as check_name
    from ours o left join theirs t on t.id = o.id left join adjusted a on a.id = o.own_id
  )
  select j.organization_id, of_partner || '_' || j.check_name, j.id::text from judged j where j.check_name is not null
$$;
grant execute on function deposit_differences(text, timestamptz) to business_finance_app;

-- The rates desk's trades against the covers that they close. All of it is ours: no organization is concerned. A cover
-- that is open is compared as isNearQuote() of domain/covers/trade.ts does: what it cannot book is the operator's.
create or replace function trade_differences(asked_since timestamptz) returns table (check_name text, subject text)
language sql stable security definer set search_path = public, pg_temp
  set enable_seqscan = on set enable_bitmapscan = on -- it reads whatever there is
as $$
  select j.check_name, j.id::text from (
    select coalesce(c.trade_id, t.id) as id, case
      when c.id is null then 'trade_of_no_cover'
      when t.id is null then case when c.status = 'covered' and c.dealing_id is null
        -- the list of another desk may not have been read since
        and c.updated_at < least(asked_since, (select l.read_at from partner_lists l
          where l.partner = coalesce(c.connection, 'rates') and l.list = 'trades')) - interval '10 minutes'
        and not exists (select from partner_oddities u
          where u.partner = coalesce(c.connection, 'rates') and u.list = 'trades' and u.name = c.trade_id::text) then 'trade_missing' end
      -- operators dealt elsewhere, and the desk has traded all the same; they may also confirm what it traded
      when c.dealing_id is not null and (c.sold_amount, c.bought_amount) is distinct from (t.sell_amount, t.buy_amount)
        then 'trade_of_no_cover'
      when (c.sell_currency, coalesce(c.bought_amount, c.buy_amount), c.buy_currency)
        is distinct from (t.sell_currency, t.buy_amount, t.buy_currency) then 'trade_amount_differs'
      when case c.status when 'open'
        then abs(t.sell_amount - c.sell_amount) > greatest(c.sell_amount * 0.05, power(10::numeric, -scale(c.sell_amount)))
        else t.sell_amount <> coalesce(c.sold_amount, c.sell_amount) end then 'trade_amount_differs'
    end as check_name
    from covers c full join partner_trades t on t.id = c.trade_id) j
  where j.check_name is not null
$$;
grant execute on function trade_differences(timestamptz) to business_finance_app;

-- Covers that are open for longer than a desk takes.
create or replace function late_covers() returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$ select c.id from covers c where c.status = 'open' and c.inserted_at < business_now() - interval '1 hour' $$;
grant execute on function late_covers() to business_finance_app;

-- Covers that are open for too long: an hour at a desk, a day where operators deal.
create or replace function late_covers_of(by_hand text[]) returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.id from covers c where c.status = 'open' and c.inserted_at < business_now() - case
    when coalesce(c.connection, 'rates') = any (by_hand) then interval '1 day' else interval '1 hour' end
$$;
grant execute on function late_covers_of(text[]) to business_finance_app;

-- Money that arrived at a partner and that we know nothing of.
create or replace function unknown_deposits(of_partner text) returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select r.id from partner_records r
  where r.partner = of_partner and r.list = 'deposits' and r.status = 'received'
    and not exists (select from deposits d
      where d.partner_deposit_id = r.id and connection_of(d.rail, d.connection) = of_partner)
    and not exists (select from unmatched_deposits u where u.partner_deposit_id = r.id and u.partner = of_partner)
$$;
grant execute on function unknown_deposits(text) to business_finance_app;

-- Deposits, by the partner's id, that it lists as sent back and that our books still hold.
create or replace function unreturned_deposits(of_partner text) returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select r.id from partner_records r
  where r.partner = of_partner and r.list = 'deposits' and r.status = 'returned'
    and (exists (select from deposits d where d.partner_deposit_id = r.id and d.status = 'held'
        and connection_of(d.rail, d.connection) = of_partner)
      or exists (select from unmatched_deposits u
        where u.partner_deposit_id = r.id and u.partner = of_partner and u.status in ('unmatched', 'returning')))
$$;
grant execute on function unreturned_deposits(text) to business_finance_app;

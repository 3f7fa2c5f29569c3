-- What partners hold, beside our books.

set local role business_finance_definer;

-- Sums of all accounts: those of the service by kind, and what organizations have as `customers`.
create or replace function funds_accounts() returns table (currency text, kind text, amount numeric)
language sql stable security definer set search_path = public, pg_temp
  set enable_seqscan = on set enable_bitmapscan = on -- it reads whatever there is
as $$
  select a.currency, a.kind, sum(e.amount) from ledger_accounts a join ledger_entries e on e.account_id = a.id
  where a.organization_id = '00000000-0000-0000-0000-000000000000' group by 1, 2
  union all
  select a.currency, 'customers', sum(a.balance) from ledger_accounts a
  where a.organization_id <> '00000000-0000-0000-0000-000000000000' group by 1
$$;
grant execute on function funds_accounts() to business_finance_app;

-- Lists what organizations have in a currency, in an order that the seed makes.
create or replace function funds_leaves_of(of_currency text, seed bytea)
returns table (key bytea, organization_id uuid, available numeric, held numeric)
language sql stable security definer set search_path = public, pg_temp
  set enable_seqscan = on set enable_bitmapscan = on set enable_sort = on -- it reads whatever there is
as $$
  select sha256(seed || uuid_send(a.organization_id)), a.organization_id,
    sum(a.balance) filter (where a.kind = 'available'), sum(a.balance) filter (where a.kind = 'held')
  from ledger_accounts a
  where a.currency = of_currency and a.organization_id <> '00000000-0000-0000-0000-000000000000'
  group by a.organization_id order by 1
$$;
grant execute on function funds_leaves_of(text, bytea) to business_finance_app;

-- Movements at a connection that its balance and our books may count differently: what was booked since it was asked,
-- what it lists and we have not booked yet, and what contradicts. `kinds` are its accounts in our books, `stated` the
-- instants of its balances by currency. `in_balance`: its answer counts the movement. Its own times say
-- so; without one, it was listed before the question. `amount` is the effect on its balance.
create or replace function funds_movements(
  of_connection text, kinds text[], asked timestamptz, stated jsonb, debits_sent boolean
) returns table (kind text, name text, currency text, amount numeric, in_balance boolean)
language sql stable security definer set search_path = public, pg_temp set work_mem = '64MB'
  set enable_seqscan = on set enable_bitmapscan = on -- it reads whatever there is
as $$
  with theirs as materialized (
    select r.list, r.id, r.status, r.amount, r.currency, r.changed_at < asked as seen_before,
      case when r.returned_currency is distinct from r.currency then r.amount else r.returned_amount end as back,
      coalesce(r.moved_at <= (stated ->> r.currency)::timestamptz, r.changed_at < asked) as by_then,
      r.moved_at > (stated ->> r.currency)::timestamptz as late, r.charges_currency,
      r.charges_amount - case when r.status = 'returned' and r.charges_currency = r.currency
        and coalesce(r.returned_currency, r.currency) = r.currency
        then greatest(0, r.amount - coalesce(r.returned_amount, r.amount)) else 0 end as charged, -- may name again what was kept
      coalesce(r.moved_at <= (stated ->> r.charges_currency)::timestamptz, r.changed_at < asked) as charged_by_then,
      r.changed_at > business_now() - interval '1 hour' as fresh
    from partner_records r where r.partner = of_connection
  ), adjusted as (
    select distinct on (coalesce(a.payment_id, a.deposit_id)) coalesce(a.payment_id, a.deposit_id) as id, a.own_status,
      a.partner_status, a.partner_amount, a.partner_currency
    from adjustments a where a.status = 'confirmed' and coalesce(a.payment_id, a.deposit_id) is not null
    order by coalesce(a.payment_id, a.deposit_id), a.confirmed_at desc, a.id desc
  ), payouts as (
    select t.id, p.status as own, p.landing_amount as own_amount, p.landing_currency as own_currency,
      p.status in ('submitted', 'processing', 'on_hold', 'cancelling') as open, t.status, t.amount, t.currency, t.by_then,
      t.back, (p.landing_amount, p.landing_currency) = (t.amount, t.currency) as same
    from theirs t left join payments p on p.id = t.id and connection_of(p.rail, p.connection) = of_connection
    where t.list = 'payouts' and not (p.id is not null and (p.status, t.status) in (('succeeded', 'settled'), ('reversed', 'returned'))
      and (p.landing_amount, p.landing_currency) = (t.amount, t.currency))
    union all
    select p.id, p.status, p.landing_amount, p.landing_currency, false, null, null, null, null, null, null from payments p
    where p.rail in ('fiat', 'crypto') and p.status = 'succeeded' and connection_of(p.rail, p.connection) = of_connection
      and not exists (select from theirs t where t.list = 'payouts' and t.id = p.id)
  ), arrivals as (
    select d.partner_deposit_id as id, 'deposit:' || d.id as name, d.id as own_id, d.status as own, d.amount, d.currency
    from deposits d where connection_of(d.rail, d.connection) = of_connection
    union all
    select u.partner_deposit_id, 'unmatched:' || u.id, u.id, u.status, u.amount, u.currency
    from unmatched_deposits u where u.partner = of_connection and u.status <> 'assigned'
  ), received as (
    select coalesce(o.name, 'deposit:' || t.id) as name, o.own_id, o.own, o.amount as own_amount, o.currency as own_currency,
      t.status, t.amount, t.currency, t.by_then, t.seen_before and t.by_then as back_by_then, (o.amount, o.currency) = (t.amount, t.currency) as same
    from (select * from theirs where list = 'deposits') t full join arrivals o on o.id = t.id
    where o.id is null or t.id is null or (o.amount, o.currency) <> (t.amount, t.currency)
      or (o.own = 'returned') <> (t.status = 'returned')
  ), late as (
    -- its answer is older than the question: what the partner dates later may have been booked before we asked
    select k.key from theirs t, lateral (
      select 'payment:' || t.id || case t.status when 'returned' then ':reverse' else ':settle' end as key
      where t.list = 'payouts'
      union all
      select 'charge:' || c.id from partner_charges c where t.list = 'payouts' and c.payment_id = t.id
        and (c.name = t.status or (c.name, t.status) = ('kept', 'returned'))
      union all
      select o.name || p.part from (
          select 'deposit:' || d.id from deposits d
          where d.partner_deposit_id = t.id and connection_of(d.rail, d.connection) = of_connection
          union all
          select 'unmatched:' || u.id from unmatched_deposits u where u.partner_deposit_id = t.id and u.partner = of_connection
        ) o (name), (values (':receive'), (':credit'), (':return')) p (part)
      where t.list = 'deposits') k
    where t.late
  ), since as (
    select f.key, a.currency, -e.amount as amount, split_part(f.key, ':', 1) as noun, split_part(f.key, ':', 2) as id,
      split_part(f.key, ':', 3) as part
    from ledger_accounts a join ledger_entries e on e.account_id = a.id and e.posted_at >= asked
    join ledger_transfers f on f.id = e.transfer_id
    where a.organization_id = '00000000-0000-0000-0000-000000000000' and a.kind = any (kinds)
    union all
    select f.key, a.currency, -e.amount, split_part(f.key, ':', 1), split_part(f.key, ':', 2), split_part(f.key, ':', 3)
    from late l join ledger_transfers f on f.key = l.key join ledger_entries e on e.transfer_id = f.id and e.posted_at < asked
    join ledger_accounts a on a.id = e.account_id
    where a.organization_id = '00000000-0000-0000-0000-000000000000' and a.kind = any (kinds)
  ), placed as (
    select s.*, case when s.noun in ('payment', 'charge') then 'payouts' else 'deposits' end as list, case s.noun
      when 'payment' then s.id::uuid
      when 'charge' then (select c.payment_id from partner_charges c where c.id = s.id::uuid)
      when 'deposit' then (select d.partner_deposit_id from deposits d where d.id = s.id::uuid)
      when 'unmatched' then (select u.partner_deposit_id from unmatched_deposits u where u.id = s.id::uuid) end as record_id
    from since s
  )
  select 'booked_since', s.key, s.currency, s.amount, coalesce(case
      when s.noun not in ('payment', 'charge', 'deposit', 'unmatched') or s.record_id is null then true
      when s.part = 'settle' and debits_sent then true
      when s.part = 'settle' then t.status in ('settled', 'returned') and t.by_then
      when s.part = 'reverse' then t.status = 'returned' and t.by_then
      when s.part = 'return' then t.status = 'returned' and t.seen_before and t.by_then -- a deposit's time is that of its arrival
      else t.by_then end, false)
  from placed s left join theirs t on t.list = s.list and t.id = s.record_id
  union all
  select j.kind, 'payment:' || j.id, coalesce(j.currency, j.own_currency), j.effect, coalesce(j.by_then, true) from (
    select p.*, k.kind, case
        when k.kind = 'in_the_books_but_not_paid' then p.own_amount
        when k.kind = 'payout_returned' then case when p.open then p.back - p.amount else p.back end
        when k.kind = 'payout_amount_differs' and p.own = 'succeeded' and p.currency = p.own_currency then p.own_amount - p.amount
        else -p.amount end as effect
    from payouts p left join adjusted a on a.id = p.id cross join lateral (select case
      when (a.own_status, a.partner_status, a.partner_amount, a.partner_currency) = (p.own, p.status, p.amount, p.currency)
        then null
      when p.open and p.status in ('pending', 'processing', 'on_hold') and p.same then 'payout_sent'
      when p.open and p.status = 'settled' and p.same then 'payout_settled'
      when (p.open or p.own = 'succeeded') and p.status = 'returned' and p.same then 'payout_returned'
      when p.status = 'settled' and p.own is not null and not p.same then 'payout_amount_differs'
      when p.status = 'settled' and p.own is null then 'payout_of_no_payment'
      when p.status = 'settled' and p.own in ('awaiting_approval', 'scheduled') then 'paid_without_approval'
      when p.status = 'settled' and p.own in ('failed', 'cancelled') then 'paid_but_not_in_the_books'
      when p.own = 'succeeded' then 'in_the_books_but_not_paid'
    end as kind) k
  ) j where j.kind is not null and j.effect <> 0
  union all
  select j.kind, j.name, coalesce(j.currency, j.own_currency), j.effect, coalesce(j.counts, true) from (
    select r.*, k.kind, case k.kind when 'deposit_returned' then r.back_by_then else r.by_then end as counts, case
        when k.kind in ('deposit_received', 'deposit_not_returned') then r.amount
        when k.kind = 'deposit_amount_differs' and r.currency = r.own_currency then r.amount - r.own_amount
        else -coalesce(r.own_amount, r.amount) end as effect
    from received r left join adjusted a on a.id = r.own_id cross join lateral (select case
      when (a.own_status, a.partner_status, a.partner_amount, a.partner_currency) = (r.own, r.status, r.amount, r.currency)
        then null
      when r.own is null then case r.status when 'received' then 'deposit_received' end
      when r.status is null then 'deposit_missing'
      when not r.same then 'deposit_amount_differs'
      when r.own in ('held', 'unmatched', 'returning') and r.status = 'returned' then 'deposit_returned'
      when r.own = 'credited' and r.status = 'returned' then 'deposit_taken_back'
      when r.own = 'returned' and r.status <> 'returned' then 'deposit_not_returned'
    end as kind) k
  ) j where j.kind is not null and j.effect <> 0
  union all
  -- what it took is booked with the status that names it, or as soon as it is named
  select case when p.status in ('submitted', 'processing', 'on_hold', 'cancelling') or t.fresh
      or (p.status, t.status) = ('succeeded', 'returned') then 'charge' else 'charge_not_booked' end,
    'payment:' || t.id, t.charges_currency, -t.charged, t.charged_by_then
  from theirs t join payments p on p.id = t.id and connection_of(p.rail, p.connection) = of_connection
  where t.list = 'payouts' and t.charged > 0 and t.status in ('settled', 'rejected', 'cancelled', 'returned')
    and not exists (select from partner_charges c where c.payment_id = t.id and c.name = t.status)
    and not exists (select from adjusted a where a.id = t.id)
  union all
  select 'trade', 'trade:' || d.id, d.currency, -d.amount, true from trades_in_flight() d where d.connection = of_connection
$$;
grant execute on function funds_movements(text, text[], timestamptz, jsonb, boolean) to business_finance_app;

-- Lists the latest movements of a connection that both sides count, with their effect on its balance: one that counts
-- twice, or not at all, may explain a difference.
create or replace function funds_moved_lately(of_connection text, of_currency text, since timestamptz, most integer)
returns table (kind text, name text, amount numeric)
language sql stable security definer set search_path = public, pg_temp
  set enable_seqscan = on set enable_bitmapscan = on -- it reads whatever there is
as $$
  select case r.list when 'payouts' then 'payout' else 'deposit' end,
    case r.list when 'payouts' then 'payment:' || r.id
      else coalesce((select 'deposit:' || d.id from deposits d where d.partner_deposit_id = r.id
        and connection_of(d.rail, d.connection) = of_connection), 'deposit:' || r.id) end,
    case r.list when 'payouts' then -r.amount else r.amount end
  from partner_records r
  where r.partner = of_connection and r.currency = of_currency and r.changed_at >= since
  order by r.changed_at desc, r.id limit most
$$;
grant execute on function funds_moved_lately(text, text, timestamptz, integer) to business_finance_app;

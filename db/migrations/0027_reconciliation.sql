-- Each list of a partner is reconciled by itself: what cannot be read of it keeps nothing else from being compared, and is
-- told. The rates desk's trades are compared with the swaps too.

alter table partner_lists add column read_at timestamptz; -- to its end
update partner_lists set read_at = read_whole_at;
alter table partner_lists drop constraint partner_lists_partner_check,
  drop constraint partner_lists_list_check,
  add constraint partner_lists_partner_check check (partner in ('bank', 'custodian', 'rates')),
  add constraint partner_lists_list_check check (list in ('payouts', 'deposits', 'trades'));

-- Entries of a list, and deposits that were asked for, that are none to be compared: nothing came with them, or nobody can
-- read them. `name` is the id where there is one, else the place in the list.
create table partner_oddities (
  partner text not null check (partner in ('bank', 'custodian', 'rates')),
  list text not null check (list in ('payouts', 'deposits', 'trades')),
  name text not null,
  is_nothing boolean not null,
  seen_at timestamptz not null default business_now(),
  primary key (partner, list, name)
);
create index partner_oddities_unreadable on partner_oddities (seen_at) where not is_nothing;

-- The rates desk's own list, as it was read last. An id is a swap's.
create table partner_trades (
  id uuid primary key,
  sell_amount numeric not null,
  sell_currency text not null,
  buy_amount numeric not null,
  buy_currency text not null
);
grant select, insert, update, delete on partner_oddities to business_finance_app;
grant select, insert, update on partner_trades to business_finance_app;
grant select on partner_oddities, partner_trades to business_finance_definer;

-- As before; a payout that is listed and cannot be read is not missing.
create or replace function payout_differences(of_partner text, asked_since timestamptz)
returns table (organization_id uuid, check_name text, subject text)
language sql stable security definer set search_path = public, pg_temp
as $$
  with ours as (
    select p.id, p.organization_id, p.status, p.landing_amount as amount, p.landing_currency as currency,
      p.updated_at < asked_since - interval '10 minutes' as settled_down
    from payments p where p.rail = case of_partner when 'bank' then 'fiat' else 'crypto' end
  ), theirs as (
    select r.id, r.status, r.amount, r.currency, r.changed_at < business_now() - interval '10 minutes' as settled_down
    from partner_records r where r.partner = of_partner and r.list = 'payouts'
  ), judged as (
    select coalesce(o.id, t.id) as id, o.organization_id, case
      when o.id is null then 'payout_of_no_payment'
      when o.status = 'awaiting_approval' and t.id is not null then 'paid_without_approval'
      when o.status in ('failed', 'cancelled') and t.status = 'settled' then 'paid_but_not_in_the_books'
      when o.status in ('succeeded', 'reversed') and t.status in ('rejected', 'cancelled') then 'in_the_books_but_not_paid'
      when (o.amount, o.currency) is distinct from (t.amount, t.currency) and t.id is not null then 'payout_amount_differs'
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
    end as check_name
    from ours o full join theirs t on t.id = o.id
  )
  select j.organization_id, of_partner || '_' || j.check_name, j.id::text from judged j where j.check_name is not null
$$;

-- The rates desk's trades against the swaps that they cover. All of it is ours: no organization is concerned.
create function trade_differences(asked_since timestamptz) returns table (check_name text, subject text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select j.check_name, j.id::text from (
    select coalesce(s.id, t.id) as id, case
      when s.id is null then 'trade_of_no_swap'
      when t.id is null then case when s.status = 'covered' and s.updated_at < asked_since - interval '10 minutes'
        and not exists (select from partner_oddities u
          where u.partner = 'rates' and u.list = 'trades' and u.name = s.id::text) then 'trade_missing' end
      when (s.source_amount, s.source_currency, s.target_amount, s.target_currency)
        is distinct from (t.sell_amount, t.sell_currency, t.buy_amount, t.buy_currency) then 'trade_amount_differs'
    end as check_name
    from swaps s full join partner_trades t on t.id = s.id) j
  where j.check_name is not null
$$;

-- Swaps whose position is open for longer than a desk takes.
create function uncovered_swaps() returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$ select s.id from swaps s where s.status = 'executed' and s.inserted_at < business_now() - interval '1 hour' $$;

do $$
declare
  routine regprocedure;
begin
  grant create on schema public to business_finance_definer; -- a function is handed over only to a role that may create
  foreach routine in array array['trade_differences(timestamptz)', 'uncovered_swaps()']::regprocedure[]
  loop
    execute format('alter function %s owner to business_finance_definer', routine);
    execute format('revoke execute on function %s from public', routine);
    execute format('grant execute on function %s to business_finance_app', routine);
  end loop;
  revoke create on schema public from business_finance_definer;
end
$$;

-- The only way to the ledger, and to its past.

create or replace trigger ledger_entries_are_immutable before update or delete or truncate on ledger_entries
  execute function refuse_change();

create or replace trigger ledger_transfers_are_immutable before update or delete or truncate on ledger_transfers
  execute function refuse_change();

set local role business_finance_definer;

-- Posts transfers in the given order, all of them or none. Every array of legs has one element for each leg;
-- leg_transfer is the position of its transfer in keys. A transfer whose key exists is left as it is. Raises BF001
-- (overdraft; the detail carries available, required and currency), BF002 (a transfer that is not zero) and BF004 (an
-- organization that is paid was deleted in this moment). Legs of system accounts alone are posted too: money that
-- nobody could be found for.
create or replace function ledger_post(
  keys text[], organizations uuid[],
  leg_transfer integer[], leg_organization uuid[], leg_kind text[], leg_currency text[], leg_amount numeric[]
) returns setof ledger_posting
language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off -- the rows are few and known by key, which the planner cannot see from arrays
  set plan_cache_mode = force_generic_plan -- a plan for each call costs ten times the call
as $$
declare
  nil constant uuid := '00000000-0000-0000-0000-000000000000';
  new_ids uuid[]; -- of each transfer; null for one that was posted before
  accounts ledger_accounts[];
  postings ledger_posting[];
  posted uuid[]; -- the transfer of each posting
  paid uuid[];
  posting_time timestamptz;
  short ledger_posting;
begin
  -- set for one transaction only: a statement that lost its transaction with its connection moves no money
  if current_organization() is null then
    raise exception 'ledger_post outside a transaction of an organization';
  end if;
  if exists (select from unnest(leg_organization, leg_amount) l (organization, amount)
    where l.amount < 0 and l.organization not in (nil, current_organization())) then
    raise exception 'ledger_post takes money only from the organization that the transaction speaks for';
  end if;
  -- a deletion waits until who is paid has its money, and is refused; lockExistence() of db/postgres/locks.ts
  paid := array(select distinct l.organization from unnest(leg_organization, leg_amount) l (organization, amount)
    where l.amount > 0 and l.organization not in (nil, current_organization()) order by 1);
  perform pg_advisory_xact_lock_shared(7340026 /* LOCKS.existence */, hashtext(p.id::text)) from unnest(paid) p (id);
  perform ledger_lock(leg_organization, leg_currency, leg_kind);

  -- statements of their own: a wait inside the lock does not refresh its snapshot
  -- keys are looked up one by one: `exists` may be planned to read all of them while they are few, and stay so planned
  new_ids := array(
    select case when (select t.id from ledger_transfers t where t.key = k.key) is null then uuidv7() end
    from unnest(keys) with ordinality k (key, position) order by k.position);
  if not exists (select from unnest(new_ids) n (id) where n.id is not null) then
    return;
  end if;
  if exists (select from organizations o where o.id = any (paid) and o.status = 'deleted') then
    raise exception using errcode = 'BF004', message = 'money for an organization that is not there any more';
  end if;
  select array_agg(a) into accounts from ledger_accounts a
  where a.organization_id = any (leg_organization) and a.currency = any (leg_currency);
  if exists (select from unnest(leg_transfer, leg_currency, leg_amount) l (transfer, currency, amount)
    group by l.transfer, l.currency having sum(l.amount) <> 0) then
    raise exception 'a transfer does not sum to zero' using errcode = 'BF002';
  end if;
  -- the clock now, not at the start of the statement: after waiting for the lock, nothing may be posted into the past
  select greatest(clock_timestamp() + make_interval(secs => c.offset_seconds), latest.posted_at + interval '1 microsecond')
  into posting_time
  from business_clock c, (select max(a.last_posted_at) filter (where a.organization_id <> nil) as posted_at
    from unnest(accounts) a) latest;

  -- Each account opens with what it has, and its legs follow: running sums instead of joins, of which the planner would
  -- make nested loops, because it takes every array for a short one.
  select array_agg(row(keys[p.transfer], p.organization_id, p.kind, p.currency, p.amount, p.balance, p.total, posting_time,
      p.feed_seq, p.account_id, p.seq)::ledger_posting order by p.transfer),
    array_agg(new_ids[p.transfer] order by p.transfer)
  into postings, posted
  from (
    select m.transfer, m.organization_id, m.kind, m.currency, m.amount,
      first_value(m.account_id) over account as account_id,
      case when m.organization_id <> nil then (sum(m.entries) over account)::bigint end as seq,
      case when m.organization_id <> nil then sum(m.amount) over account end as balance,
      case when m.organization_id <> nil then sum(m.amount) over pair end as total,
      case when m.organization_id <> nil then (sum(m.entries) over pair)::bigint else 0 end as feed_seq
    from (
      select 0 as transfer, a.organization_id, a.kind, a.currency, a.balance as amount, a.seq as entries, a.id as account_id
      from unnest(accounts) a
      union all
      select l.transfer, l.organization_id, l.kind, l.currency, sum(l.amount), 1, null
      from unnest(leg_transfer, leg_organization, leg_kind, leg_currency, leg_amount)
        l (transfer, organization_id, kind, currency, amount)
      where new_ids[l.transfer] is not null
      group by 1, 2, 3, 4 having sum(l.amount) <> 0
    ) m
    window account as (partition by m.organization_id, m.currency, m.kind order by m.transfer),
      pair as (partition by m.organization_id, m.currency order by m.transfer, m.kind)
  ) p
  where p.transfer > 0;

  select p.* into short from unnest(postings) p where p.balance < 0 and p.amount < 0 limit 1;
  if found then
    raise exception 'insufficient funds' using errcode = 'BF001', detail = jsonb_build_object(
      'available', (short.balance - short.amount)::text, 'required', (-short.amount)::text, 'currency', short.currency)::text;
  end if;

  insert into ledger_transfers (id, key, organization_id, posted_at)
  select t.id, t.key, t.organization_id, posting_time
  from unnest(new_ids, keys, organizations) t (id, key, organization_id) where t.id is not null;

  insert into ledger_entries (transfer_id, account_id, organization_id, amount, posted_at, seq, balance)
  select posted[p.ordinality], p.account_id, p.organization_id, p.amount, posting_time, p.seq, p.balance
  from unnest(postings) with ordinality p;

  update ledger_accounts a
  set balance = a.balance + moved.amount, seq = a.seq + moved.entries, last_posted_at = posting_time
  from (select p.account_id, sum(p.amount) as amount, count(*) as entries from unnest(postings) p
    where p.organization_id <> nil group by 1) moved
  where a.id = moved.account_id;

  return query select p.* from unnest(postings) p;
end
$$;
grant execute on function ledger_post(text[], uuid[], integer[], uuid[], text[], text[], numeric[]) to business_finance_app;

-- Locks every account of the organizations and currencies named, in id order: all accounts of an organization in a
-- currency together, so that their running total is one sequence. Accounts open on first use.
create or replace function ledger_lock(organizations uuid[], currencies text[], kinds text[]) returns void
language plpgsql
as $$
declare
  nil constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  if exists (select from unnest(organizations, currencies, kinds) l (organization_id, currency, kind)
    where not exists (select from ledger_accounts a
      where a.organization_id = l.organization_id and a.currency = l.currency and a.kind = l.kind)) then
    insert into ledger_accounts (organization_id, currency, kind)
    select distinct l.organization_id, l.currency, k.kind
    from unnest(organizations, currencies, kinds) l (organization_id, currency, kind)
    cross join lateral unnest(case when l.organization_id = nil then array[l.kind] else array['available', 'held'] end) k (kind)
    order by 1, 2, 3
    on conflict do nothing;
  end if;
  perform a.id from ledger_accounts a
  where a.organization_id = any (organizations) and a.organization_id <> nil and a.currency = any (currencies)
  order by a.id for no key update;
end
$$;

-- Locks what ledger_post will, before it is decided which payments there are: each payee with the currency beside it,
-- null for one who is paid outside. Answers what the organization that the transaction speaks for has available, of the
-- currencies that it has money in; accounts in others are neither locked nor opened, so nothing can be paid from them.
create or replace function ledger_lock_for(payees uuid[], currencies text[]) returns table (currency text, balance numeric)
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  me constant uuid := current_organization();
  funded text[];
begin
  if me is null then
    raise exception 'ledger_lock_for outside a transaction of an organization';
  end if;
  funded := array(select a.currency from ledger_accounts a
    where a.organization_id = me and a.kind = 'available' and a.currency = any (currencies) and a.balance > 0);
  perform pg_advisory_xact_lock_shared(7340026 /* LOCKS.existence */, hashtext(p.id::text))
  from (select distinct u.id from unnest(payees) u (id) where u.id <> me order by 1) p;
  perform ledger_lock(array_agg(o.id), array_agg(o.code), array_agg('available'::text))
  from (select u.id, u.code from unnest(payees, currencies) u (id, code) where u.id is not null and u.code = any (funded)
    union select me, f.code from unnest(funded) f (code)) o;
  return query select a.currency, a.balance from ledger_accounts a
  where a.organization_id = me and a.kind = 'available' and a.currency = any (funded);
end
$$;
grant execute on function ledger_lock_for(uuid[], text[]) to business_finance_app;

-- Balances of an organization at a past instant. The share lock waits for postings under way, so that none can still
-- slip in before the instant.
create or replace function balances_as_of(instant timestamptz)
returns table (currency text, kind text, balance numeric)
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform a.id from ledger_accounts a where a.organization_id = current_organization() order by a.id for share;
  return query
  select a.currency, a.kind, coalesce(e.balance, 0) from ledger_accounts a
  left join lateral (select l.balance from ledger_entries l where l.account_id = a.id and l.posted_at <= instant
    order by l.posted_at desc, l.seq desc limit 1) e on true
  where a.organization_id = current_organization()
  order by a.currency, a.kind;
end
$$;
grant execute on function balances_as_of(timestamptz) to business_finance_app;

-- Money beyond the service: quotes, payments by bank and blockchain, deposits that are held, swaps, and the proof of all
-- of it. Expand only.

-- What was offered: never money, good for a while, used once.
create table payment_quotes (
  id uuid primary key,
  organization_id uuid not null references organizations,
  payment_contact_id uuid not null references payment_contacts,
  destination_id uuid not null references payment_destinations,
  rail text not null check (rail in ('fiat', 'crypto', 'svc_id')),
  side text not null check (side in ('deducting', 'landing')),
  deducting_amount numeric not null check (deducting_amount > 0),
  deducting_currency text not null,
  landing_amount numeric not null check (landing_amount > 0),
  landing_currency text not null,
  fee_amount numeric not null check (fee_amount >= 0), -- in the deducting currency, part of the deducting amount
  fees jsonb not null, -- by name, as they were shown
  rate text, -- landing for each unit of deducting less fees; null where both are one currency
  tag text check (tag in ('vendor', 'own_account', 'employee', 'other')),
  created_by uuid not null references people,
  payment_id uuid unique, -- the payment that used it
  inserted_at timestamptz not null default business_now(),
  expires_at timestamptz not null,
  check (fee_amount < deducting_amount)
);

alter table payments
  add column fee_amount numeric not null default 0 check (fee_amount >= 0), -- part of the deducting amount
  add column rate text,
  add column fee_feed_id uuid, -- the id that the feed row of the fee has
  add column partner_version integer not null default -1, -- of what the partner said last; an older word changes nothing
  add column partner_reference text, -- the partner's own: of a bank its reference, of a custodian the transaction's hash
  add column custody_decided boolean not null default false,
  add column news integer not null default 0, -- callbacks that came
  add column news_read integer not null default 0; -- up to which of them the partner was asked again
create index payments_with_news on payments (updated_at) where news > news_read;

-- Where money for an organization arrives. The partner opens it, which takes a moment.
create table receiving_accounts (
  id uuid primary key,
  organization_id uuid not null references organizations,
  rail text not null check (rail in ('fiat', 'crypto')),
  currency text not null,
  network text,
  status text not null check (status in ('requested', 'active')),
  account text unique, -- what a deposit names: an account number, an address
  details jsonb,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  unique nulls not distinct (organization_id, rail, currency, network),
  check ((status = 'active') = (account is not null and details is not null)),
  check ((rail = 'crypto') = (network is not null))
);

alter table deposits
  add column partner_deposit_id uuid unique, -- null for those of before partners
  add column receiving_account_id uuid references receiving_accounts,
  add column partner_reference text,
  add column value_usd numeric, -- what a crypto deposit was worth when it came
  add column travel_rule bytea, -- sealed: who sent it, as answered
  add column travel_rule_by uuid references people,
  add column release_by timestamptz, -- until when who sent it may still be answered
  add column is_returning boolean not null default false; -- on its way back: no answer changes that any more
create index deposits_held on deposits (release_by) where status = 'held';

-- Money that nobody could be found for. It is in the books, in suspense, and waits for an operator.
create table unmatched_deposits (
  id uuid primary key,
  partner text not null check (partner in ('bank', 'custodian')),
  partner_deposit_id uuid not null unique,
  rail text not null check (rail in ('fiat', 'crypto')),
  amount numeric not null check (amount > 0),
  currency text not null,
  account text,
  source jsonb,
  status text not null check (status in ('unmatched', 'assigned', 'returned')),
  deposit_id uuid references deposits,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
);

create table swap_quotes (
  id uuid primary key,
  organization_id uuid not null references organizations,
  source_amount numeric not null check (source_amount > 0),
  source_currency text not null,
  target_amount numeric not null check (target_amount > 0),
  target_currency text not null,
  rate text not null, -- all in; the source amount times it, rounded half up, is the target amount
  market_state text not null check (market_state in ('open', 'closed')),
  created_by uuid not null references people,
  swap_id uuid unique, -- the swap that used it
  inserted_at timestamptz not null default business_now(),
  expires_at timestamptz not null
);

create table swaps (
  id uuid primary key,
  organization_id uuid not null references organizations,
  quote_id uuid not null unique references swap_quotes,
  source_amount numeric not null check (source_amount > 0),
  source_currency text not null,
  target_amount numeric not null check (target_amount > 0),
  target_currency text not null,
  rate text not null,
  market_state text not null check (market_state in ('open', 'closed')),
  status text not null check (status in ('executed', 'covered')), -- covered: our own position was closed at the FX partner
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check (source_currency <> target_currency)
);
create index swaps_list on swaps (organization_id, inserted_at desc, id desc);
create index swaps_driven on swaps (updated_at) where status = 'executed';

-- What partners told us, as it came in: a hint to ask them. The id is the partner's own, so that a repeat is known.
create table partner_callbacks (
  partner text not null,
  id text not null,
  subject text not null check (subject in ('payment', 'deposit')),
  subject_id uuid not null,
  received_at timestamptz not null default business_now(),
  handled_at timestamptz,
  primary key (partner, id)
);
create index partner_callbacks_open on partner_callbacks (received_at) where handled_at is null;
create index partner_callbacks_handled on partner_callbacks (received_at);

-- What the audit found, until it is found no more.
create table audit_findings (
  id uuid primary key default uuidv7(),
  organization_id uuid not null references organizations,
  kind text not null check (kind in ('ledger', 'reconciliation')),
  check_name text not null,
  subject text not null,
  found_at timestamptz not null default business_now(),
  resolved_at timestamptz
);
create unique index audit_findings_open on audit_findings (organization_id, kind, check_name, subject)
  where resolved_at is null;

-- Set by the audit that found a fault in the books, cleared by an operator: until then no new money moves.
alter table organizations add column books_stopped_at timestamptz;

-- A pending row whose payment came to nothing leaves the feed, and stays for cursors that name it.
alter table transactions add column discarded_at timestamptz check (discarded_at is null or status = 'pending');
drop index transactions_feed;
create index transactions_feed on transactions (organization_id, feed_at desc, seq desc, id desc)
  where discarded_at is null;
create index transactions_deposit on transactions (deposit_id) where deposit_id is not null;
create index transactions_swap on transactions (swap_id) where swap_id is not null;

do $$
declare
  name text;
begin
  foreach name in array array['payment_quotes', 'receiving_accounts', 'swap_quotes', 'swaps', 'audit_findings']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own on %I using (organization_id is not distinct from (select current_organization()))
      with check (organization_id is not distinct from current_organization())', name);
    execute format('create policy definer on %I to business_finance_definer using (true)', name);
    execute format('grant select, insert, update on %I to business_finance_app', name);
    execute format('grant select on %I to business_finance_definer', name);
  end loop;
end
$$;
grant select, insert, update on unmatched_deposits to business_finance_app;
grant select, insert, update, delete on partner_callbacks to business_finance_app;

-- Which organization an id belongs to, told to its members only; nobody else learns that the id exists.
create or replace function locate(kind text, target uuid, person uuid)
returns table (organization_id uuid, role text, status text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, m.role, o.status
  from (select case kind
      when 'organization' then target
      when 'payment' then (select p.organization_id from payments p where p.id = target)
      when 'payment_contact' then (select c.organization_id from payment_contacts c where c.id = target)
      when 'payment_destination' then (select d.organization_id from payment_destinations d where d.id = target)
      when 'payment_quote' then (select q.organization_id from payment_quotes q where q.id = target)
      when 'transaction' then (select t.organization_id from transactions t where t.id = target)
      when 'deposit' then (select d.organization_id from deposits d where d.id = target)
      when 'swap_quote' then (select q.organization_id from swap_quotes q where q.id = target)
      when 'swap' then (select s.organization_id from swaps s where s.id = target)
    end) owner (id)
  join organizations o on o.id = owner.id
  join members m on m.organization_id = o.id and m.user_id = person
$$;

-- A partner knows our ids and not our organizations. A callback about a payment makes its workflow ask the partner again.
create function note_payment_news(payment uuid) returns table (organization_id uuid, status text, rail text)
language sql security definer set search_path = public, pg_temp
as $$
  update payments p set news = p.news + 1, updated_at = business_now()
  where p.id = payment and p.rail <> 'svc_id'
  returning p.organization_id, p.status, p.rail
$$;
grant update on payments to business_finance_definer;

-- Whose account a deposit names, and the account itself.
create function receiving_account(named text) returns table (id uuid, organization_id uuid, rail text, currency text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select r.id, r.organization_id, r.rail, r.currency from receiving_accounts r where r.account = named
$$;

-- Which organization a deposit of a partner was recorded for.
create function deposit_owner(partner_deposit uuid) returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$ select d.id, d.organization_id from deposits d where d.partner_deposit_id = partner_deposit $$;

-- Held deposits whose time to answer is over.
create function due_deposits() returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$ select d.id from deposits d where d.status = 'held' and d.release_by <= business_now() $$;

-- Rows that something must happen to and that nobody touched for a while: what the reconciler compares with Temporal.
create or replace function driven_rows(kind text, untouched_for interval, after uuid, batch integer)
returns table (id uuid, organization_id uuid, status text, rail text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.organization_id, d.status, d.rail from (
    select p.id, p.organization_id, p.status, p.rail, p.updated_at from payments p
    where kind = 'payments' and p.status in ('awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling')
    union all
    select p.id, p.organization_id, p.status, p.rail, p.updated_at from payments p
    where kind = 'payments' and p.news > p.news_read
      and p.status not in ('awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling')
    union all
    select c.id, c.organization_id, c.status, null, c.updated_at from payment_contacts c
    where kind = 'payment_contacts' and c.status = 'pending_approval'
    union all
    select i.id, i.organization_id, i.status, null, i.updated_at from invitations i
    where kind = 'invitations' and i.status in ('pending_approval', 'pending')
    union all
    select d.id, d.organization_id, d.status, d.rail, d.updated_at from deposits d
    where kind = 'deposits' and d.status = 'held'
    union all
    select s.id, s.organization_id, s.status, null, s.updated_at from swaps s
    where kind = 'swaps' and s.status = 'executed'
    union all
    select r.id, r.organization_id, r.status, r.rail, r.updated_at from receiving_accounts r
    where kind = 'receiving_accounts' and r.status = 'requested'
  ) d
  where d.updated_at < business_now() - untouched_for and (after is null or d.id > after)
  order by d.id limit batch
$$;

do $$
declare
  routine regprocedure;
begin
  grant create on schema public to business_finance_definer; -- a function is handed over only to a role that may create
  foreach routine in array array['note_payment_news(uuid)', 'receiving_account(text)', 'deposit_owner(uuid)',
    'due_deposits()']::regprocedure[]
  loop
    execute format('alter function %s owner to business_finance_definer', routine);
    execute format('revoke execute on function %s from public', routine);
    execute format('grant execute on function %s to business_finance_app', routine);
  end loop;
  revoke create on schema public from business_finance_definer;
end
$$;

-- As before, and between system accounts alone too: money that nobody could be found for.
-- Posts transfers in the given order, all of them or none. Every array of legs has one element for each leg; leg_transfer
-- is the position of its transfer in keys. A transfer whose key exists is left as it is.
-- Raises BF001 (overdraft; the detail carries available, required and currency) and BF002 (a transfer that is not zero).
create or replace function ledger_post(
  keys text[], organizations uuid[],
  leg_transfer integer[], leg_organization uuid[], leg_kind text[], leg_currency text[], leg_amount numeric[]
) returns setof ledger_posting
language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off -- the rows are few and known by key, which the planner cannot see from arrays
  set plan_cache_mode = force_generic_plan -- planning anew for each call costs ten times what the call does
as $$
declare
  nil constant uuid := '00000000-0000-0000-0000-000000000000';
  accounts ledger_accounts[];
  postings ledger_posting[];
  new_keys text[];
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
  perform ledger_lock(leg_organization, leg_currency, leg_kind);

  -- statements of their own: a wait inside the lock does not refresh its snapshot
  select array_agg(k.key) into new_keys from unnest(keys) k (key)
  where not exists (select from ledger_transfers t where t.key = k.key);
  if new_keys is null then
    return;
  end if;
  select array_agg(a) into accounts from ledger_accounts a
  where a.organization_id = any (leg_organization) and a.currency = any (leg_currency);
  if exists (select from unnest(leg_transfer, leg_currency, leg_amount) l (transfer, currency, amount)
    group by l.transfer, l.currency having sum(l.amount) <> 0) then
    raise exception 'a transfer does not sum to zero' using errcode = 'BF002';
  end if;
  -- the clock now, not at the statement's start: whoever waited for the lock must not post into the past
  select greatest(clock_timestamp() + make_interval(secs => c.offset_seconds), latest.posted_at + interval '1 microsecond')
  into posting_time
  from business_clock c, (select max(a.last_posted_at) filter (where a.organization_id <> nil) as posted_at
    from unnest(accounts) a) latest;

  select array_agg(row(p.key, p.organization_id, p.kind, p.currency, p.amount, p.balance, p.total, posting_time, p.feed_seq,
    p.account_id, p.seq)::ledger_posting order by p.transfer) into postings
  from (
    select l.transfer, keys[l.transfer] as key, l.organization_id, l.kind, l.currency, l.amount, a.id as account_id,
      case when l.organization_id <> nil then a.seq + row_number() over account end as seq,
      case when l.organization_id <> nil then a.balance + sum(l.amount) over account end as balance,
      case when l.organization_id <> nil then t.balance + sum(l.amount) over pair end as total,
      case when l.organization_id <> nil then t.seq + count(*) over pair else 0 end as feed_seq
    from (
      select l.transfer, l.organization_id, l.kind, l.currency, sum(l.amount) as amount
      from unnest(leg_transfer, leg_organization, leg_kind, leg_currency, leg_amount)
        l (transfer, organization_id, kind, currency, amount)
      where keys[l.transfer] = any (new_keys)
      group by 1, 2, 3, 4 having sum(l.amount) <> 0
    ) l
    join unnest(accounts) a on a.organization_id = l.organization_id and a.currency = l.currency and a.kind = l.kind
    join (
      select s.organization_id, s.currency, sum(s.balance) as balance, sum(s.seq)::bigint as seq
      from unnest(accounts) s group by 1, 2
    ) t on t.organization_id = l.organization_id and t.currency = l.currency
    window account as (partition by l.organization_id, l.currency, l.kind order by l.transfer),
      pair as (partition by l.organization_id, l.currency order by l.transfer, l.kind)
  ) p;

  select p.* into short from unnest(postings) p where p.balance < 0 and p.amount < 0 limit 1;
  if found then
    raise exception 'insufficient funds' using errcode = 'BF001', detail = jsonb_build_object(
      'available', (short.balance - short.amount)::text, 'required', (-short.amount)::text, 'currency', short.currency)::text;
  end if;

  with transfers as (
    insert into ledger_transfers (key, organization_id, posted_at)
    select t.key, t.organization_id, posting_time from unnest(keys, organizations) t (key, organization_id)
    where t.key = any (new_keys)
    returning id, key
  )
  insert into ledger_entries (transfer_id, account_id, organization_id, amount, posted_at, seq, balance)
  select t.id, p.account_id, p.organization_id, p.amount, posting_time, p.seq, p.balance
  from unnest(postings) p join transfers t on t.key = p.key;

  update ledger_accounts a
  set balance = a.balance + moved.amount, seq = a.seq + moved.entries, last_posted_at = posting_time
  from (select p.account_id, sum(p.amount) as amount, count(*) as entries from unnest(postings) p
    where p.organization_id <> nil group by 1) moved
  where a.id = moved.account_id;

  return query select p.* from unnest(postings) p;
end
$$;

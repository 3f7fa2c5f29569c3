-- API and workers of the code before are stopped while this is applied: they would write rows that no process lists.
--
-- What has a process: a row stands here while a workflow drives what it names, or while nobody has looked at its latest
-- change. It is outbox, list of deadlines and list of what is driven in one.

create table processes (
  id uuid primary key,
  workflow text not null, -- the workflow id is workflow || '-' || id
  organization_id uuid,
  rail text,
  status text, -- as it was at the latest change
  ref jsonb, -- what a start needs beside the ids
  version bigint not null default 1,
  why text not null, -- the latest reason, and the name of the signal
  look_at timestamptz not null default business_now(), -- from when somebody has to wake it; infinity: it waits
  told integer not null default 0, -- how often the sweep has signalled it since it was seen
  unseen_since timestamptz default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create index processes_look_at on processes (look_at); -- whole: with a partial one `<= now()` was a sequential scan
alter table processes enable row level security;
alter table processes force row level security;
create policy definer on processes to business_finance_definer using (true) with check (true);
grant select, insert, update, delete on processes to business_finance_definer;

-- Notes that a workflow has to look, of each row that is named: the last statement of the transaction that changes them. The
-- rows are locked in the order of their ids. Fresh is what nobody has been told of yet. What is unseen stays so: a change
-- neither begins the grace of the sweep anew nor forgets how often it told in vain.
create function wake(given jsonb)
returns table (id uuid, workflow text, organization_id uuid, rail text, status text, ref jsonb, why text, fresh boolean)
language sql security definer set search_path = public, pg_temp
as $$
  insert into processes as p (id, workflow, organization_id, rail, status, ref, why)
  select g.id, g.workflow, g.organization_id, g.rail, g.status, g.ref, g.why
  from jsonb_to_recordset(given)
    g (id uuid, workflow text, organization_id uuid, rail text, status text, ref jsonb, why text)
  order by g.id
  on conflict on constraint processes_pkey do update set version = p.version + 1,
    look_at = least(p.look_at, business_now()), told = case when p.unseen_since is null then 0 else p.told end,
    why = excluded.why, changed_at = clock_timestamp(), unseen_since = coalesce(p.unseen_since, clock_timestamp()),
    organization_id = coalesce(p.organization_id, excluded.organization_id), rail = coalesce(excluded.rail, p.rail),
    status = coalesce(excluded.status, p.status), ref = coalesce(excluded.ref, p.ref)
  returning p.id, p.workflow, p.organization_id, p.rail, p.status, p.ref, p.why,
    old.id is null or old.look_at > business_now()
$$;

-- The version of a process, which a look reads before the row itself; none where there is no process. Versions begin anew
-- with each process of a row: the instant of the change tells them apart.
create function process_version(process uuid) returns table (version bigint, changed_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$ select p.version, p.changed_at from processes p where p.id = process $$;

-- A look has seen this version, and waits until the deadline or for the next change: answers how many seconds that are. No
-- row where another change came meanwhile.
create function acknowledge(process uuid, seen bigint, seen_at timestamptz, deadline timestamptz, now_status text)
returns table (wait_seconds double precision)
language sql security definer set search_path = public, pg_temp
as $$
  update processes p
  set look_at = coalesce(deadline, 'infinity'), told = 0, unseen_since = null, status = now_status
  where p.id = process and p.version = seen and p.changed_at = seen_at
  returning case when deadline is not null then extract(epoch from deadline - business_now())::double precision end
$$;

-- A look has seen this version of a row that nothing happens to any more. False where another change came meanwhile.
create function put_at_rest(process uuid, seen bigint, seen_at timestamptz) returns boolean
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from processes p where p.id = process and p.version = seen and p.changed_at = seen_at returning 1)
  select exists (select from gone)
$$;

-- Takes processes that somebody has to wake: unseen for longer than the grace, or due. Each is taken again after a minute, and
-- then later and later, until a look has seen it. Several may sweep at once.
create function sweep_processes(grace interval, most integer) returns setof processes
language sql security definer set search_path = public, pg_temp
as $$
  update processes p set told = p.told + 1, unseen_since = coalesce(p.unseen_since, clock_timestamp()),
    look_at = business_now() + least(interval '1 hour', interval '1 minute' * 2 ^ least(p.told, 6))
  from (select q.id from processes q where q.look_at <= business_now() - grace order by q.look_at limit most
    for update skip locked) due
  where p.id = due.id
  returning p.*
$$;

-- Gives back what was taken and could not be told, unless it has changed since.
create function put_back_processes(ids uuid[], versions bigint[]) returns void
language sql security definer set search_path = public, pg_temp
as $$
  update processes p set told = greatest(p.told - 1, 0), look_at = least(p.look_at, business_now() - interval '3 seconds')
  from (select q.id from processes q join unnest(ids, versions) g (id, version) on g.id = q.id and g.version = q.version
    order by q.id for update of q) given
  where p.id = given.id
$$;

-- Who waits, by id: each of them has to have a run.
create function waiting_processes(after uuid, batch integer) returns table (id uuid, workflow text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select p.id, p.workflow from processes p
  where (after is null or p.id > after) and p.told = 0 and p.look_at > business_now()
  order by p.id limit batch
$$;

-- Has those that wait and have no run woken; answers how many. One that changed within the last minute may be on its way.
create function wake_missing(ids uuid[]) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with woken as (
    update processes p set look_at = business_now() - interval '3 seconds', unseen_since = clock_timestamp()
    from (select q.id from processes q
      where q.id = any (ids) and q.told = 0 and q.look_at > business_now()
        and q.changed_at < clock_timestamp() - interval '1 minute'
      order by q.id for update) missing
    where p.id = missing.id
    returning 1)
  select count(*)::integer from woken
$$;

-- How many seconds ago the oldest change came that nobody has looked at; null where all is seen.
create function oldest_unseen_seconds() returns double precision
language sql stable security definer set search_path = public, pg_temp
as $$
  select max(greatest(extract(epoch from clock_timestamp() - p.unseen_since),
    extract(epoch from business_now() - p.look_at)))::double precision
  from processes p where p.look_at <= business_now() + interval '1 hour' and (p.unseen_since is not null or p.look_at <= business_now())
$$;

-- Processes as an operator lists them: one of them, or those that were changed first.
create function open_processes(named uuid, most integer) returns setof processes
language sql stable security definer set search_path = public, pg_temp
as $$ select * from processes p where named is null or p.id = named order by p.unseen_since nulls last, p.changed_at limit most $$;

-- A partner, the rates desk or the mail server is asked again at an instant that stands in the row: null is at once. `asks`
-- counts how often it was asked without anything new.
do $$
declare
  driven text;
begin
  foreach driven in array array['payments', 'deposits', 'swaps', 'receiving_accounts', 'messages'] loop
    execute format('alter table %I add column ask_at timestamptz, add column asks integer not null default 0,
      add column unclear_since timestamptz, add column ask_note text', driven);
  end loop;
end
$$;
grant select on messages, partner_callbacks to business_finance_definer;

-- Notes that a partner called about a payment, which is asked about at once; no row where no partner pays it.
create or replace function note_payment_call(payment uuid, version integer)
returns table (organization_id uuid, status text, rail text)
language sql security definer set search_path = public, pg_temp
as $$
  update payments p
  set news = p.news + 1, called_version = greatest(p.called_version, note_payment_call.version), ask_at = null,
    updated_at = business_now()
  where p.id = payment and p.rail <> 'svc_id'
  returning p.organization_id, p.status, p.rail
$$;

-- Notes that a partner called about a deposit, which is asked about at once where it is held; no row where nobody has it.
create function note_deposit_call(of_partner text, partner_deposit uuid)
returns table (id uuid, organization_id uuid, status text, rail text)
language sql security definer set search_path = public, pg_temp
as $$
  update deposits d
  set partner_calls = d.partner_calls + case d.status when 'held' then 1 else 0 end,
    ask_at = case d.status when 'held' then null else d.ask_at end
  where d.rail = case of_partner when 'bank' then 'fiat' else 'crypto' end and d.partner_deposit_id = partner_deposit
  returning d.id, d.organization_id, d.status, d.rail
$$;
grant update on deposits to business_finance_definer;

-- What the audit finds: rows that a process must drive and that have none, and processes that nobody looks at.
create function process_faults(most integer)
returns table (check_name text, workflow text, id uuid, organization_id uuid, rail text, status text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select 'no_process', d.* from (
    select 'payment' as workflow, p.id, p.organization_id, p.rail, p.status from payments p
    where p.status in ('awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling')
    union all
    select 'payment', p.id, p.organization_id, p.rail, p.status from payments p
    where p.news > p.news_read
      and p.status not in ('awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling')
    union all
    select 'payment-contact', c.id, c.organization_id, null, c.status from payment_contacts c
    where c.status = 'pending_approval'
    union all
    select 'invitation', i.id, i.organization_id, null, i.status from invitations i
    where i.status in ('pending_approval', 'pending')
    union all
    select 'deposit', d.id, d.organization_id, d.rail, d.status from deposits d where d.status = 'held'
    union all
    select 'swap', s.id, s.organization_id, null, s.status from swaps s where s.status = 'executed'
    union all
    select 'receiving-account', r.id, r.organization_id, r.rail, r.status from receiving_accounts r
    where r.status = 'requested'
    union all
    select 'delivery', m.id, null, null, m.status from messages m where m.status = 'queued'
  ) d
  where not exists (select from processes p where p.id = d.id)
  union all
  select 'nobody_looked', p.workflow, p.id, p.organization_id, p.rail, p.status from processes p
  where p.told >= 4 or p.look_at <= business_now() - interval '10 minutes'
    or p.unseen_since < clock_timestamp() - interval '10 minutes'
  order by 1, 2, 3 limit most
$$;

do $$
declare
  routine regprocedure;
begin
  grant create on schema public to business_finance_definer; -- a function is handed over only to a role that may create
  foreach routine in array array['wake(jsonb)', 'process_version(uuid)', 'acknowledge(uuid, bigint, timestamptz, timestamptz, text)',
    'put_at_rest(uuid, bigint, timestamptz)', 'sweep_processes(interval, integer)', 'put_back_processes(uuid[], bigint[])',
    'waiting_processes(uuid, integer)', 'wake_missing(uuid[])', 'oldest_unseen_seconds()',
    'open_processes(uuid, integer)', 'note_deposit_call(text, uuid)', 'process_faults(integer)']::regprocedure[]
  loop
    execute format('alter function %s owner to business_finance_definer', routine);
    execute format('revoke execute on function %s from public', routine);
    execute format('grant execute on function %s to business_finance_app', routine);
  end loop;
  revoke create on schema public from business_finance_definer;
end
$$;

-- As before, with a SQLSTATE of its own: the request looks again.
create or replace function payees_are_there() returns trigger
language plpgsql
as $$
begin
  perform from payment_contacts c where c.id in (select m.payment_contact_id from made m) order by c.id for key share;
  if exists (select from made m where not exists (
    select from payment_contacts c join payment_destinations d on d.payment_contact_id = c.id
    where c.id = m.payment_contact_id and d.id = m.destination_id and c.deleted_at is null and d.deleted_at is null
      and not d.pending)) then
    raise exception using errcode = 'BF002',
      message = 'a payment to a contact or destination that is not there any more';
  end if;
  return null;
end
$$;

-- What is driven already is woken once.
insert into processes (id, workflow, organization_id, rail, status, why)
select p.id, 'payment', p.organization_id, p.rail, p.status, 'migrated' from payments p
where p.status in ('awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling') or p.news > p.news_read
union all
select c.id, 'payment-contact', c.organization_id, null, c.status, 'migrated' from payment_contacts c
where c.status = 'pending_approval'
union all
select i.id, 'invitation', i.organization_id, null, i.status, 'migrated' from invitations i
where i.status in ('pending_approval', 'pending')
union all
select d.id, 'deposit', d.organization_id, d.rail, d.status, 'migrated' from deposits d where d.status = 'held'
union all
select s.id, 'swap', s.organization_id, null, s.status, 'migrated' from swaps s where s.status = 'executed'
union all
select r.id, 'receiving-account', r.organization_id, r.rail, r.status, 'migrated' from receiving_accounts r
where r.status = 'requested'
union all
select m.id, 'delivery', null, null, m.status, 'migrated' from messages m where m.status = 'queued';

drop function driven_rows(text, interval, uuid, integer);
drop function due_approvals();
drop function due_deposits();
drop function due_invitations();
drop index approvals_due, approvals_reminders, deposits_held, invitations_due;
drop index partner_callbacks_open;
create index partner_callbacks_open on partner_callbacks (subject_id) where handled_at is null;

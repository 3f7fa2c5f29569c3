-- The transactional outbox of workflow wake-ups; only the definer role reads and writes it.

set local role business_finance_definer;

-- Wakes the workflows of the given rows: the last statement of the transaction that changes them. Locks in the order of
-- ids. `fresh` is a change that no signal announced yet. A process that is unseen keeps its grace and its backoff.
-- `follows` is the cause before this one (traces).
drop function if exists wake(jsonb); -- it answers more now
create or replace function wake(given jsonb)
returns table (id uuid, workflow text, organization_id uuid, rail text, status text, ref jsonb, why text,
  traceparent text, fresh boolean, follows text)
language sql security definer set search_path = public, pg_temp
as $$
  insert into processes as p (id, workflow, organization_id, rail, status, ref, why, traceparent)
  select g.id, g.workflow, g.organization_id, g.rail, g.status, g.ref, g.why, g.traceparent
  from jsonb_to_recordset(given)
    g (id uuid, workflow text, organization_id uuid, rail text, status text, ref jsonb, why text, traceparent text)
  order by g.id
  on conflict on constraint processes_pkey do update set version = p.version + 1,
    look_at = least(p.look_at, business_now()), told = case when p.unseen_since is null then 0 else p.told end,
    why = excluded.why, changed_at = clock_timestamp(), unseen_since = coalesce(p.unseen_since, clock_timestamp()),
    organization_id = coalesce(p.organization_id, excluded.organization_id), rail = coalesce(excluded.rail, p.rail),
    status = coalesce(excluded.status, p.status), ref = coalesce(excluded.ref, p.ref), traceparent = excluded.traceparent
  returning p.id, p.workflow, p.organization_id, p.rail, p.status, p.ref, p.why, p.traceparent,
    old.id is null or old.look_at > business_now(), old.traceparent
$$;
grant execute on function wake(jsonb) to business_finance_app;

-- Reads the version of a process; a look reads it before the row. Versions restart with each process of a row, and
-- `changed_at` tells them apart.
create or replace function process_version(process uuid) returns table (version bigint, changed_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$ select p.version, p.changed_at from processes p where p.id = process $$;
grant execute on function process_version(uuid) to business_finance_app;

-- Acknowledges a version that a look has seen; answers the seconds until its deadline, no row after another change. What
-- follows is caused by the look (`trace`).
drop function if exists acknowledge(uuid, bigint, timestamptz, timestamptz, text); -- it is given more now
create or replace function acknowledge(
  process uuid, seen bigint, seen_at timestamptz, deadline timestamptz, now_status text, trace text default null)
returns table (wait_seconds double precision)
language sql security definer set search_path = public, pg_temp
as $$
  update processes p
  set look_at = coalesce(deadline, 'infinity'), told = 0, unseen_since = null, status = now_status, traceparent = trace
  where p.id = process and p.version = seen and p.changed_at = seen_at
  returning case when deadline is not null then extract(epoch from deadline - business_now())::double precision end
$$;
grant execute on function acknowledge(uuid, bigint, timestamptz, timestamptz, text, text) to business_finance_app;

-- Reads what caused the latest change of a process, for the traces of its activities.
create or replace function cause_of_process(process uuid) returns text
language sql stable security definer set search_path = public, pg_temp
as $$ select p.traceparent from processes p where p.id = process $$;
grant execute on function cause_of_process(uuid) to business_finance_app;

-- Deletes the process of a row at rest. False after another change than the one that the look has seen.
create or replace function put_at_rest(process uuid, seen bigint, seen_at timestamptz) returns boolean
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from processes p where p.id = process and p.version = seen and p.changed_at = seen_at returning 1)
  select exists (select from gone)
$$;
grant execute on function put_at_rest(uuid, bigint, timestamptz) to business_finance_app;

-- Takes processes to signal: unseen for longer than the grace, or due. Repeats after 30 seconds, with backoff, until a
-- look has seen them. Several workers may sweep at once.
create or replace function sweep_processes(grace interval, most integer) returns setof processes
language sql security definer set search_path = public, pg_temp
as $$
  update processes p set told = p.told + 1, unseen_since = coalesce(p.unseen_since, clock_timestamp()),
    look_at = business_now() + least(interval '1 hour', interval '30 seconds' * 2 ^ least(p.told, 7))
  from (select q.id from processes q where q.look_at <= business_now() - grace order by q.look_at limit most
    for update skip locked) due
  where p.id = due.id
  returning p.*
$$;
grant execute on function sweep_processes(interval, integer) to business_finance_app;

-- Gives back taken processes that could not be signalled, unless they have changed since.
create or replace function put_back_processes(ids uuid[], versions bigint[]) returns void
language sql security definer set search_path = public, pg_temp
as $$
  update processes p set told = greatest(p.told - 1, 0), look_at = least(p.look_at, business_now() - interval '3 seconds')
  from (select q.id from processes q join unnest(ids, versions) g (id, version) on g.id = q.id and g.version = q.version
    order by q.id for update of q) given
  where p.id = given.id
$$;
grant execute on function put_back_processes(uuid[], bigint[]) to business_finance_app;

-- Lists processes by id; each must have a run.
create or replace function waiting_processes(after uuid, batch integer) returns table (id uuid, workflow text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select p.id, p.workflow from processes p
  where (after is null or p.id > after) and p.told = 0 and p.look_at > business_now()
  order by p.id limit batch
$$;
grant execute on function waiting_processes(uuid, integer) to business_finance_app;

-- Lists the ids that have no process.
create or replace function without_process(ids uuid[]) returns setof uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select g from unnest(ids) g where not exists (select from processes p where p.id = g) $$;
grant execute on function without_process(uuid[]) to business_finance_app;

-- Wakes processes without a run, and counts them. Skips changes of the last minute, whose signal may be on its way.
create or replace function wake_missing(ids uuid[]) returns integer
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
grant execute on function wake_missing(uuid[]) to business_finance_app;

-- Reads the age in seconds of the oldest unseen change; null if all are seen.
create or replace function oldest_unseen_seconds() returns double precision
language sql stable security definer set search_path = public, pg_temp
as $$
  select max(greatest(extract(epoch from clock_timestamp() - p.unseen_since),
    extract(epoch from business_now() - p.look_at)))::double precision
  from processes p where p.look_at <= business_now() + interval '1 hour' and (p.unseen_since is not null or p.look_at <= business_now())
$$;
grant execute on function oldest_unseen_seconds() to business_finance_app;

-- Lists processes for operators: the named one, or the oldest.
create or replace function open_processes(named uuid, most integer) returns setof processes
language sql stable security definer set search_path = public, pg_temp
as $$ select * from processes p where named is null or p.id = named order by p.unseen_since nulls last, p.changed_at limit most $$;
grant execute on function open_processes(uuid, integer) to business_finance_app;

-- Audits processes: finds rows that must be driven and have none, and processes that no look has seen. `flows` names for
-- each flow its table, workflow, driven states, and whether a callback about a row at rest counts too.
create or replace function process_faults(flows jsonb, most integer)
returns table (check_name text, workflow text, id uuid, organization_id uuid, rail text, status text)
language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare
  missing text;
begin
  select string_agg(format(
    'select %L, %L, r.id, (to_jsonb(r) ->> %L)::uuid, to_jsonb(r) ->> %L, r.status from public.%I r
    where %s and not exists (select from processes p where p.id = r.id)',
    'no_process', f.workflow, 'organization_id', 'rail', f."table", must.have_one), ' union all ') into missing
  from jsonb_to_recordset(flows) f (workflow text, "table" text, driven text[], "calledAtRest" boolean),
    lateral (
      select format('r.status = any (%L::text[])', f.driven)
      union all
      select format('r.callbacks_received > r.callbacks_processed and r.status <> all (%L::text[])', f.driven)
      where f."calledAtRest"
    ) must (have_one)
  -- the caller names tables, and learns of none but these
  where is_driven(f."table");
  return query execute missing || '
    union all
    select $1, p.workflow, p.id, p.organization_id, p.rail, p.status from processes p
    where p.told >= 4 or p.look_at <= business_now() - $2 or p.unseen_since < clock_timestamp() - $2
    order by 1, 2, 3 limit $3' using 'nobody_looked', interval '10 minutes', most;
end
$$;
grant execute on function process_faults(jsonb, integer) to business_finance_app;

-- Counts what is under way at each partner: rows that an approval has let go, by workflow and rail.
create or replace function count_under_way() returns table (workflow text, rail text, count integer)
language sql stable security definer set search_path = public, pg_temp
as $$
  select p.workflow, p.rail, count(*)::integer from processes p
  where p.workflow in ('payment', 'deposit', 'cover') and p.status is distinct from 'awaiting_approval'
  group by p.workflow, p.rail
$$;
grant execute on function count_under_way() to business_finance_app;

-- Counts what a connection still has, and what it would get once people approve it; count_under_way() is that of the
-- release before.
create or replace function count_at_connections() returns table (workflow text, connection text, count integer)
language sql stable security definer set search_path = public, pg_temp
as $$
  select p.workflow, coalesce((select m.connection from payments m where m.id = p.id),
    (select d.connection from deposits d where d.id = p.id), (select c.connection from covers c where c.id = p.id),
    (select r.connection from receiving_accounts r where r.id = p.id),
    case p.workflow when 'cover' then 'rates' else connection_of(p.rail, null) end) as connection, count(*)::integer
  from processes p
  where p.workflow in ('payment', 'deposit', 'cover', 'receiving-account')
  group by 1, 2
$$;
grant execute on function count_at_connections() to business_finance_app;

-- Has the runs of what waits at resumed connections look again: the next sweep signals them. A look that is under
-- way sees a later version, and begins again.
create or replace function wake_resumed(names text[]) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with waiting as (
    select p.id from processes p
    where case p.workflow
      when 'payment' then p.status in ('submitted', 'on_hold', 'cancelling') and
        (select connection_of(m.rail, m.connection) from payments m where m.id = p.id) = any (names)
      when 'deposit' then p.status = 'held' and
        (select connection_of(d.rail, d.connection) from deposits d where d.id = p.id) = any (names)
      when 'receiving-account' then
        (select connection_of(r.rail, r.connection) from receiving_accounts r where r.id = p.id) = any (names)
      when 'cover' then
        (select coalesce(k.connection, 'rates') from covers k where k.id = p.id) = any (names) end
    order by p.id for update
  ), woken as (
    update processes p set version = p.version + 1, look_at = least(p.look_at, business_now()), told = 0, why = 'resumed',
      changed_at = clock_timestamp()
    from waiting w where p.id = w.id returning 1)
  select count(*)::integer from woken
$$;
grant execute on function wake_resumed(text[]) to business_finance_app;

-- Counts the orders that each connection has: since when the one that changed longest ago stands, the one that it has not
-- taken, and those on which it has been silent for longer than since its last call.
create or replace function connection_orders()
returns table (connection text, open integer, oldest_at timestamptz, oldest_seconds double precision,
  waiting_seconds double precision, uncalled_seconds double precision, on_hold integer)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.connection, o.open, o.oldest_at, extract(epoch from business_now() - o.oldest_at)::double precision,
    extract(epoch from business_now() - o.waiting_since)::double precision,
    extract(epoch from business_now() - greatest(o.taken_since, c.called_at))::double precision, o.on_hold
  from (
    select connection_of(m.rail, m.connection) as connection, count(*)::integer as open, min(m.updated_at) as oldest_at,
      min(m.updated_at) filter (where m.status = 'submitted') as waiting_since,
      min(m.updated_at) filter (where m.status = 'processing') as taken_since,
      count(*) filter (where m.status = 'on_hold')::integer as on_hold
    from processes p join payments m on m.id = p.id
    where p.workflow = 'payment' and m.status in ('submitted', 'processing', 'on_hold', 'cancelling')
      and m.rail in ('fiat', 'crypto')
    group by 1) o
  left join lateral (select max(k.received_at) as called_at from partner_callbacks k where k.partner = o.connection) c on true
$$;
grant execute on function connection_orders() to business_finance_app;

-- For operators: names what a process is about, and the people who can approve it while it waits for them.
drop function if exists operator_process(uuid);
create or replace function operator_process(process uuid)
returns table (organization text, payee text, amount text, currency text, reason text, connection text, partner_reference text,
  request text, expires_at timestamptz, approvers text[])
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.name, coalesce(p.destination_name, d.source ->> 'name', b.supplier_name),
    coalesce(p.landing_amount, d.amount, b.amount)::text, coalesce(p.landing_currency, d.currency, b.currency),
    coalesce(p.ask_note, d.ask_note, p.status_detail),
    connection_of(coalesce(p.rail, d.rail), coalesce(p.connection, d.connection)), coalesce(p.partner_reference, d.partner_reference),
    a.summary, a.expires_at,
    (select array_agg(coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) order by u.id)
      from members m join people u on u.id = m.user_id
      where m.organization_id = a.organization_id and (m.role = any (w.named_roles) or m.user_id = any (w.named_user_ids)))
  from processes s left join organizations o on o.id = s.organization_id
  left join payments p on p.id = s.id left join deposits d on d.id = s.id left join bills b on b.id = s.id
  left join lateral (select * from approvals q where q.organization_id = s.organization_id and q.target_id = s.id
    and q.status = 'pending' order by q.inserted_at desc limit 1) a on true
  left join approval_waits w on w.id = a.wait_id
  where s.id = process
$$;
grant execute on function operator_process(uuid) to business_finance_app;

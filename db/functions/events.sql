-- Events are append-only, and chained by hashes.

create or replace trigger events_are_immutable before update or delete or truncate on events
  execute function refuse_change();

create or replace trigger event_chain_is_immutable before update or delete or truncate on event_chain
  execute function refuse_change();

-- Finds the cause of an event, so that no writer can forget it or make it up; none if it began outside. In this order:
-- 1. the event before it about the same subject, of the same cause and transaction: the steps of one move;
-- 2. the first event of that cause in this transaction: the decision that submits a payment;
-- 3. the event that the transaction names: causeEach(), causesWhatFollows() of services/events.ts;
-- 4. the event before it about the same subject, unless people and operators begin what happens to that.
create or replace function find_causation() returns trigger language plpgsql
  set enable_seqscan = off -- kept for a session, a plan of the time when the log was short would read all of it
as $$
declare
  latest events;
begin
  -- not distinct, and not equal: of the indexes only that of the subject can be used, and not that of the organization
  select e.* into latest from events e
  where e.organization_id is not distinct from new.organization_id and e.subject_id = new.subject_id
  order by e.occurred_at desc, e.id desc limit 1;
  new.causation_id := coalesce(
    case when latest.xact = new.xact and latest.cause = new.cause then latest.id end,
    (select e.id from events e
      where e.xact = new.xact and e.cause = new.cause and e.organization_id is not distinct from new.organization_id
      order by e.occurred_at, e.id limit 1),
    (nullif(current_setting('app.causation_ids', true), '')::jsonb ->> new.subject_id::text)::uuid,
    nullif(current_setting('app.causation_id', true), '')::uuid,
    case when new.stream not in ('organizations', 'members', 'approval_policies') then latest.id end);
  return new;
end
$$;

-- Names the delegate of the transaction in each event of its person, so that no writer can forget it: as `provider`,
-- `delegate:<id>`. An agent is a language model that acts for its person.
create or replace function name_delegate() returns trigger language plpgsql
as $$
declare
  delegate text := nullif(current_setting('app.delegate', true), ''); -- <kind>:<id>
begin
  if delegate is not null and new.actor_kind = 'user' then
    new.provider := 'delegate:' || split_part(delegate, ':', 2);
    if split_part(delegate, ':', 1) = 'agent' then
      new.actor_kind := 'llm_on_behalf_of_user';
    end if;
  end if;
  return new;
end
$$;

create or replace trigger events_name_delegates before insert on events
  for each row execute function name_delegate();

create or replace trigger events_have_causes before insert on events
  for each row execute function find_causation();

-- RFC 8785 canonical JSON of an event as `GET …/events` answers it, without the hash. The payload is canonical already.
create or replace function canonical_event(e events, seq bigint) returns text
language sql stable
as $$
  select concat('{"actor_kind":', coalesce(to_json(e.actor_kind)::text, 'null'),
    ',"actor_user_id":', coalesce(to_json(e.actor_user_id)::text, 'null'),
    ',"causation_id":', coalesce(to_json(e.causation_id)::text, 'null'),
    ',"cause":', to_json(e.cause),
    ',"correlation_id":', coalesce(to_json(e.correlation_id)::text, 'null'),
    ',"event_type":', to_json(e.type),
    ',"id":', to_json(e.id),
    ',"kind":', to_json(e.kind),
    ',"occurred_at":"',
      rtrim(rtrim(to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.'), 'Z"',
    ',"organization_id":', to_json(e.organization_id),
    ',"payload":', coalesce(e.payload, 'null'),
    ',"provider":', coalesce(to_json(e.provider)::text, 'null'),
    ',"seq":', coalesce(seq::text, 'null'),
    ',"stream":', to_json(e.stream),
    ',"subject_id":', to_json(e.subject_id), '}')
$$;
grant execute on function canonical_event(events, bigint) to business_finance_app, business_finance_definer;

set local role business_finance_definer;

-- Chains these events in the order of the list. The caller holds the lock of the chain.
create or replace function chain_events(ids uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  organization uuid;
  previous bytea;
  next record;
begin
  for next in
    with fresh as (
      select i.place, e as event, e.organization_id, e.occurred_at
      from unnest(ids) with ordinality i (id, place) join events e on e.id = i.id
    ), heads as (
      select o.organization_id, h.*
      from (select distinct organization_id from fresh) o left join lateral (
        select c.seq, c.hash, c.latest_at, c.lateness from event_chain c
        where c.organization_id = o.organization_id order by c.seq desc limit 1) h on true
    ), placed as (
      select f.*, h.hash, coalesce(h.lateness, '0') as lateness,
        coalesce(h.seq, 0) + row_number() over own as seq, greatest(h.latest_at, max(f.occurred_at) over own) as latest_at
      from fresh f join heads h using (organization_id)
      window own as (partition by f.organization_id order by f.place)
    )
    select p.organization_id, p.seq, p.event, p.hash, p.latest_at, canonical_event(p.event, p.seq) as canonical,
      greatest(p.lateness, max(p.latest_at - p.occurred_at) over (partition by p.organization_id order by p.seq)) as lateness
    from placed p order by p.organization_id, p.seq
  loop
    if next.organization_id is distinct from organization then
      organization := next.organization_id;
      previous := coalesce(next.hash, '');
    end if;
    previous := sha256(previous || convert_to(next.canonical, 'UTF8'));
    insert into event_chain (organization_id, seq, event_id, stream, type, subject_id, occurred_at, latest_at, lateness, hash)
    values (organization, next.seq, (next.event).id, (next.event).stream, (next.event).type, (next.event).subject_id,
      (next.event).occurred_at, next.latest_at, next.lateness, previous);
  end loop;
end
$$;

-- Chains committed events that have no place yet, in the order in which they were written: `most`, and with `shared` a
-- twentieth of what it has to look at, so that a backlog shrinks whatever comes in. Answers their number and organizations.
drop function if exists extend_event_chain(integer);
create or replace function extend_event_chain(most integer, shared boolean default true)
returns table (chained integer, organization_ids uuid[])
language plpgsql security definer set search_path = public, pg_temp
  -- whatever the planner knows of a log that has grown since it looked, little of it is read: by its indexes
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  now_running pg_snapshot;
  seen pg_snapshot;
  fresh_ones integer;
  ids uuid[];
begin
  perform pg_advisory_xact_lock(7340027 /* LOCKS.eventChain */);
  now_running := pg_current_snapshot(); -- before the snapshot in which events are read
  select case when pg_snapshot_xmin(p.seen) = p.xact then p.seen
    else concat(greatest(p.xact, '1'), ':', greatest(p.xact, '1'), ':')::pg_snapshot end
  into strict seen from event_chain_position p;
  -- All that is committed, whatever runs beside it: of two events about a subject, the later one is never visible
  -- alone. Sorted before the limit cuts, so that no transaction id decides what comes first.
  with looked as materialized (
    select e.id, e.written, e.xact, e.occurred_at, e.organization_id
    from (select * from events where xact = any (array(select pg_snapshot_xip(seen)))
      union all select * from events where xact >= pg_snapshot_xmax(seen)
        and xact < pg_snapshot_xmax(pg_current_snapshot())) e -- those of another cluster, of a restored dump, are ahead
  ), fresh as materialized (
    select l.* from looked l where not exists (select from event_chain c where c.event_id = l.id)
  ), earliest as (
    select f.* from fresh f order by f.written nulls first, f.xact, f.occurred_at, f.id
    limit case when shared then greatest(most, (select count(*) / 20 from looked)) else most end
  )
  select array_agg(f.id order by f.written nulls first, f.xact, f.occurred_at, f.id),
    array_agg(distinct f.organization_id), (select count(*) from fresh)
  into ids, organization_ids, fresh_ones from earliest f;
  chained := coalesce(cardinality(ids), 0);
  if chained > 0 then
    perform set_config('synchronous_commit', 'on', true); -- another call would give them other places
    perform chain_events(ids);
  end if;
  if chained > 0 and chained = fresh_ones then
    update event_chain_position p set xact = pg_snapshot_xmin(now_running), seen = now_running;
  end if;
  return next;
end
$$;
grant execute on function extend_event_chain(integer, boolean) to business_finance_app;

-- Reads how far the logs of these organizations go.
create or replace function event_chain_heads(organizations uuid[])
returns table (organization_id uuid, seq bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, coalesce((select c.seq from event_chain c where c.organization_id = o.id order by c.seq desc limit 1), 0)
  from unnest(organizations) o (id)
$$;
grant execute on function event_chain_heads(uuid[]) to business_finance_app;

-- Names what is newest in each of these organizations: every event changes it, also one that commits after others that
-- occurred later.
drop function if exists newest_events(uuid[]); -- a call of the other function of this name was ambiguous
create or replace function latest_marks(organizations uuid[])
returns table (organization_id uuid, newest text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, coalesce((select md5(string_agg(e.id::text, '' order by e.occurred_at, e.id)) from (
    select n.id, n.occurred_at from events n where n.organization_id = o.id
    order by n.occurred_at desc, n.id desc limit 20) e), '')
  from unnest(organizations) o (id)
$$;
grant execute on function latest_marks(uuid[]) to business_finance_app;

-- Finds an event of this organization that the chain has passed by: it lost its place, or never got one. Nothing that
-- occurred a day earlier than the head is behind it.
create or replace function event_left_out() returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$
  select e.id from (
    select * from events
    where organization_id = current_organization() and occurred_at >= coalesce((select c.occurred_at - interval '1 day'
      from event_chain c where c.organization_id = current_organization() order by c.seq desc limit 1), '-infinity')
    order by occurred_at desc, id desc offset 0) e -- in this order, whatever else an index has
  where e.xact < (select p.xact from event_chain_position p)
    and not exists (select from event_chain c where c.event_id = e.id offset 0) -- one by one
  limit 1
$$;
grant execute on function event_left_out() to business_finance_app;

-- After a logical restore: chains what transactions of another database cluster wrote, then what its own wrote, and
-- moves the position to this cluster. Answers the number of events; the caller repeats it until none is left.
create or replace function rechain_events(most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  now_running pg_snapshot;
  ids uuid[];
begin
  perform pg_advisory_xact_lock(7340027 /* LOCKS.eventChain */);
  now_running := pg_current_snapshot();
  select array_agg(f.id order by f.own, f.written nulls first, f.xact, f.occurred_at, f.id) into ids
  from (select e.id, e.written, e.xact, e.occurred_at, e.xact < pg_snapshot_xmax(now_running) as own from events e
    where (e.xact < pg_snapshot_xmin(now_running) or e.xact >= pg_snapshot_xmax(now_running))
      and not exists (select from event_chain c where c.event_id = e.id)
    order by own, e.written nulls first, e.xact, e.occurred_at, e.id limit most) f;
  if ids is not null then
    perform chain_events(ids);
  end if;
  update event_chain_position p set xact = least(p.xact, pg_snapshot_xmin(now_running)), seen = null;
  return coalesce(cardinality(ids), 0);
end
$$;
grant execute on function rechain_events(integer) to business_finance_app;

-- Lists the organizations of a page whose logs go beyond their published heads; each row, or one alone, has the last
-- of the page as `reached`.
create or replace function event_heads_due(after uuid, batch integer)
returns table (organization_id uuid, reached uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  with page as (
    select o.id from organizations o
    where o.id > coalesce(after, '00000000-0000-0000-0000-000000000000') order by o.id limit batch
  ), reached as (select p.id from page p order by p.id desc limit 1)
  select g.id, r.id from reached r left join page g on
    coalesce((select c.seq from event_chain c where c.organization_id = g.id order by c.seq desc limit 1), 0)
      <> coalesce((select h.seq from event_heads h where h.organization_id = g.id order by h.seq desc limit 1), 0)
  order by g.id
$$;
grant execute on function event_heads_due(uuid, integer) to business_finance_app;

-- Reads the last event of each organization among the newest of the log, in the order of transactions: ids that are
-- derived have no order. Transactions of another cluster, whose dump was restored, do not count: theirs are ahead.
create or replace function newest_events(most integer)
returns table (organization_id uuid, event_id uuid, occurred_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select distinct on (e.organization_id) e.organization_id, e.id, e.occurred_at
  from (select n.* from events n where n.xact < pg_snapshot_xmax(pg_current_snapshot()) order by n.xact desc limit most) e
  order by e.organization_id, e.xact desc, e.id desc
$$;
grant execute on function newest_events(integer) to business_finance_app;

-- Lists the ids that no event has.
create or replace function unknown_events(ids uuid[]) returns setof uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select g from unnest(ids) g where not exists (select from events e where e.id = g) $$;
grant execute on function unknown_events(uuid[]) to business_finance_app;

-- Lists published heads that no object in storage has yet.
create or replace function event_heads_to_store(batch integer)
returns table (id uuid, key_id text, statement text, signature bytea)
language sql stable security definer set search_path = public, pg_temp
as $$
  select h.id, h.key_id, h.statement, h.signature from event_heads h where h.stored_as is null order by h.id limit batch
$$;
grant execute on function event_heads_to_store(integer) to business_finance_app;

-- Records which object in storage has these heads.
create or replace function event_heads_are_stored(ids uuid[], object text) returns void
language sql security definer set search_path = public, pg_temp
as $$ update event_heads h set stored_as = object where h.id = any (ids) and h.stored_as is null $$;
grant execute on function event_heads_are_stored(uuid[], text) to business_finance_app;

-- Events are append-only, and chained by hashes.

create or replace trigger events_are_immutable before update or delete or truncate on events
  execute function refuse_change();

create or replace trigger event_chain_is_immutable before update or delete or truncate on event_chain
  execute function refuse_change();

-- What caused an event, so that no writer can forget or make up it. In this order:
-- 1. The event before it about the same thing, if both are of one cause and one transaction: the steps of one move.
-- 2. The first event of that cause in this transaction: the decision that a payment is submitted by.
-- 3. What the transaction says its other events follow from: causesWhatFollows() of db/events.ts.
-- 4. The event before it about the same thing, which led to where it stands. Not about an organization or a member:
--    people and operators begin what happens there.
-- None of them: somebody outside began it.
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
    nullif(current_setting('app.causation_id', true), '')::uuid,
    case when new.stream not in ('organizations', 'members', 'approval_policies') then latest.id end);
  return new;
end
$$;

create or replace trigger events_have_causes before insert on events
  for each row execute function find_causation();

-- SHA-256 of the hash before and of the whole event as jsonb writes it, but for the transaction that wrote it: nobody
-- can change who did what, to what, when and why without breaking every hash after it.
create or replace function event_hash(previous bytea, event events) returns bytea
language sql stable set timezone = 'UTC'
as $$ select sha256(previous || convert_to((to_jsonb(event) - 'xact')::text, 'UTF8')) $$;
grant execute on function event_hash(bytea, events) to business_finance_app, business_finance_definer;

set local role business_finance_definer;

-- Extends every organization's chain by the events committed since the last call, in commit order: nothing at or past
-- the oldest transaction still running is read, so no event can slip in before one that was chained.
create or replace function extend_event_chain(most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  reached xid8;
  last_seq bigint;
  last_hash bytea;
  event events;
  chained integer := 0;
begin
  select xact into reached from event_chain_position for update;
  for event in
    select e.* from events e
    where e.xact >= reached and e.xact < horizon
      and not exists (select from event_chain c where c.event_id = e.id)
    order by e.xact, e.occurred_at, e.id limit most
  loop
    select c.seq, c.hash into last_seq, last_hash from event_chain c
    where c.organization_id = event.organization_id order by c.seq desc limit 1;
    if not found then
      last_seq := 0;
      last_hash := '';
    end if;
    insert into event_chain (organization_id, seq, event_id, hash)
    values (event.organization_id, last_seq + 1, event.id, event_hash(last_hash, event));
    reached := event.xact;
    chained := chained + 1;
  end loop;
  update event_chain_position set xact = case when chained < most then greatest(reached, horizon) else reached end;
  return chained;
end
$$;
grant execute on function extend_event_chain(integer) to business_finance_app;

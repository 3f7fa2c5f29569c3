-- What waits for the same is counted by a trigger; the counts are summed up now and then.

-- Counts what waits for the same, as changes: the only writer of approval_wait_counts.
create or replace function count_waiting_approvals() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status = 'pending' and (new.status <> 'pending' or new.wait_id <> old.wait_id) then
    insert into approval_wait_counts (organization_id, wait_id, change) values (old.organization_id, old.wait_id, -1);
  end if;
  if new.status = 'pending' and (tg_op = 'INSERT' or old.status <> 'pending' or old.wait_id <> new.wait_id) then
    insert into approval_wait_counts (organization_id, wait_id, change) values (new.organization_id, new.wait_id, 1);
  end if;
  return null;
end
$$;

create or replace trigger waiting_approvals_are_counted after insert or update of status, wait_id on approvals
  for each row execute function count_waiting_approvals();

set local role business_finance_definer;

-- Sums up what was counted; one at a time. Whoever reads meanwhile sees all of it before, or all of it after.
create or replace function compact_approval_wait_counts() returns integer
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  summed integer;
begin
  perform pg_advisory_xact_lock(7340023);
  with crowded as (
    select c.wait_id from approval_wait_counts c group by c.wait_id having count(*) > 1
  ), gone as (
    delete from approval_wait_counts c using crowded where c.wait_id = crowded.wait_id
    returning c.organization_id, c.wait_id, c.change
  ), sums as (
    select organization_id, wait_id, sum(change) as change, count(*) as rows from gone group by organization_id, wait_id
  ), written as (
    insert into approval_wait_counts (organization_id, wait_id, change)
    select s.organization_id, s.wait_id, s.change from sums s where s.change <> 0
  )
  select coalesce(sum(rows), 0) into summed from sums;
  return summed;
end
$$;
grant execute on function compact_approval_wait_counts() to business_finance_app;

-- Forgets what no approval waits for, or waited for last: of an approval by several each step but the last. What was
-- written within a day stays, for whoever is about to point at it.
create or replace function forget_approval_waits() returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from approval_waits w
    where w.inserted_at < business_now() - interval '1 day' and not exists (select from approvals a where a.wait_id = w.id)
      and not exists (select from approval_wait_counts c where c.wait_id = w.id)
    returning 1)
  select count(*)::integer from gone
$$;
grant execute on function forget_approval_waits() to business_finance_app;

-- The organizations in which a person may review: by a policy, or by what waits, as this person or by their role.
create or replace function reviewing_in(person uuid) returns table (organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select m.organization_id from members m
  where m.user_id = person and (
    exists (select from approval_policies p where p.organization_id = m.organization_id
      and (m.role = any (p.named_roles) or m.user_id = any (p.named_user_ids)))
    or exists (select from approval_waits w where w.organization_id = m.organization_id
      and (m.role = any (w.named_roles) or m.user_id = any (w.named_user_ids))
      and exists (select from approvals a where a.wait_id = w.id and a.status = 'pending')))
$$;
grant execute on function reviewing_in(uuid) to business_finance_app;

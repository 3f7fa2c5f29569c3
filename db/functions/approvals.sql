-- Requirements of approvals: deleted when they are not used, and the reviewers that they name.

-- Refuses that a delegate approves or rejects, whatever the code above does: delegates prepare, people decide.
create or replace function refuse_delegates() returns trigger language plpgsql
as $$
begin
  if nullif(current_setting('app.delegate', true), '') is not null
    or exists (select from delegates d where d.device_id = new.device_id) then
    raise exception 'a delegate cannot decide' using errcode = 'check_violation', constraint = 'decided_by_a_person';
  end if;
  return new;
end
$$;

create or replace trigger decisions_are_of_people before insert on approval_decisions
  for each row when (new.decision in ('approve', 'reject')) execute function refuse_delegates();

-- Refuses a second approval in which a person stands, whatever the code above does: that of the release before knows no
-- substitutes. Decisions of an approval are made one after the other.
create or replace function refuse_second_approval() returns trigger language plpgsql
as $$
begin
  if exists (
    select from approval_decisions d
    where d.approval_id = new.approval_id and d.decision = 'approve' and d.decision_id <> new.decision_id
      and array[d.user_id, d.on_behalf_of] && array[new.user_id, new.on_behalf_of]
      and not exists (select from voided_approvals v where v.decision_id = d.decision_id)) then
    raise exception 'a person counts once' using errcode = 'check_violation', constraint = 'person_counts_once';
  end if;
  return new;
end
$$;

create or replace trigger people_count_once before insert on approval_decisions
  for each row when (new.decision = 'approve') execute function refuse_second_approval();

set local role business_finance_definer;

-- Deletes requirements that no approval points at, older than a day: a request may be about to point at a newer one.
create or replace function forget_approval_waits() returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from approval_waits w
    where w.inserted_at < business_now() - interval '1 day' and not exists (select from approvals a where a.wait_id = w.id)
    returning 1)
  select count(*)::integer from gone
$$;
grant execute on function forget_approval_waits() to business_finance_app;

-- The organizations in which a policy or a pending approval names a person, their role, or a member whose substitute
-- they are.
create or replace function reviewing_in(person uuid) returns table (organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select m.organization_id from (
    select m.organization_id, m.user_id, m.role from members m where m.user_id = person
    union
    select m.organization_id, m.user_id, m.role from members own
    join substitutions s on s.organization_id = own.organization_id and s.substitute_id = own.user_id
      and s.ended_at is null and s.starts_at <= (select business_now()) and s.ends_at > (select business_now())
    join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
    where own.user_id = person) m
  where exists (select from approval_policies p where p.organization_id = m.organization_id
      and (m.role = any (p.named_roles) or m.user_id = any (p.named_user_ids)))
    or exists (select from approval_waits w where w.organization_id = m.organization_id
      and (m.role = any (w.named_roles) or m.user_id = any (w.named_user_ids))
      and exists (select from approvals a where a.wait_id = w.id and a.status = 'pending'))
$$;
grant execute on function reviewing_in(uuid) to business_finance_app;

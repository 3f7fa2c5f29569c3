-- Policies, approvals that wait for several people, reminders, and step-ups for a set. Expand only.

create table approval_policies (
  organization_id uuid primary key references organizations,
  rules jsonb not null,
  named_roles text[] not null, -- of all steps of all rules: who may review at all
  named_user_ids uuid[] not null,
  version integer not null default 1,
  updated_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
);

-- What pending approvals wait for: the steps of the policy that was copied, who has approved each, and who may not. One
-- row for all that wait for the same, so that what each person could decide is counted without reading approvals.
create table approval_waits (
  id uuid primary key, -- the first half of the SHA-256 of organization and wait
  organization_id uuid not null references organizations,
  wait jsonb not null,
  named_roles text[] not null,
  named_user_ids uuid[] not null,
  inserted_at timestamptz not null default business_now()
);
create index approval_waits_organization on approval_waits (organization_id);

-- How many approvals wait for each: written as changes, so that no two requests wait for one counter, and summed up now
-- and then. The trigger below is the only writer.
create table approval_wait_counts (
  organization_id uuid not null references organizations,
  wait_id uuid not null references approval_waits,
  change bigint not null
);
create index approval_wait_counts_sum on approval_wait_counts (organization_id, wait_id) include (change);

alter table approvals
  add column wait_id uuid references approval_waits,
  add column subject_body text, -- the canonical JSON that subject_hash is the SHA-256 of
  add column next_reminder_at timestamptz;
-- of what waits for the same, newest first, without reading approvals
create index approvals_waiting on approvals (wait_id, inserted_at desc, id desc)
  include (organization_id, expires_at) where status = 'pending';
-- of a requester, newest first, and counted by wait without reading approvals
create index approvals_requested on approvals (organization_id, requester_id, inserted_at desc, id desc)
  include (wait_id, expires_at) where status = 'pending';
create index approvals_reminders on approvals (next_reminder_at) where status = 'pending';
create index approvals_target on approvals (target_id);

create function count_waiting_approvals() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status = 'pending' and old.wait_id is not null
    and (new.status <> 'pending' or new.wait_id is distinct from old.wait_id) then
    insert into approval_wait_counts (organization_id, wait_id, change) values (old.organization_id, old.wait_id, -1);
  end if;
  if new.status = 'pending' and new.wait_id is not null
    and (tg_op = 'INSERT' or old.status <> 'pending' or old.wait_id is distinct from new.wait_id) then
    insert into approval_wait_counts (organization_id, wait_id, change) values (new.organization_id, new.wait_id, 1);
  end if;
  return null;
end
$$;
create trigger waiting_approvals_are_counted after insert or update of status, wait_id on approvals
  for each row execute function count_waiting_approvals();

alter table approval_decisions
  add column step integer not null default 0, -- of an approval: the step that it was given for
  add column role text check (role in ('owner', 'admin', 'member')); -- of the person, when they decided

-- Approvals that no longer count, because who gave them left or has another role. Never taken back.
create table voided_approvals (
  decision_id uuid primary key references approval_decisions,
  organization_id uuid not null references organizations,
  approval_id uuid not null references approvals,
  reason text not null check (reason in ('member_left', 'role_changed')),
  inserted_at timestamptz not null default business_now()
);
create index voided_approvals_approval on voided_approvals (approval_id);

-- When somebody was last reminded of what waits for them in an organization: one mail in a while, however much waits.
create table approval_reminders (
  organization_id uuid not null references organizations,
  user_id uuid not null references people,
  sent_at timestamptz not null default business_now(),
  primary key (organization_id, user_id)
);

-- What a step-up that was proved for a set releases: each target once, until the step-up expires.
create table step_up_grants (
  step_up_id uuid not null references step_ups,
  target text not null,
  used_at timestamptz,
  inserted_at timestamptz not null default business_now(),
  primary key (step_up_id, target)
);

do $$
declare
  name text;
begin
  foreach name in array array['approval_policies', 'approval_waits', 'approval_wait_counts', 'voided_approvals',
    'approval_reminders']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    -- (select …): asked once for a statement, and not by the planner, which may be asked before the organization is set
    -- and would then take it that nothing can be seen, whatever there is
    execute format('create policy own on %I using (organization_id is not distinct from (select current_organization()))
      with check (organization_id is not distinct from current_organization())', name);
  end loop;
  foreach name in array array['approval_policies', 'approval_waits', 'approval_wait_counts']
  loop
    execute format('create policy definer on %I to business_finance_definer using (true) with check (true)', name);
    execute format('grant select on %I to business_finance_definer', name);
  end loop;
end
$$;
alter policy own on approvals using (organization_id is not distinct from (select current_organization()));
grant insert, delete on approval_wait_counts to business_finance_definer;
grant delete on approval_waits to business_finance_definer;
create index approvals_wait on approvals (wait_id);

grant select, insert, update on approval_policies, approval_reminders, step_up_grants to business_finance_app;
grant select, insert on approval_waits, approval_wait_counts, voided_approvals to business_finance_app;

-- What waits since before there were policies waits for one owner or admin.
with waited as (
  select distinct a.organization_id,
    '{"excluded":null,"given":[[]],"steps":[{"required":1,"roles":["owner","admin"],"user_ids":[]}]}' as wait
  from approvals a where a.status = 'pending'
), named as (
  select w.*, encode(substring(sha256(convert_to(w.organization_id || ':' || w.wait, 'UTF8')) from 1 for 16), 'hex')::uuid as id
  from waited w
), made as (
  insert into approval_waits (id, organization_id, wait, named_roles, named_user_ids)
  select n.id, n.organization_id, n.wait::jsonb, array['owner', 'admin'], array[]::uuid[] from named n
  returning id, organization_id
)
update approvals a set wait_id = made.id from made where made.organization_id = a.organization_id and a.status = 'pending';

-- Sums up what was counted; one at a time. Whoever reads meanwhile sees all of it before, or all of it after.
create function compact_approval_wait_counts() returns integer
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

-- Forgets what no approval waits for, or waited for last: of an approval by several each step but the last. What was written
-- within a day stays, for whoever is about to point at it.
create function forget_approval_waits() returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from approval_waits w
    where w.inserted_at < business_now() - interval '1 day' and not exists (select from approvals a where a.wait_id = w.id)
      and not exists (select from approval_wait_counts c where c.wait_id = w.id)
    returning 1)
  select count(*)::integer from gone
$$;

-- Whatever waits for an approval that has expired, or whose approvers are to be reminded, by business time.
create function due_approvals() returns table (target_type text, target_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select a.target_type, a.target_id from approvals a where a.status = 'pending' and a.expires_at <= business_now()
  union
  select a.target_type, a.target_id from approvals a where a.status = 'pending' and a.next_reminder_at <= business_now()
$$;

-- The organizations in which a person may review: by a policy, or by what waits, as this person or by their role.
create function reviewing_in(person uuid) returns table (organization_id uuid)
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

-- a function is handed over only to a role that may create in the schema
grant create on schema public to business_finance_definer;
alter function compact_approval_wait_counts() owner to business_finance_definer;
alter function forget_approval_waits() owner to business_finance_definer;
alter function due_approvals() owner to business_finance_definer;
alter function reviewing_in(uuid) owner to business_finance_definer;
revoke create on schema public from business_finance_definer;
revoke execute on function compact_approval_wait_counts(), forget_approval_waits(), due_approvals(), reviewing_in(uuid)
  from public;
grant execute on function compact_approval_wait_counts(), forget_approval_waits(), due_approvals(), reviewing_in(uuid)
  to business_finance_app;

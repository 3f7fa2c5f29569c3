-- Substitutes: who decides for a member while they are away.

-- A substitution: a member reviews approvals in the role of another one, from a time until another. It is ended, never
-- deleted, since decisions name it.
create table substitutions (
  id uuid primary key,
  organization_id uuid not null references organizations,
  user_id uuid not null references people, -- the principal
  substitute_id uuid not null references people check (substitute_id <> user_id),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  reason text,
  created_by uuid not null references people check (created_by <> substitute_id),
  ended_at timestamptz,
  ended_by uuid references people,
  end_reason text check (end_reason in ('ended', 'member_left')),
  inserted_at timestamptz not null default business_now(),
  check ((end_reason is null) = (ended_at is null))
);
create index substitutions_list on substitutions (organization_id, inserted_at desc, id desc);
create index substitutions_substitute on substitutions (organization_id, substitute_id) where ended_at is null;
create index substitutions_principal on substitutions (organization_id, user_id) where ended_at is null;
call isolate('substitutions', definer => 'reads');
grant select, insert, update (ended_at, ended_by, end_reason) on substitutions to business_finance_app;
grant select on substitutions to business_finance_definer;

-- Tells if a substitution is in force now.
create function is_in_force(s substitutions) returns boolean language sql stable
as $$ select s.ended_at is null and s.starts_at <= business_now() and s.ends_at > business_now() $$;
grant execute on function is_in_force(substitutions) to business_finance_app, business_finance_definer;

-- A decision on behalf of another person names both, and the substitution that was in force. `role` is the principal's.
alter table approval_decisions add column on_behalf_of uuid references people,
  add column substitution_id uuid references substitutions,
  add constraint decided_by_a_substitute check ((on_behalf_of is null) = (substitution_id is null)
    and (on_behalf_of is null or (decision in ('approve', 'reject') and on_behalf_of <> user_id)));
create index approval_decisions_substituted on approval_decisions (user_id) where on_behalf_of is not null;

-- The audit of all books looks at who counts: service_integrity().
create policy definer on voided_approvals to business_finance_definer using (true);
grant select on voided_approvals to business_finance_definer;

drop function if exists locate(text, uuid, uuid); -- it answers more now

-- Substitutions in force: whom a member acts for.

set local role business_finance_definer;

-- Lists the members for whom a person acts now in an organization, with their roles; null if there are none. Never
-- chained: it reads one row for each.
create or replace function principals_of(organization uuid, person uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp
as $$
  select jsonb_agg(jsonb_build_object('userId', m.user_id, 'role', m.role, 'substitutionId', s.id)
    order by s.inserted_at, s.id)
  from substitutions s join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
  where s.organization_id = organization and s.substitute_id = person and is_in_force(s)
$$;
grant execute on function principals_of(uuid, uuid) to business_finance_app;

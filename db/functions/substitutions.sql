-- Substitutions in force: whom a member acts for.

set local role business_finance_definer;

-- Lists the members for whom a person acts now in an organization, with their roles; null if there are none. Never
-- chained: it reads one row for each. In PL/pgSQL, whose plans are kept; the clock is read only if there is something.
create or replace function principals_of(organization uuid, person uuid) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare
  moment timestamptz;
begin
  perform from substitutions s where s.organization_id = organization and s.substitute_id = person and s.ended_at is null
    limit 1;
  if not found then return null; end if;
  moment := business_now();
  return (
    select jsonb_agg(jsonb_build_object('userId', m.user_id, 'role', m.role, 'substitutionId', s.id)
      order by s.inserted_at, s.id)
    from substitutions s join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
    where s.organization_id = organization and s.substitute_id = person and s.ended_at is null
      and s.starts_at <= moment and s.ends_at > moment);
end
$$;
grant execute on function principals_of(uuid, uuid) to business_finance_app;

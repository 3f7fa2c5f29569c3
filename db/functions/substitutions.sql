-- Substitutions in force: whom a member acts for.

-- Keeps until when a member may act for others: requests after that look for nothing.
create or replace function keep_substitutes_until() returns trigger language plpgsql
as $$
begin
  update members m set substitutes_until = greatest(m.substitutes_until, new.ends_at)
  where m.organization_id = new.organization_id and m.user_id = new.substitute_id;
  return null;
end
$$;

create or replace trigger substitutes_are_known after insert on substitutions
  for each row execute function keep_substitutes_until();

set local role business_finance_definer;

-- Lists the members for whom a person acts now in an organization, with their roles; null if there are none. Never
-- chained: it reads one row for each. In PL/pgSQL, whose plans are kept.
create or replace function principals_of(organization uuid, person uuid) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare
  moment timestamptz := business_now();
begin
  return (
    select jsonb_agg(jsonb_build_object('userId', m.user_id, 'role', m.role, 'removed', m.permissions_removed,
        'substitutionId', s.id)
      order by s.inserted_at, s.id)
    from substitutions s join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
    where s.organization_id = organization and s.substitute_id = person and s.ended_at is null
      and s.starts_at <= moment and s.ends_at > moment);
end
$$;
grant execute on function principals_of(uuid, uuid) to business_finance_app;

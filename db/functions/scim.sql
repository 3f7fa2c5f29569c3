-- Tokens of identity providers across organizations.

set local role business_finance_definer;

-- Finds the organization of a token that was not revoked.
create or replace function find_scim_token(hash bytea)
returns table (id uuid, organization_id uuid, organization_status text, last_used_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select t.id, t.organization_id, o.status, t.last_used_at
  from scim_tokens t join organizations o on o.id = t.organization_id
  where t.secret_hash = hash and t.revoked_at is null
$$;
grant execute on function find_scim_token(bytea) to business_finance_app;

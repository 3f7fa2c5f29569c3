-- Invitations by their mailed token.

set local role business_finance_definer;

create or replace function find_invitation(hash bytea) returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$ select i.id, i.organization_id from invitations i where i.token_hash = hash $$;
grant execute on function find_invitation(bytea) to business_finance_app;

-- What the endpoints of the sandbox look up.

set local role business_finance_definer;

-- Where a payment stands, for the sandbox endpoint that moves it at its partner and has no person to ask for.
create or replace function sandbox_payment(payment uuid)
returns table (organization_id uuid, rail text, status text, partner_version integer)
language sql stable security definer set search_path = public, pg_temp
as $$ select p.organization_id, p.rail, p.status, p.partner_version from payments p where p.id = payment $$;
grant execute on function sandbox_payment(uuid) to business_finance_app;

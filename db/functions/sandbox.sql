-- What the endpoints of the sandbox look up.

set local role business_finance_definer;

-- As sandbox_payment() of the release before, with its connection.
create or replace function payment_at_stand_in(payment uuid)
returns table (organization_id uuid, rail text, connection text, status text, partner_version integer)
language sql stable security definer set search_path = public, pg_temp
as $$
  select p.organization_id, p.rail, p.connection, p.status, p.partner_version from payments p where p.id = payment
$$;
grant execute on function payment_at_stand_in(uuid) to business_finance_app;

-- Where a payment stands, for the sandbox endpoint that moves it at its partner and has no person to ask for.
create or replace function sandbox_payment(payment uuid)
returns table (organization_id uuid, rail text, status text, partner_version integer)
language sql stable security definer set search_path = public, pg_temp
as $$ select p.organization_id, p.rail, p.status, p.partner_version from payments p where p.id = payment $$;
grant execute on function sandbox_payment(uuid) to business_finance_app;

-- What an invoice asks for, for the sandbox endpoint that has its customer pay it and has no person to ask for.
create or replace function sandbox_invoice(invoice uuid)
returns table (organization_id uuid, status text, currency text, number text, customer text, total numeric,
  accepted_amount numeric, allocated numeric, credited numeric)
language sql stable security definer set search_path = public, pg_temp
as $$
  select i.organization_id, i.status, i.currency, i.number, c.company_name, i.total, i.accepted_amount, i.allocated,
    i.credited
  from invoices i join billing_contacts c on c.id = i.billing_contact_id
  where i.id = invoice and i.deleted_at is null
$$;
grant execute on function sandbox_invoice(uuid) to business_finance_app;

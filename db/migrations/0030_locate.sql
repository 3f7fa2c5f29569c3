-- The same as before as PL/pgSQL, whose plans are kept: as SQL it was planned anew for each request, and at full length.
create or replace function locate(kind text, target uuid, person uuid)
returns table (organization_id uuid, role text, status text)
language plpgsql stable security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  owner uuid;
begin
  case kind
    when 'organization' then owner := target;
    when 'payment' then select t.organization_id into owner from payments t where t.id = target;
    when 'payment_contact' then select t.organization_id into owner from payment_contacts t where t.id = target;
    when 'payment_destination' then select t.organization_id into owner from payment_destinations t where t.id = target;
    when 'payment_quote' then select t.organization_id into owner from payment_quotes t where t.id = target;
    when 'transaction' then select t.organization_id into owner from transactions t where t.id = target;
    when 'deposit' then select t.organization_id into owner from deposits t where t.id = target;
    when 'swap_quote' then select t.organization_id into owner from swap_quotes t where t.id = target;
    when 'swap' then select t.organization_id into owner from swaps t where t.id = target;
    else return;
  end case;
  return query
    select o.id, m.role, o.status from organizations o
    join members m on m.organization_id = o.id and m.user_id = person
    where o.id = owner;
end
$$;

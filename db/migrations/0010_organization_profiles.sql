-- The organizations of one person as a list shows them, in one statement. Banned and deleted ones are left out, as in
-- organizations_of().
create function organization_profiles_of(person uuid)
returns table (id uuid, role text, name text, svc_id text, card_name text, company_address text, contact_email text,
  country_code text, invoice_name text, invoice_notes text, referral_code text, tax_id text, registered_entity boolean,
  is_primary boolean, inserted_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, m.role, o.name, o.svc_id, o.card_name, o.company_address, o.contact_email, o.country_code, o.invoice_name,
    o.invoice_notes, o.referral_code, o.tax_id, o.registered_entity,
    o.id is not distinct from p.primary_organization_id, o.inserted_at
  from members m
  join organizations o on o.id = m.organization_id
  join people p on p.id = m.user_id
  where m.user_id = person and o.status not in ('banned', 'deleted')
$$;

grant select on people to business_finance_definer;
-- a function is handed over only to a role that may create in the schema
grant create on schema public to business_finance_definer;
alter function organization_profiles_of(uuid) owner to business_finance_definer;
revoke create on schema public from business_finance_definer;
revoke execute on function organization_profiles_of(uuid) from public;
grant execute on function organization_profiles_of(uuid) to business_finance_app;

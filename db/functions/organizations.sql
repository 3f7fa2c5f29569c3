-- Questions across organizations: answered to members, to holders of a key or an address, and to operators.

set local role business_finance_definer;

-- Finds the organization of an id, for its members only, with the members whose substitute they are. In PL/pgSQL,
-- whose plans are kept. `by_provider`: the organization wants them to sign in at its identity provider. `allow_list`:
-- networks from which its credentials work.
drop function if exists locate(text, uuid, uuid); -- it answers more now
create or replace function locate(kind text, target uuid, person uuid)
returns table (organization_id uuid, role text, status text, principals jsonb, by_provider boolean, removed text[],
  allow_list jsonb)
language plpgsql stable security definer set search_path = public, pg_temp rows 1
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
    when 'export' then select t.organization_id into owner from exports t where t.id = target;
    when 'payment_batch' then select t.organization_id into owner from payment_batches t where t.id = target;
    when 'bill' then select t.organization_id into owner from bills t where t.id = target;
    when 'billing_contact' then select t.organization_id into owner from billing_contacts t where t.id = target;
    when 'invoice' then select t.organization_id into owner from invoices t where t.id = target;
    when 'credit_note' then select t.organization_id into owner from credit_notes t where t.id = target;
    else return;
  end case;
  return query
    select o.id, m.role, o.status, case when m.substitutes_until > statement_timestamp() then principals_of(o.id, person) end,
      signs_in_by_provider(o.id, person), m.permissions_removed, o.ip_allow_list
    from organizations o
    join members m on m.organization_id = o.id and m.user_id = person
    where o.id = owner;
end
$$;
grant execute on function locate(text, uuid, uuid) to business_finance_app;

-- Lists the organizations of a person, without banned and deleted ones.
drop function if exists organizations_of(uuid);
create or replace function organizations_of(person uuid)
returns table (id uuid, role text, removed text[], name text, svc_id text, card_name text, company_address text, contact_email text,
  country_code text, invoice_name text, invoice_notes text, referral_code text, tax_id text, registered_entity boolean,
  time_zone text, is_primary boolean, inserted_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, m.role, m.permissions_removed, o.name, o.svc_id, o.card_name, o.company_address, o.contact_email, o.country_code, o.invoice_name,
    o.invoice_notes, o.referral_code, o.tax_id, o.registered_entity,
    o.time_zone, o.id is not distinct from p.primary_organization_id, o.inserted_at
  from members m
  join organizations o on o.id = m.organization_id
  join people p on p.id = m.user_id
  where m.user_id = person and o.status not in ('banned', 'deleted')
$$;
grant execute on function organizations_of(uuid) to business_finance_app;

-- The same without the time zone, for the code of the release before: it asks by this name.
create or replace function organization_profiles_of(person uuid)
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
grant execute on function organization_profiles_of(uuid) to business_finance_app;

-- Resolves a cursor of that list, also to an organization that is banned or deleted, or that the person has left.
create or replace function organization_position(person uuid, organization uuid) returns timestamptz
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.inserted_at from organizations o where o.id = organization and (
    exists (select from members m where m.organization_id = o.id and m.user_id = person)
    or exists (select from former_members f where f.organization_id = o.id and f.user_id = person))
$$;
grant execute on function organization_position(uuid, uuid) to business_finance_app;

-- Finds the organization of a service ID, unless it is banned or deleted.
create or replace function resolve_handle(handle text)
returns table (organization_id uuid, name text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, o.name from organizations o where o.svc_id = handle and is_there(o.status)
$$;
grant execute on function resolve_handle(text) to business_finance_app;

-- Tells if an organization can be paid now.
create or replace function can_receive(organization uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce((select is_there(o.status) from organizations o where o.id = organization), false)
$$;
grant execute on function can_receive(uuid) to business_finance_app;

-- Tells if any organization of the person requires an authenticator app.
create or replace function authenticator_required(person uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (
    select from members m join organizations o on o.id = m.organization_id
    where m.user_id = person and o.requires_authenticator and o.status not in ('banned', 'deleted'))
$$;
grant execute on function authenticator_required(uuid) to business_finance_app;

-- Reads the bytes of a logo by its address.
create or replace function logo_image(logo uuid) returns bytea
language sql stable security definer set search_path = public, pg_temp
as $$
  select l.image from logos l join organizations o on o.id = l.organization_id
  where l.id = logo and o.status not in ('banned', 'deleted')
$$;
grant execute on function logo_image(uuid) to business_finance_app;

-- Lists the logos of a person's organizations.
create or replace function logos_of(person uuid) returns table (organization_id uuid, id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select l.organization_id, l.id from members m join logos l on l.organization_id = m.organization_id
  where m.user_id = person
$$;
grant execute on function logos_of(uuid) to business_finance_app;

-- Finds an API key by its lookup, or else the next one, so that an unknown key costs what a wrong secret costs: the
-- caller compares `lookup` too. `creator_role` is null if the creator has left.
drop function if exists find_api_key(text, text); -- it answers more now
create or replace function find_api_key(presented text, service_environment text)
returns table (lookup text, id uuid, organization_id uuid, organization_status text, creator_role text, role text,
  scopes text[], status text, secret_hash bytea, previous_secret_hash bytea, last_used_at timestamptz, allow_list jsonb)
language sql stable security definer set search_path = public, pg_temp
as $$
  select k.lookup, k.id, k.organization_id, o.status, m.role, k.role, k.scopes, k.status, k.secret_hash,
    case when k.previous_secret_expires_at > business_now() then k.previous_secret_hash end, k.last_used_at,
    o.ip_allow_list
  from (select n.* from api_keys n where n.lookup >= presented and n.environment = service_environment
    order by n.lookup limit 1) k
  join organizations o on o.id = k.organization_id
  left join members m on m.organization_id = k.organization_id and m.user_id = k.created_by
$$;
grant execute on function find_api_key(text, text) to business_finance_app;

-- For operators: finds organizations by id, service ID or a part of the name, newest first.
create or replace function operator_organizations(words text, most integer)
returns table (id uuid, name text, svc_id text, status text, inserted_at timestamptz, members integer,
  books_stopped_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
  set enable_seqscan = on -- names have no index
as $$
  select o.id, o.name, o.svc_id, o.status, o.inserted_at,
    (select count(*)::integer from members m where m.organization_id = o.id), o.books_stopped_at
  from organizations o
  where o.id::text = lower(words) or o.svc_id = lower(words) or folded(o.name) like any ((select patterns_of(words))::text[])
  order by o.inserted_at desc limit most
$$;
grant execute on function operator_organizations(text, integer) to business_finance_app;

-- For operators: lists the memberships of a person.
create or replace function operator_memberships(person uuid)
returns table (organization_id uuid, name text, role text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, o.name, m.role from members m join organizations o on o.id = m.organization_id
  where m.user_id = person order by o.inserted_at
$$;
grant execute on function operator_memberships(uuid) to business_finance_app;

-- For operators: reads the state of a payment.
drop function if exists operator_payment(uuid);
create or replace function operator_payment(payment uuid)
returns table (organization_id uuid, rail text, connection text, status text, status_detail text, deducting_amount numeric,
  deducting_currency text, approval_request_id uuid, payment_batch_id uuid, inserted_at timestamptz, updated_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select p.organization_id, p.rail, connection_of(p.rail, p.connection), p.status, p.status_detail, p.deducting_amount, p.deducting_currency,
    p.approval_request_id, p.payment_batch_id, p.inserted_at, p.updated_at
  from payments p where p.id = payment
$$;
grant execute on function operator_payment(uuid) to business_finance_app;

-- What follows reads what its caller may read.

-- Finds the first instant of a day in a time zone. A midnight may be missing, or come twice, on a day when clocks are
-- changed; all such changes are on a quarter of an hour.
create or replace function zone_midnight(zone text, day date) returns timestamptz
language sql stable parallel safe
as $$
  select min(at) from (select day::timestamp at time zone zone as latest) m,
    generate_series(latest - interval '3 hours', latest, interval '15 minutes') at
  where (at at time zone zone)::date >= day
$$;
grant execute on function zone_midnight(text, date) to business_finance_app, business_finance_definer;

-- Finds the time zone that counts for an organization at an instant.
create or replace function time_zone_at(organization uuid, at timestamptz) returns text
language sql stable parallel safe
as $$
  select case when at < o.time_zone_from then o.former_time_zone else o.time_zone end
  from organizations o where o.id = organization
$$;
grant execute on function time_zone_at(uuid, timestamptz) to business_finance_app, business_finance_definer;

-- Finds the day of an organization at an instant. Another time zone never leads back to an earlier day.
create or replace function local_date(organization uuid, at timestamptz) returns date
language sql stable parallel safe
as $$
  select case when at < o.time_zone_from then (at at time zone o.former_time_zone)::date
    else greatest((at at time zone o.time_zone)::date, (o.time_zone_from at time zone o.former_time_zone)::date - 1) end
  from organizations o where o.id = organization
$$;
grant execute on function local_date(uuid, timestamptz) to business_finance_app, business_finance_definer;

-- Finds the first instant that is on this day of an organization, or on a later one.
create or replace function local_midnight(organization uuid, day date) returns timestamptz
language sql stable parallel safe
as $$
  select case when day < (o.time_zone_from at time zone o.former_time_zone)::date then zone_midnight(o.former_time_zone, day)
    else greatest(zone_midnight(o.time_zone, day), o.time_zone_from) end
  from organizations o where o.id = organization
$$;
grant execute on function local_midnight(uuid, date) to business_finance_app, business_finance_definer;

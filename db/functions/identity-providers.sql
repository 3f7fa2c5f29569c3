-- Identity providers across organizations: of a domain, of a state that comes back, of a logout, purge, key rotation.

set local role business_finance_definer;

-- Tells if the organization wants this person to sign in at its identity provider alone.
create or replace function signs_in_by_provider(organization uuid, person uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (
    select from identity_providers i
    join identity_provider_domains d on d.organization_id = i.organization_id and d.proved_at is not null
    join people p on p.id = person and split_part(p.email, '@', 2) = d.domain
    where i.organization_id = organization and i.required)
$$;
grant execute on function signs_in_by_provider(uuid, uuid) to business_finance_app;

-- Finds the provider for addresses of a proved domain; none of a banned or deleted organization.
create or replace function provider_of_domain(given text)
returns table (id uuid, organization_id uuid, organization_name text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select i.id, o.id, o.name from identity_provider_domains d
  join identity_providers i on i.organization_id = d.organization_id
  join organizations o on o.id = d.organization_id
  where d.domain = given and d.proved_at is not null and is_there(o.status)
$$;
grant execute on function provider_of_domain(text) to business_finance_app;

-- Tells if an organization has proved a domain.
create or replace function is_proved_domain(given text) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from identity_provider_domains d where d.domain = given and d.proved_at is not null) $$;
grant execute on function is_proved_domain(text) to business_finance_app;

-- Uses up the attempt of a state and a browser; no row if it was used before, is too old, or is another browser's.
create or replace function take_provider_sign_in(state bytea, attempt bytea)
returns table (id uuid, organization_id uuid, provider_id uuid, sealed bytea)
language sql security definer set search_path = public, pg_temp
as $$
  update provider_sign_ins s set used_at = business_now()
  where s.state_hash = state and s.attempt_hash = attempt and s.used_at is null and s.expires_at > business_now()
  returning s.id, s.organization_id, s.provider_id, s.sealed
$$;
grant execute on function take_provider_sign_in(bytea, bytea) to business_finance_app;

-- Finds the organization in which a browser has come back from a provider that names a person who is not linked.
create or replace function offered_identity_link(attempt bytea) returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.organization_id from provider_sign_ins s
  where s.attempt_hash = attempt and s.subject is not null and s.linked_at is null and s.expires_at > business_now()
$$;
grant execute on function offered_identity_link(bytea) to business_finance_app;

-- Lists the providers for which a logout token may be, by its issuer and its audience.
create or replace function providers_of_logout(given text, audiences text[])
returns table (id uuid, organization_id uuid, client_id text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select i.id, i.organization_id, i.client_id from identity_providers i
  where i.issuer = given and i.client_id = any (audiences) order by i.id limit 100
$$;
grant execute on function providers_of_logout(text, text[]) to business_finance_app;

-- Lists the organizations in which the person has to sign in at the provider, and whether a link of theirs is there.
create or replace function providers_required_of(person uuid)
returns table (organization_id uuid, role text, linked boolean)
language sql stable security definer set search_path = public, pg_temp
as $$
  select m.organization_id, m.role,
    exists (select from identity_links l where l.organization_id = m.organization_id and l.user_id = person)
  from members m join organizations o on o.id = m.organization_id
  where m.user_id = person and is_there(o.status) and signs_in_by_provider(o.id, person)
$$;
grant execute on function providers_required_of(uuid) to business_finance_app;

-- Deletes attempts and logout tokens that are over.
create or replace function forget_provider_sign_ins(batch integer) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with attempts as (
    delete from provider_sign_ins where id = any (array(
      select s.id from provider_sign_ins s where s.expires_at < business_now() - interval '1 hour' limit batch))
    returning 1),
  logouts as (
    delete from provider_logouts where ctid = any (array(
      select l.ctid from provider_logouts l where l.expires_at < business_now() limit batch))
    returning 1)
  select greatest((select count(*) from attempts), (select count(*) from logouts))::integer
$$;
grant execute on function forget_provider_sign_ins(integer) to business_finance_app;

-- Lists providers whose secret another key than the first encrypted.
create or replace function identity_providers_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select i.id, i.organization_id from identity_providers i
  where (after is null or i.id > after) and substring(i.sealed for length(head)) <> head
  order by i.id limit batch
$$;
grant execute on function identity_providers_to_seal(bytea, uuid, integer) to business_finance_app;

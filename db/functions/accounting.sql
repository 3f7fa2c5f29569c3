-- Accounting across organizations: a state that comes back, the sync by the clock, purge, key rotation.

set local role business_finance_definer;

-- Uses up the consent of a state; no row if it was used before, or is too old.
create or replace function take_accounting_authorization(state bytea)
returns table (id uuid, organization_id uuid, user_id uuid, session_id uuid, sealed bytea)
language sql security definer set search_path = public, pg_temp
as $$
  update accounting_authorizations a set used_at = business_now()
  where a.state_hash = state and a.used_at is null and a.expires_at > business_now()
  returning a.id, a.organization_id, a.user_id, a.session_id, a.sealed
$$;
grant execute on function take_accounting_authorization(bytea) to business_finance_app;

-- Deletes consents that cannot be given any more.
create or replace function forget_accounting_authorizations(batch integer) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from accounting_authorizations where id = any (array(
      select a.id from accounting_authorizations a where a.expires_at < business_now() - interval '1 hour' limit batch))
    returning 1)
  select count(*)::integer from gone
$$;
grant execute on function forget_accounting_authorizations(integer) to business_finance_app;

-- Deletes runs that ended so long ago.
create or replace function forget_accounting_runs(days integer, batch integer) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from accounting_sync_runs where id = any (array(
      select r.id from accounting_sync_runs r where r.ended_at < business_now() - make_interval(days => days)
      order by r.ended_at limit batch))
    returning 1)
  select count(*)::integer from gone
$$;
grant execute on function forget_accounting_runs(integer, integer) to business_finance_app;

-- Lists connections that the clock syncs.
create or replace function connected_organizations(after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.id, c.organization_id from accounting_connections c join organizations o on o.id = c.organization_id
  where (after is null or c.id > after) and c.status = 'connected' and o.status = 'active'
  order by c.id limit batch
$$;
grant execute on function connected_organizations(uuid, integer) to business_finance_app;

-- Lists connections whose tokens another key than the first encrypted.
create or replace function accounting_connections_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.id, c.organization_id from accounting_connections c
  where (after is null or c.id > after) and c.sealed is not null and substring(c.sealed for length(head)) <> head
  order by c.id limit batch
$$;
grant execute on function accounting_connections_to_seal(bytea, uuid, integer) to business_finance_app;

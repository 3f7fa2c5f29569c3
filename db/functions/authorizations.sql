-- Authorization codes across organizations: a client with a code names none.

set local role business_finance_definer;

-- Finds the grant of a code, whatever has become of it.
drop function if exists authorization_of_code(bytea); -- it answers more now
create or replace function authorization_of_code(hash bytea)
returns table (delegate_id uuid, user_id uuid, organization_id uuid, access text, client_id text, redirect_uri text,
  code_challenge text, audience text, used_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.delegate_id, d.user_id, c.organization_id, d.access, c.client_id, c.redirect_uri, c.code_challenge,
    coalesce(c.audience, 'service'), c.used_at
  from authorization_codes c join delegates d on d.id = c.delegate_id
  where c.code_hash = hash
$$;
grant execute on function authorization_of_code(bytea) to business_finance_app;

-- Finds the grant of a delegate's secret; none for a delegate that its person made by hand.
create or replace function authorization_of_secret(hash bytea)
returns table (delegate_id uuid, organization_id uuid, access text, client_id text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.organization_id, d.access, c.client_id
  from delegates d join authorization_codes c on c.delegate_id = d.id
  where d.secret_hash = hash or d.next_secret_hash = hash
$$;
grant execute on function authorization_of_secret(bytea) to business_finance_app;

-- Finds the live delegate of a refresh token that was replaced, for the release before, which knew no other used ones.
create or replace function authorization_of_replaced(hash bytea)
returns table (delegate_id uuid, user_id uuid, organization_id uuid, name text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.user_id, d.organization_id, d.name from delegates d
  where d.replaced_secret_hash = hash and d.ended_at is null
$$;
grant execute on function authorization_of_replaced(bytea) to business_finance_app;

-- Finds the grant of a refresh token, also of one that was used. `live`: it has not ended, and its person is a member.
drop function if exists authorization_of_refresh_token(bytea); -- it answers more now
create or replace function authorization_of_refresh_token(hash bytea)
returns table (id uuid, user_id uuid, organization_id uuid, device_id uuid, name text, access text,
  allowed_addresses text[], client_id text, audience text, live boolean)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.user_id, d.organization_id, d.device_id, d.name, d.access, d.allowed_addresses, c.client_id,
    coalesce(c.audience, 'service'),
    d.ended_at is null and d.expires_at > business_now()
      and exists (select from members m where m.organization_id = d.organization_id and m.user_id = d.user_id)
  from delegates d join authorization_codes c on c.delegate_id = d.id
  where d.id in (
    select o.id from delegates o where o.secret_hash = hash
    union all select o.id from delegates o where o.next_secret_hash = hash
    union all select o.id from delegates o where o.replaced_secret_hash = hash
    union all select u.delegate_id from used_refresh_tokens u where u.token_hash = hash)
$$;
grant execute on function authorization_of_refresh_token(bytea) to business_finance_app;

-- Forgets up to `batch` used refresh tokens of delegates that are over: no token of theirs does anything any more.
create or replace function forget_used_refresh_tokens(batch integer) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from used_refresh_tokens where token_hash = any (array(
      select u.token_hash from used_refresh_tokens u join delegates d on d.id = u.delegate_id
      where d.ended_at is not null or d.expires_at < business_now() limit batch))
    returning 1)
  select count(*)::integer from gone
$$;
grant execute on function forget_used_refresh_tokens(integer) to business_finance_app;

-- Ends up to `batch` delegates whose code has expired unused. An exchange at that moment is given a minute to end.
create or replace function end_unclaimed_delegates(batch integer)
returns table (id uuid, user_id uuid, name text, end_reason text)
language sql security definer set search_path = public, pg_temp
as $$
  update delegates d set ended_at = business_now(), end_reason = 'code_expired'
  where d.id = any (array(
    select o.id from authorization_codes c join delegates o on o.id = c.delegate_id
    where c.used_at is null and c.expires_at < business_now() - interval '1 minute' and o.ended_at is null
    order by c.expires_at limit end_unclaimed_delegates.batch for update of o skip locked))
  returning d.id, d.user_id, d.name, d.end_reason
$$;
grant execute on function end_unclaimed_delegates(integer) to business_finance_app;

-- Tells whether a client has the secret of a delegate, and renews it by itself.
create or replace function is_delegate_of_client(delegate uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from authorization_codes c where c.delegate_id = delegate) $$;
grant execute on function is_delegate_of_client(uuid) to business_finance_app;

-- Delegates across organizations: of a session, of a secret, of a person.

set local role business_finance_definer;

-- Finds the live delegate of a session, with the networks of its organization.
drop function if exists delegate_of_session(uuid, timestamptz); -- it answers more now
create or replace function delegate_of_session(delegate uuid, asked_at timestamptz)
returns table (id uuid, name text, kind text, access text, organization_id uuid, allowed_addresses text[],
  allow_list jsonb)
language sql stable strict security definer set search_path = public, pg_temp
rows 1
as $$
  select d.id, d.name, d.kind, d.access, d.organization_id, d.allowed_addresses, o.ip_allow_list
  from delegates d join organizations o on o.id = d.organization_id
  where d.id = delegate and d.ended_at is null and d.expires_at > asked_at
$$;
grant execute on function delegate_of_session(uuid, timestamptz) to business_finance_app;

-- Finds the live delegate of a secret, whose person is still a member. The secret before the latest works for its time.
create or replace function delegate_of_secret(hash bytea)
returns table (id uuid, user_id uuid, organization_id uuid, device_id uuid, allowed_addresses text[])
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.user_id, d.organization_id, d.device_id, d.allowed_addresses from delegates d
  where d.id in (
      select o.id from delegates o where o.secret_hash = hash
      union all select o.id from delegates o where o.next_secret_hash = hash
      union all select o.id from delegates o
        where o.previous_secret_hash = hash and o.previous_secret_expires_at > business_now())
    and d.ended_at is null and d.expires_at > business_now()
    and exists (select from members m where m.organization_id = d.organization_id and m.user_id = d.user_id)
$$;
grant execute on function delegate_of_secret(bytea) to business_finance_app;

-- Lists the delegates of a person.
create or replace function delegates_of(person uuid) returns setof delegates
language sql stable security definer set search_path = public, pg_temp
as $$ select * from delegates d where d.user_id = person $$;
grant execute on function delegates_of(uuid) to business_finance_app;

-- Ends live delegates of a person: one, those in an organization, or all.
create or replace function end_delegates(person uuid, organization uuid, one uuid, reason text)
returns table (id uuid, user_id uuid, name text)
language sql security definer set search_path = public, pg_temp
as $$
  update delegates d set ended_at = business_now(), end_reason = reason
  where d.user_id = person and d.ended_at is null
    and (organization is null or d.organization_id = organization) and (one is null or d.id = one)
  returning d.id, d.user_id, d.name
$$;
grant execute on function end_delegates(uuid, uuid, uuid, text) to business_finance_app;

-- Tells how many days before its end a delegate is due to be warned of; null: not yet. Never of a whole time that is
-- shorter: a delegate for three days is warned of on its last one.
create or replace function delegate_warning_days(d delegates) returns smallint
language sql stable
as $$
  select min(w.days)::smallint from (values (7), (1)) w (days)
  where d.ended_at is null and d.expires_at > business_now()
    and d.expires_at <= business_now() + make_interval(days => w.days)
    and d.expires_at > coalesce(d.extended_at, d.inserted_at) + make_interval(days => w.days)
$$;
grant execute on function delegate_warning_days(delegates) to business_finance_app;

-- Lists delegates of all organizations whose persons are to be warned of their end.
create or replace function delegates_to_warn_of(after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.organization_id from delegates d
  where d.ended_at is null and d.expires_at > business_now() and d.expires_at <= business_now() + interval '7 days'
    and (after is null or d.id > after) and delegate_warning_days(d) < coalesce(d.warned_days, 100)
  order by d.id limit batch
$$;
grant execute on function delegates_to_warn_of(uuid, integer) to business_finance_app;

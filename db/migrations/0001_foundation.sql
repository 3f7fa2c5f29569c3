-- Roles, the business clock, idempotency claims.
-- owner: runs migrations. app: everything else, owns nothing. definer: cannot log in, owns the cross-organization functions.

do $$
begin
  if not exists (select from pg_roles where rolname = 'business_finance_app') then
    create role business_finance_app login;
  end if;
  if not exists (select from pg_roles where rolname = 'business_finance_definer') then
    create role business_finance_definer nologin;
  end if;
  -- handing functions to the definer role needs membership in it; a superuser has it anyway
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant business_finance_definer to %I with set true, inherit false', current_user);
  end if;
exception
  when duplicate_object or unique_violation then null; -- two databases of one cluster migrating at once
end
$$;

grant usage on schema public to business_finance_app;
grant usage, create on schema public to business_finance_definer; -- create is taken back by the last statement of 0008
alter default privileges revoke execute on functions from public;

create table business_clock (
  only_row boolean primary key default true check (only_row),
  offset_seconds bigint not null default 0 check (offset_seconds >= 0)
);
insert into business_clock default values;
grant select, update on business_clock to business_finance_app;
grant select on business_clock to business_finance_definer;

create function business_now() returns timestamptz
language sql stable parallel safe
as $$ select statement_timestamp() + make_interval(secs => offset_seconds) from business_clock $$;
grant execute on function business_now() to business_finance_app, business_finance_definer;

-- The organization that this transaction speaks for; null (so no row is visible) where none is set.
create function current_organization() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('app.organization_id', true), '')::uuid $$;
grant execute on function current_organization() to business_finance_app, business_finance_definer;

-- An Idempotency-Key becomes the id of the row it creates; the claim holds the hash of the request's body, for ever.
create table idempotency_claims (
  id uuid primary key,
  body_hash text not null,
  inserted_at timestamptz not null default business_now()
);
grant select, insert on idempotency_claims to business_finance_app;

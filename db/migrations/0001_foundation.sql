-- Roles, who sees which rows, the business clock, and what belongs to no room: idempotency claims and shared limits.
-- owner: runs migrations. app: everything else, owns nothing. definer: cannot log in, owns the cross-organization
-- functions (db/functions/), and has policies on just the tables that they need.

do $$
begin
  if not exists (select from pg_roles where rolname = 'business_finance_app') then
    create role business_finance_app login;
  end if;
  if not exists (select from pg_roles where rolname = 'business_finance_definer') then
    create role business_finance_definer nologin;
  end if;
  -- making functions as the definer role needs membership in it; a superuser has it anyway
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant business_finance_definer to %I with set true, inherit false', current_user);
  end if;
exception
  when duplicate_object or unique_violation then null; -- two databases of one cluster migrating at once
end
$$;

-- The definer role may create in the schema only while functions are applied (db/migrate.ts).
grant usage on schema public to business_finance_app, business_finance_definer;

-- Nobody calls a function without a grant, whoever of the two made it.
alter default privileges revoke execute on functions from public;
set local role business_finance_definer;
alter default privileges revoke execute on functions from public;
reset role;

-- The one row of business time: the system clock plus an offset that only tests move.
create table business_clock (
  only_row boolean primary key default true check (only_row),
  offset_seconds bigint not null default 0 check (offset_seconds >= 0)
);
insert into business_clock default values;
grant select, update (offset_seconds) on business_clock to business_finance_app;
grant select on business_clock to business_finance_definer;

create function business_now() returns timestamptz
language sql stable parallel safe
as $$ select statement_timestamp() + make_interval(secs => offset_seconds) from business_clock $$;
grant execute on function business_now() to business_finance_app, business_finance_definer;

-- The organization of this transaction; null if none is set, so that no row is visible.
create function current_organization() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('app.organization_id', true), '')::uuid $$;
grant execute on function current_organization() to business_finance_app, business_finance_definer;

-- Isolates a table by organization: forced row-level security, so that app sees and writes rows of its organization
-- alone. definer => 'reads' or 'writes' adds what the cross-organization functions need.
--
-- `is not distinct from` uses no index: a row is found by its id, whatever size the planner assumes of an organization.
-- Lists name the organization themselves. `(select …)` runs once for a statement, and not at planning: read() sets the
-- organization in the statement itself, so a planner that saw none would expect few rows, and sort 100,000.
create procedure isolate(isolated text, definer text default 'none') language plpgsql as $$
begin
  execute format('alter table %I enable row level security, force row level security', isolated);
  execute format('create policy own on %I using (organization_id is not distinct from (select current_organization()))
    with check (organization_id is not distinct from current_organization())', isolated);
  if definer = 'reads' then
    execute format('create policy definer on %I to business_finance_definer using (true)', isolated);
  elsif definer = 'writes' then
    execute format('create policy definer on %I to business_finance_definer using (true) with check (true)', isolated);
  end if;
end
$$;

-- The trigger function of tables that are append-only.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;

-- A creation that was answered: the id of its row, made from the Idempotency-Key if one was sent, and a hash of the request's body, for ever.
create table idempotency_claims (
  id uuid primary key,
  body_hash text not null,
  inserted_at timestamptz not null default business_now()
);
grant select, insert on idempotency_claims to business_finance_app;

-- A counter of sign-ins, codes or mails, by system time, for all API processes together (rate-limiter-flexible's
-- table).
create unlogged table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);
grant select, insert, update (points, expire), delete on rate_limits to business_finance_app;

-- A worker process that runs: its build, its queues, and when it wrote last, by system time. Gone with a crash of
-- Postgres, and written again within seconds.
create unlogged table worker_heartbeats (
  id uuid primary key,
  build_id text not null,
  queues text[] not null,
  seen_at timestamptz not null default clock_timestamp()
);
grant select, insert, update (seen_at), delete on worker_heartbeats to business_finance_app;

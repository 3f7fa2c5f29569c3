-- Screening: what operators see and decide of all organizations, what is wrong with it, and rotation of keys.

set local role business_finance_definer;

-- The screening with this id, or those that wait for operators, oldest first.
create or replace function listed_screenings(named uuid, most integer) returns setof screenings
language sql stable security definer set search_path = public, pg_temp
as $$
  select * from screenings s where case when named is null then s.status = 'possible' else s.id = named end
  order by s.inserted_at, s.id limit most
$$;
grant execute on function listed_screenings(uuid, integer) to business_finance_app;

-- Questions without an answer for a day.
create or replace function unanswered_screenings(most integer) returns table (id uuid, connection text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.id, s.connection from screenings s
  where s.status = 'waiting' and s.unclear_since < business_now() - interval '1 day'
  order by s.inserted_at, s.id limit most
$$;
grant execute on function unanswered_screenings(integer) to business_finance_app;

-- Connections with questions that are not decided, or that hold a subject, and how many.
create or replace function screenings_at_connections() returns table (connection text, count integer)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.connection, count(*)::integer from screenings s
  where s.status in ('waiting', 'possible', 'confirmed') group by 1
$$;
grant execute on function screenings_at_connections() to business_finance_app;

-- Screenings whose question another key than this one sealed.
create or replace function screenings_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.id, s.organization_id from screenings s
  where (after is null or s.id > after) and substring(s.sealed for length(head)) <> head
  order by s.id limit batch
$$;
grant execute on function screenings_to_seal(bytea, uuid, integer) to business_finance_app;

-- Screenings whose answer another key than this one sealed.
create or replace function screening_answers_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.id, s.organization_id from screenings s
  where (after is null or s.id > after) and substring(s.answer_sealed for length(head)) <> head
  order by s.id limit batch
$$;
grant execute on function screening_answers_to_seal(bytea, uuid, integer) to business_finance_app;

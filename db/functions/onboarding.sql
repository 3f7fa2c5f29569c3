-- What operators are shown of onboardings, and rows that another key sealed, whichever organization they are of.

set local role business_finance_definer;

-- The organization of a verdict.
create or replace function proposed_verdict(named uuid) returns table (organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$ select v.organization_id from onboarding_verdicts v where v.id = named $$;
grant execute on function proposed_verdict(uuid) to business_finance_app;

-- Onboardings that wait for operators, oldest first, with a verdict that waits for a second one.
drop function if exists listed_onboardings(text, integer);
create or replace function listed_onboardings(most integer)
returns table (organization_id uuid, name text, status text, round integer, since timestamptz, verdict_id uuid, verdict text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select b.organization_id, o.name, b.status, b.round, b.since, v.id, v.verdict
  from onboardings b join organizations o on o.id = b.organization_id
  left join onboarding_verdicts v on v.organization_id = b.organization_id and v.confirmed_at is null
    and v.withdrawn_at is null
  where b.status = 'in_review' and exists (select from onboarding_reviews r where r.organization_id = b.organization_id
    and r.reviewer = 'service' and r.status in ('waiting', 'in_review'))
  order by b.since, b.id limit most
$$;
grant execute on function listed_onboardings(integer) to business_finance_app;

-- Entities that another key than this one sealed.
create or replace function onboarding_entities_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select b.id, b.organization_id from onboardings b
  where (after is null or b.id > after) and substring(b.entity for length(head)) <> head
  order by b.id limit batch
$$;
grant execute on function onboarding_entities_to_seal(bytea, uuid, integer) to business_finance_app;

-- Submissions that another key than this one sealed.
create or replace function submissions_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select b.id, b.organization_id from onboardings b
  where (after is null or b.id > after) and substring(b.submitted for length(head)) <> head
  order by b.id limit batch
$$;
grant execute on function submissions_to_seal(bytea, uuid, integer) to business_finance_app;

-- People that another key than this one sealed.
create or replace function onboarding_people_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select p.id, p.organization_id from onboarding_people p
  where (after is null or p.id > after) and substring(p.sealed for length(head)) <> head
  order by p.id limit batch
$$;
grant execute on function onboarding_people_to_seal(bytea, uuid, integer) to business_finance_app;

-- Papers whose keys another key than this one sealed.
create or replace function onboarding_papers_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.organization_id from onboarding_documents d
  where (after is null or d.id > after) and substring(d.sealed_key for length(head)) <> head
  order by d.id limit batch
$$;
grant execute on function onboarding_papers_to_seal(bytea, uuid, integer) to business_finance_app;

-- Log of requests of all organizations: written in one go, and forgotten.

set local role business_finance_definer;

-- Writes requests of any organizations. A request that is there already is skipped.
create or replace function record_requests(rows jsonb) returns void
language sql security definer set search_path = public, pg_temp
as $$
  insert into requests (id, organization_id, request_id, operation, method, path, status, error_type, milliseconds,
    user_id, api_key_id, delegate_id, scim_token_id, user_agent, inserted_at)
  select r.id, r.organization_id, r.request_id, r.operation, r.method, r.path, r.status, r.error_type, r.milliseconds,
    r.user_id, r.api_key_id, r.delegate_id, r.scim_token_id, r.user_agent, r.inserted_at
  from jsonb_to_recordset(rows) r (id uuid, organization_id uuid, request_id text, operation text, method text, path text,
    status smallint, error_type text, milliseconds integer, user_id uuid, api_key_id uuid, delegate_id uuid,
    scim_token_id uuid, user_agent text, inserted_at timestamptz)
  on conflict (id) do nothing
$$;
grant execute on function record_requests(jsonb) to business_finance_app;

-- Deletes a batch of requests that arrived some days ago; answers how many.
create or replace function forget_requests(days integer, batch integer) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from requests where id = any (array(
      select r.id from requests r where r.inserted_at < business_now() - make_interval(days => days)
      order by r.inserted_at limit batch))
    returning 1)
  select count(*)::integer from gone
$$;
grant execute on function forget_requests(integer, integer) to business_finance_app;

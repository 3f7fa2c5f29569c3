-- Webhook endpoints of all organizations: wakes by the log, purge, key rotation.

set local role business_finance_definer;

-- Lists the endpoints of these organizations that take events behind their cursor, but for failing ones with deliveries
-- that wait.
create or replace function webhook_endpoints_with_news(organizations uuid[], failing integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select e.id, e.organization_id from webhook_endpoints e
  where e.organization_id = any (organizations) and e.status = 'active'
    and (e.failures < failing or not exists (select from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending'))
    and case when e.types = '{}' then exists (select from event_chain c
        where c.organization_id = e.organization_id and c.seq > e.cursor)
      -- each type by itself, through an index: of a log of which the endpoint takes nothing, none is read
      else exists (select from unnest(e.types) t (type) cross join lateral (select from event_chain c
        where c.organization_id = e.organization_id and c.type = t.type and c.seq > e.cursor limit 1) found) end
$$;
grant execute on function webhook_endpoints_with_news(uuid[], integer) to business_finance_app;

-- Deletes a batch of deliveries that ended some days ago; answers how many.
create or replace function forget_webhook_deliveries(days integer, batch integer) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from webhook_deliveries where id = any (array(
      select d.id from webhook_deliveries d where d.ended_at < business_now() - make_interval(days => days)
      order by d.ended_at limit batch))
    returning 1)
  select count(*)::integer from gone
$$;
grant execute on function forget_webhook_deliveries(integer, integer) to business_finance_app;

-- Lists endpoints whose secrets another key than the first encrypted.
create or replace function webhook_endpoints_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select e.id, e.organization_id from webhook_endpoints e
  where (after is null or e.id > after) and e.sealed is not null and substring(e.sealed for length(head)) <> head
  order by e.id limit batch
$$;
grant execute on function webhook_endpoints_to_seal(bytea, uuid, integer) to business_finance_app;

-- Lists the endpoints of all organizations that take nothing, for operators: hosts alone, oldest failure first.
create or replace function failing_webhooks(failing integer, most integer)
returns table (id uuid, organization_id uuid, host text, status text, failures integer, since timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select e.id, e.organization_id, substring(e.url from '^[a-z+-]+://(?:[^/?#@]*@)?([^/?#]*)'), e.status, e.failures,
    coalesce(e.failing_since, e.updated_at)
  from webhook_endpoints e
  where e.status <> 'deleted' and (e.failures > 0 or e.status = 'disabled')
    and (e.failures >= failing or e.disabled_reason in ('gone', 'failures'))
  order by 6, 1 limit most
$$;
grant execute on function failing_webhooks(integer, integer) to business_finance_app;

-- Counts them.
create or replace function count_failing_webhooks(failing integer) returns bigint
language sql stable security definer set search_path = public, pg_temp
as $$ select count(*) from failing_webhooks(failing, null) $$;
grant execute on function count_failing_webhooks(integer) to business_finance_app;

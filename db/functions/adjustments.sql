-- What operators are shown and decide, whichever organization it is of.

set local role business_finance_definer;

-- Open differences to a partner's list about a payment or deposit.
create or replace function open_differences(about uuid) returns table (organization_id uuid, check_name text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select f.organization_id, f.check_name from audit_findings f
  where f.kind = 'reconciliation' and f.resolved_at is null and f.subject = about::text order by f.found_at
$$;
grant execute on function open_differences(uuid) to business_finance_app;

-- Names the connection whose list an adjustment takes over; null for one that is of no payment and no deposit.
create or replace function connection_of_adjustment(adjustment uuid) returns text
language sql stable security definer set search_path = public, pg_temp
as $$
  select connection_of(coalesce(p.rail, d.rail), coalesce(p.connection, d.connection))
  from adjustments a left join payments p on p.id = a.payment_id left join deposits d on d.id = a.deposit_id
  where a.id = adjustment
$$;
grant execute on function connection_of_adjustment(uuid) to business_finance_app;

-- The adjustment with this id, or those that wait for a second operator, oldest first.
create or replace function listed_adjustments(named uuid, most integer) returns setof adjustments
language sql stable security definer set search_path = public, pg_temp
as $$
  select * from adjustments a where case when named is null then a.status = 'proposed' else a.id = named end
  order by a.inserted_at, a.id limit most
$$;
grant execute on function listed_adjustments(uuid, integer) to business_finance_app;

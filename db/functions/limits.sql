-- Limits that add up: their lock, and the periods that they are over.

-- Serializes requests of an organization that has limits, until the transaction ends: each sees the sums of those before.
-- Takes nothing without limits. A statement that locks rows calls it in its FROM, so that it comes before these locks.
create or replace function lock_limits(organization uuid) returns boolean
language plpgsql volatile
as $$
begin
  if not exists (select from approval_policies p
    where p.organization_id = organization and p.rules @? '$[*].period') then return false; end if;
  perform pg_advisory_xact_lock(7340029 /* LOCKS.limits */, hashtext(organization::text));
  return true;
end
$$;
grant execute on function lock_limits(uuid) to business_finance_app;

-- Serializes requests of an organization that has limits, and those to accounts that are new, until the transaction ends:
-- each sees what those before it ask for. `destination` is null for an account that no destination has, which is new.
-- Takes the lock of limits, so that there is no order of two locks.
create or replace function lock_requests(organization uuid, destination uuid) returns boolean
language plpgsql volatile
as $$
begin
  if lock_limits(organization) then return true; end if;
  if destination is not null and not exists (
      select from payment_destinations d join organizations o on o.id = organization
      where d.id = destination and o.account_change_hours > 0
        and coalesce(d.usable_at, d.inserted_at) > business_now() - make_interval(hours => o.account_change_hours))
    then return false; end if;
  perform pg_advisory_xact_lock(7340029 /* LOCKS.limits */, hashtext(organization::text));
  return true;
end
$$;
grant execute on function lock_requests(uuid, uuid) to business_finance_app;

-- Tells if the payee of a payment that no bill is paid by may ever have been paid at another account: by its contact, by
-- its name's key, or by a bill of that name. False is certain, and spares the facts of services/account-changes/facts.ts,
-- whose plan alone costs half a millisecond to set up. Volatile: it sees what a lock in the same statement waited for.
create or replace function may_be_paid_elsewhere(organization uuid, destination uuid, name text) returns boolean
language plpgsql volatile
as $$
begin
  return exists (select from payment_destinations d
      join payment_destinations e on e.payment_contact_id = d.payment_contact_id and e.account_id <> d.account_id
      where d.id = destination and exists (select from payments p where p.destination_id = e.id))
    -- two ranges of an index: by inequality all payments to the destination would be read
    or exists (select from payments p where p.organization_id = organization and p.payee_key = name and p.bill_id is null
      and p.destination_id < destination)
    or exists (select from payments p where p.organization_id = organization and p.payee_key = name and p.bill_id is null
      and p.destination_id > destination)
    or exists (select from bills b where b.organization_id = organization and b.name_key = name);
end
$$;
grant execute on function may_be_paid_elsewhere(uuid, uuid, text) to business_finance_app;

-- Lists the periods that an organization is in at an instant, with their first instant and that of the next one. Weeks
-- begin on Monday. One in which the time zone was changed twice begins where its first day begins first on earth: the
-- zone of then is known no more, and a change must not take what was requested out of a sum.
create or replace function limit_periods(organization uuid, at timestamptz)
returns table (period text, begins_at timestamptz, resets_at timestamptz)
language plpgsql stable -- a file of functions is applied before those whose functions it calls
as $$
#variable_conflict use_column
declare
  today date := local_date(organization, at);
  monday date := date_trunc('week', today::timestamp);
  first date := date_trunc('month', today::timestamp);
begin
  return query select p.period,
      case when o.time_zone_from >= b.at and (select count(*) from events e
          where e.subject_id = organization and e.type = 'organization.settings_changed'
            and e.occurred_at >= b.earliest and e.payload::jsonb -> 'changed' ? 'time_zone') > 1
        then b.earliest else b.at end,
      local_midnight(organization, p.ends)
    from (values ('day', today, today + 1), ('week', monday, monday + 7),
      ('month', first, (first + interval '1 month')::date)) p (period, begins, ends)
    join organizations o on o.id = organization
    cross join lateral (select local_midnight(organization, p.begins) as at,
      zone_midnight('Etc/GMT-14', p.begins) as earliest) b;
end
$$;
grant execute on function limit_periods(uuid, timestamptz) to business_finance_app;

set local role business_finance_definer;

-- Lists the currencies without a rate of a day in which organizations have money or limits, but for US dollars.
create or replace function currencies_without_rate(of_day date) returns table (currency text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.currency
  from (select a.currency from ledger_accounts a where a.kind = 'available'
    union select jsonb_path_query(p.rules, '$[*] ? (exists (@.period)).currency') #>> '{}' from approval_policies p) c
  where c.currency <> 'USD' and not exists (select from daily_rates r where r.currency = c.currency and r.day = of_day)
  order by c.currency
$$;
grant execute on function currencies_without_rate(date) to business_finance_app;

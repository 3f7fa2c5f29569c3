-- What deposits need beyond 0018: the network of coins, what unmatched ones were worth, and lists by organization.
alter table deposits add column network text;
create index deposits_waiting on deposits (organization_id, inserted_at desc, id desc)
  where status = 'held' and not is_returning;

alter table unmatched_deposits
  add column network text,
  add column value_usd numeric, -- what coins were worth when they came
  add column partner_reference text,
  add column is_returning boolean not null default false; -- on its way back: nobody is assigned to it any more
create index unmatched_deposits_open on unmatched_deposits (inserted_at) where status = 'unmatched';

-- As before, and with the network of coins.
drop function receiving_account(text);
create function receiving_account(named text)
returns table (id uuid, organization_id uuid, rail text, currency text, network text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select r.id, r.organization_id, r.rail, r.currency, r.network from receiving_accounts r where r.account = named
$$;

-- As before, and with where it stands.
drop function deposit_owner(uuid);
create function deposit_owner(partner_deposit uuid) returns table (id uuid, organization_id uuid, status text)
language sql stable security definer set search_path = public, pg_temp
as $$ select d.id, d.organization_id, d.status from deposits d where d.partner_deposit_id = partner_deposit $$;

-- Travel rules that an earlier key sealed, so that it can be taken out of the configuration.
create function travel_rules_to_seal(key text, after uuid, batch integer) returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.organization_id from deposits d
  where d.travel_rule is not null and (after is null or d.id > after)
    and substr(d.travel_rule, 2, get_byte(d.travel_rule, 0)) <> convert_to(key, 'UTF8')
  order by d.id limit batch
$$;

do $$
declare
  routine regprocedure;
begin
  grant create on schema public to business_finance_definer; -- a function is handed over only to a role that may create
  foreach routine in array array['receiving_account(text)', 'deposit_owner(uuid)',
    'travel_rules_to_seal(text, uuid, integer)']::regprocedure[]
  loop
    execute format('alter function %s owner to business_finance_definer', routine);
    execute format('revoke execute on function %s from public', routine);
    execute format('grant execute on function %s to business_finance_app', routine);
  end loop;
  revoke create on schema public from business_finance_definer;
end
$$;

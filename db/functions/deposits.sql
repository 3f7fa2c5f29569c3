-- Partners know our accounts and their own ids, and not our organizations.

set local role business_finance_definer;

-- Whose account a deposit names, and the account itself.
-- Whose account a deposit names, and the connection that has it; receiving_account() is that of the release before.
create or replace function account_named(named text)
returns table (id uuid, organization_id uuid, rail text, currency text, network text, connection text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select r.id, r.organization_id, r.rail, r.currency, r.network, connection_of(r.rail, r.connection)
  from receiving_accounts r where account_key(r.account) = account_key(named)
$$;
grant execute on function account_named(text) to business_finance_app;

create or replace function receiving_account(named text)
returns table (id uuid, organization_id uuid, rail text, currency text, network text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select r.id, r.organization_id, r.rail, r.currency, r.network from receiving_accounts r
  where account_key(r.account) = account_key(named)
$$;
grant execute on function receiving_account(text) to business_finance_app;

-- Which organization a deposit of a partner was recorded for, and where it stands.
create or replace function deposit_owner(of_partner text, partner_deposit uuid)
returns table (id uuid, organization_id uuid, status text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.organization_id, d.status from deposits d
  where connection_of(d.rail, d.connection) = of_partner and d.partner_deposit_id = partner_deposit
$$;
grant execute on function deposit_owner(text, uuid) to business_finance_app;

-- Records that a partner called about a deposit, which is asked about at once if it is held; no row if nobody has it.
create or replace function record_deposit_callback(of_partner text, partner_deposit uuid)
returns table (id uuid, organization_id uuid, status text, rail text)
language sql security definer set search_path = public, pg_temp
as $$
  update deposits d
  set callbacks_received = d.callbacks_received + case d.status when 'held' then 1 else 0 end,
    ask_at = case d.status when 'held' then null else d.ask_at end
  where connection_of(d.rail, d.connection) = of_partner and d.partner_deposit_id = partner_deposit
  returning d.id, d.organization_id, d.status, d.rail
$$;
grant execute on function record_deposit_callback(text, uuid) to business_finance_app;

-- Travel rules that an earlier key sealed, so that it can be taken out of the configuration.
create or replace function travel_rules_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.organization_id from deposits d
  where (after is null or d.id > after) and substring(d.travel_rule for length(head)) <> head
  order by d.id limit batch
$$;
grant execute on function travel_rules_to_seal(bytea, uuid, integer) to business_finance_app;

-- What a partner calls a deposit is its own name for it; what it sends back by itself; who an account was asked for.

-- Both partners may use the same id.
create unique index deposits_partner_deposit on deposits (rail, partner_deposit_id);
alter table deposits drop constraint deposits_partner_deposit_id_key;
create unique index unmatched_deposits_partner_deposit on unmatched_deposits (partner, partner_deposit_id);
alter table unmatched_deposits drop constraint unmatched_deposits_partner_deposit_id_key;

-- As before, of the partner that is named.
create function deposit_owner(of_partner text, partner_deposit uuid)
returns table (id uuid, organization_id uuid, status text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.organization_id, d.status from deposits d
  where d.rail = case of_partner when 'bank' then 'fiat' else 'crypto' end and d.partner_deposit_id = partner_deposit
$$;
drop function deposit_owner(uuid);

-- The partner called about it while it was held; of these calls it was asked about so many.
alter table deposits
  add column partner_calls integer not null default 0,
  add column partner_calls_read integer not null default 0;

-- Whom the partner was first asked to open it for: a repeat with another name would be another request.
alter table receiving_accounts add column holder text;

-- Addresses of these kinds are the same in capitals and in small letters (EIP-55, BIP 173); of all others the case counts.
create function account_key(account text) returns text
language sql immutable
as $$
  select case when account ~* '^0x[0-9a-f]{40}$' or account ~* '^(bc|tb|bcrt)1[02-9ac-hj-np-z]{11,87}$'
    then lower(account) else account end
$$;
create unique index receiving_accounts_account on receiving_accounts (account_key(account));
alter table receiving_accounts drop constraint receiving_accounts_account_key;

create or replace function receiving_account(named text)
returns table (id uuid, organization_id uuid, rail text, currency text, network text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select r.id, r.organization_id, r.rail, r.currency, r.network from receiving_accounts r
  where account_key(r.account) = account_key(named)
$$;

create or replace function unknown_deposits(of_partner text) returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select r.id from partner_records r
  where r.partner = of_partner and r.list = 'deposits' and r.status = 'received'
    and not exists (select from deposits d
      where d.partner_deposit_id = r.id and d.rail = case of_partner when 'bank' then 'fiat' else 'crypto' end)
    and not exists (select from unmatched_deposits u where u.partner_deposit_id = r.id and u.partner = of_partner)
$$;

grant create on schema public to business_finance_definer; -- a function is handed over only to a role that may create
alter function deposit_owner(text, uuid) owner to business_finance_definer;
revoke create on schema public from business_finance_definer;
revoke execute on function deposit_owner(text, uuid), account_key(text) from public;
grant execute on function deposit_owner(text, uuid) to business_finance_app;
grant execute on function account_key(text) to business_finance_app, business_finance_definer;

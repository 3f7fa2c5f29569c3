-- Connections to partners have names, for ever. Rows from before are of the one that is named after their rail.

create function connection_of(rail text, connection text) returns text language sql immutable parallel safe
as $$ select coalesce(connection, case rail when 'fiat' then 'bank' when 'crypto' then 'custodian' end) $$;
grant execute on function connection_of(text, text) to business_finance_app, business_finance_definer;

alter table payment_quotes add column connection text; -- chosen with the quote, and never changed after
alter table payments add column connection text;
alter table deposits add column connection text;
alter table receiving_accounts add column connection text;
alter table unmatched_deposits drop constraint unmatched_deposits_partner_check;
alter table covers add column connection text; -- the desk; null is `rates`
alter table partner_trades add column connection text not null default 'rates';

-- a name is free: the configuration says which there are
alter table partner_lists drop constraint partner_lists_partner_check;
alter table partner_oddities drop constraint partner_oddities_partner_check;
alter table partner_records drop constraint partner_records_partner_check;
alter table sandbox_accounts drop constraint sandbox_accounts_partner_check;
alter table sandbox_callbacks drop constraint sandbox_callbacks_partner_check;
alter table sandbox_deposits drop constraint sandbox_deposits_partner_check;
alter table sandbox_payouts drop constraint sandbox_payouts_partner_check;

-- two banks may give their deposits the same id
create unique index deposits_at_connection on deposits (connection_of(rail, connection), partner_deposit_id);
drop index deposits_partner_deposit;
-- who moves to another bank gets an account there, and keeps the one that there is
create unique index receiving_accounts_at_connection
  on receiving_accounts (organization_id, rail, currency, network, connection_of(rail, connection)) nulls not distinct;
alter table receiving_accounts drop constraint receiving_accounts_organization_id_rail_currency_network_key;

-- each connection has a clearing account of its own: `bank:usd` beside `bank`
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check check (
  kind in ('available', 'held', 'bank', 'custody', 'desk', 'fx', 'fx_result', 'fees', 'charges', 'subscriptions', 'suspense',
    'receivable', 'payable') or kind ~ '^(bank|custody|desk|charges):[a-z][a-z0-9-]{1,30}$');

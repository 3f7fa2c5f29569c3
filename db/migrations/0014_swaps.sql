-- Exchanges of currencies.

-- An offered rate: valid for a minute, used once.
create table swap_quotes (
  id uuid primary key,
  organization_id uuid not null references organizations,
  source_amount numeric not null check (source_amount > 0),
  source_currency text not null,
  target_amount numeric not null check (target_amount > 0),
  target_currency text not null,
  rate text not null, -- all in; the source amount times it, rounded half up, is the target amount
  value_usd numeric not null check (value_usd >= 0), -- what the source amount is worth
  market_state text not null check (market_state in ('open', 'closed')),
  created_by uuid not null references people,
  swap_id uuid unique, -- the swap that used it
  inserted_at timestamptz not null default business_now(),
  expires_at timestamptz not null
);
create index swap_quotes_unused on swap_quotes (expires_at) where swap_id is null;
call isolate('swap_quotes', definer => 'reads');
grant select, insert, update (swap_id) on swap_quotes to business_finance_app;
grant select, update, delete on swap_quotes to business_finance_definer;

-- An exchange of currencies of an organization.
create table swaps (
  id uuid primary key,
  organization_id uuid not null references organizations,
  quote_id uuid not null unique references swap_quotes,
  source_amount numeric not null check (source_amount > 0),
  source_currency text not null,
  target_amount numeric not null check (target_amount > 0),
  target_currency text not null,
  rate text not null,
  market_state text not null check (market_state in ('open', 'closed')),
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  check (source_currency <> target_currency)
);
create index swaps_list on swaps (organization_id, inserted_at desc, id desc);
call isolate('swaps', definer => 'reads');
grant select, insert on swaps to business_finance_app;
grant select on swaps to business_finance_definer;

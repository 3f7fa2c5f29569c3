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
  market_state text not null check (market_state in ('open', 'closed')),
  created_by uuid not null references people,
  swap_id uuid unique, -- the swap that used it
  inserted_at timestamptz not null default business_now(),
  expires_at timestamptz not null
);
create index swap_quotes_unused on swap_quotes (expires_at) where swap_id is null;
alter table swap_quotes enable row level security;
alter table swap_quotes force row level security;
create policy own on swap_quotes using (organization_id is not distinct from (select current_organization()))
  with check (organization_id is not distinct from current_organization());
create policy definer on swap_quotes to business_finance_definer using (true);
grant select, insert, update on swap_quotes to business_finance_app;
grant select, update, delete on swap_quotes to business_finance_definer;

-- An exchange of currencies of an organization, and whether our own position is covered.
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
  -- covered: our own position was closed at the rates desk
  status text not null check (status in ('executed', 'covered')),
  created_by uuid not null references people,
  ask_at timestamptz, -- when the rates desk is asked again; null is at once
  asks integer not null default 0, -- how often it was asked without anything new
  unclear_since timestamptz, -- since when nobody knows whether it took what it was asked for
  ask_note text, -- what the latest try came to
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check (source_currency <> target_currency)
);
create index swaps_list on swaps (organization_id, inserted_at desc, id desc);
create index swaps_driven on swaps (updated_at) where status = 'executed';
alter table swaps enable row level security;
alter table swaps force row level security;
create policy own on swaps using (organization_id is not distinct from (select current_organization()))
  with check (organization_id is not distinct from current_organization());
create policy definer on swaps to business_finance_definer using (true);
grant select, insert, update on swaps to business_finance_app;
grant select on swaps to business_finance_definer;

-- What a trade came to, when it settles, and what operators dealt where no desk trades.

-- What operators dealt for some covers of one pair of currencies, net of opposite ones. One proposes it and another
-- confirms it; then the run of each cover books its share.
create table cover_dealings (
  id uuid primary key,
  sold_amount numeric not null check (sold_amount >= 0),
  sold_currency text not null,
  bought_amount numeric not null check (bought_amount >= 0),
  bought_currency text not null,
  settles_on date, -- null: both amounts were exchanged when it was recorded
  settled_at timestamptz, -- when an operator said that both amounts were exchanged
  reason text not null,
  proposed_by uuid not null references people,
  confirmed_by uuid references people,
  confirmed_at timestamptz,
  withdrawn_at timestamptz,
  inserted_at timestamptz not null default business_now(),
  check (sold_currency <> bought_currency),
  check ((confirmed_by is null) = (confirmed_at is null)),
  check (confirmed_by <> proposed_by),
  check (confirmed_at is null or withdrawn_at is null),
  check (settled_at is null or confirmed_at is not null and settles_on is not null)
);
create index cover_dealings_proposed on cover_dealings (inserted_at) where confirmed_at is null and withdrawn_at is null;
create index cover_dealings_unsettled on cover_dealings (settles_on)
  where confirmed_at is not null and settled_at is null and settles_on is not null;
grant select, insert, update (settled_at, confirmed_by, confirmed_at, withdrawn_at) on cover_dealings to
  business_finance_app;
grant select on cover_dealings to business_finance_definer;

-- The share of a cover in a dealing: what it counts as sold and bought.
create table dealt_covers (
  dealing_id uuid not null references cover_dealings,
  cover_id uuid not null references covers,
  sold_amount numeric not null check (sold_amount >= 0), -- zero of the smallest covers
  bought_amount numeric not null check (bought_amount >= 0),
  confirmed boolean not null default false, -- as its dealing is
  primary key (dealing_id, cover_id)
);
-- nothing is dealt twice
create unique index dealt_covers_once on dealt_covers (cover_id) where confirmed;
grant select, insert, update (confirmed) on dealt_covers to business_finance_app;
grant select on dealt_covers to business_finance_definer;

alter table covers
  add column sold_amount numeric check (sold_amount >= 0), -- in the trade; null is what was quoted
  add column bought_amount numeric check (bought_amount >= 0),
  add column settles_on date, -- until then both amounts are in flight; null is at once
  add column dealing_id uuid references cover_dealings, -- null: the desk traded
  add check ((sold_amount is null) = (bought_amount is null)),
  add check (status = 'covered' or sold_amount is null and settles_on is null and dealing_id is null);
create index covers_settling on covers (settles_on) where settles_on is not null;
create index covers_dealing on covers (dealing_id) where dealing_id is not null;
grant update (sold_amount, bought_amount, settles_on, dealing_id) on covers to business_finance_app;
-- a dealing locks covers of several organizations
grant update (updated_at) on covers to business_finance_definer;

-- both amounts have reached their owners, as the desk says
alter table partner_trades add column settled boolean not null default false;
grant update (settled) on partner_trades to business_finance_app;

-- a trade is missing only if the list of its own desk was read
grant select on partner_lists to business_finance_definer;

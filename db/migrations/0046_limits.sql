-- Limits that add up over a day, a week or a month of an organization.

-- Another time zone counts from the next midnight of the one before, so that no day has two ends.
alter table organizations
  add column time_zone text not null default 'UTC', -- an IANA name
  add column former_time_zone text not null default 'UTC', -- that counts until then
  add column time_zone_from timestamptz;
grant update (time_zone, former_time_zone, time_zone_from) on organizations to business_finance_app;

-- A day's worth of one unit of a currency in US dollars, by the rates desk: what sums over several currencies are
-- counted by.
create table daily_rates (
  currency text not null,
  day date not null, -- UTC
  usd numeric not null check (usd > 0),
  inserted_at timestamptz not null default business_now(),
  primary key (currency, day)
);
grant select, insert on daily_rates to business_finance_app;
grant select on daily_rates to business_finance_definer;

-- of those that were submitted in a period
create index payment_batches_submitted on payment_batches (organization_id, submitted_at) where submitted_at is not null;

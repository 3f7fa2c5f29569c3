-- Plans that are offered, and the organizations that subscribe to them.

-- An offer: a plan at a price for a month. The price never changes: another one is another offer.
create table subscription_offers (
  id uuid primary key,
  name text not null,
  display_name text,
  description text,
  amount numeric not null check (amount >= 0), -- for a month
  currency text not null,
  deactivated_at timestamptz, -- nobody selects it any more; who has it keeps it
  valid_from timestamptz, -- null: always
  valid_to timestamptz, -- null: for good
  marketing_attributes jsonb not null default '{}', -- what is said of it where it is sold
  summary text[] not null default '{}', -- the same in a few lines, in their order
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check (valid_to > valid_from)
);
grant select, insert, update (display_name, description, deactivated_at, valid_from, valid_to, marketing_attributes, summary,
  updated_at) on subscription_offers to business_finance_app;
grant select on subscription_offers to business_finance_definer;

-- A subscription of an organization: what it has paid for, and until when. It has one at most that is active.
create table subscriptions (
  id uuid primary key,
  organization_id uuid not null references organizations,
  status text not null default 'active' check (status in ('active', 'expired')),
  offer_id uuid not null references subscription_offers,
  anchor_day integer not null check (anchor_day between 1 and 31), -- that months begin on, or the last day of a shorter one
  month_starts_on date not null, -- the month that was paid last
  month_ends_on date not null check (month_ends_on > month_starts_on), -- the first day that is not paid
  scheduled_offer_id uuid references subscription_offers, -- the offer of the next month
  is_ending boolean not null default false, -- there is no next month
  held_since timestamptz, -- the next month was due while no money of the organization could move
  attempts integer not null default 0, -- to pay the next month, in vain
  failing_since timestamptz, -- when the first of them was
  attempt_at timestamptz, -- when the next one is
  created_by uuid not null references people,
  expired_at timestamptz check ((expired_at is null) = (status = 'active')),
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  unique (id, organization_id),
  check (scheduled_offer_id <> offer_id),
  check (not is_ending or scheduled_offer_id is null),
  check ((attempts = 0) = (failing_since is null)),
  check ((failing_since is null) = (attempt_at is null) or status = 'expired')
) with (fillfactor = 80);
create unique index subscriptions_active on subscriptions (organization_id) where status = 'active';
create index subscriptions_list on subscriptions (organization_id, inserted_at desc, id desc);
call isolate('subscriptions', definer => 'reads');
grant select, insert, update (status, offer_id, anchor_day, month_starts_on, month_ends_on, scheduled_offer_id, is_ending,
  held_since, attempts, failing_since, attempt_at, expired_at, updated_at) on subscriptions to business_finance_app;
grant select on subscriptions to business_finance_definer;

-- A change of a subscription, and what it cost: somebody selected a plan, or a month was renewed.
create table subscription_changes (
  id uuid primary key,
  organization_id uuid not null,
  subscription_id uuid not null,
  operation text not null check (operation in ('created', 'upgraded', 'recommitted', 'downgrade_scheduled', 'change_scheduled',
    'renewed')),
  offer_id uuid not null references subscription_offers,
  previous_offer_id uuid references subscription_offers, -- null: there was none
  month_starts_on date not null, -- the month that is in force after it
  month_ends_on date not null,
  effective_on date not null, -- from when the offer counts
  charge text not null check (charge in ('month', 'rest_of_month', 'none')), -- what is paid
  amount numeric not null check (amount >= 0 and (charge <> 'none' or amount = 0)),
  currency text not null,
  transaction_id uuid unique, -- the row of the feed that says so; null: it cost nothing
  created_by uuid references people, -- null: time
  inserted_at timestamptz not null default business_now(),
  foreign key (subscription_id, organization_id) references subscriptions (id, organization_id),
  check ((transaction_id is null) = (amount = 0)),
  check ((created_by is null) = (operation = 'renewed'))
);
-- a month is paid once
create unique index subscription_changes_month on subscription_changes (subscription_id, month_starts_on) where charge = 'month';
create index subscription_changes_list on subscription_changes (organization_id, inserted_at desc, id desc);
call isolate('subscription_changes', definer => 'reads');
grant select, insert on subscription_changes to business_finance_app;
grant select on subscription_changes to business_finance_definer;

-- What partners say, and what the proof of the books finds.

-- A callback of a partner, as it came in: a hint to ask. The id is the partner's own, so that a repeat is recognized.
create table partner_callbacks (
  partner text not null,
  id text not null,
  subject text not null check (subject in ('payment', 'deposit')),
  subject_id uuid not null,
  received_at timestamptz not null default business_now(),
  handled_at timestamptz,
  primary key (partner, id)
);
create index partner_callbacks_open on partner_callbacks (subject_id) where handled_at is null;
create index partner_callbacks_handled on partner_callbacks (received_at);
grant select, insert, update (handled_at), delete on partner_callbacks to business_finance_app;
grant select on partner_callbacks to business_finance_definer;

-- A payout or deposit of a partner's own list, as it was read last. It names no person. A deposit's id is the
-- partner's, a payout's is ours. `changed_at` is when this service saw the change, by its own clock.
create table partner_records (
  partner text not null check (partner in ('bank', 'custodian')),
  list text not null check (list in ('payouts', 'deposits')),
  id uuid not null,
  status text not null,
  amount numeric not null,
  currency text not null,
  changed_at timestamptz not null default business_now(),
  primary key (partner, list, id)
);
grant select, insert, update (status, amount, currency, changed_at) on partner_records to business_finance_app;
grant select on partner_records to business_finance_definer;

-- From where a partner's list is read on: everything before was final for long when it was read. Once a day all of it
-- is read.
create table partner_lists (
  partner text not null check (partner in ('bank', 'custodian', 'rates')),
  list text not null check (list in ('payouts', 'deposits', 'trades')),
  read_from text,
  read_whole_at timestamptz,
  read_at timestamptz, -- to its end
  primary key (partner, list)
);
grant select, insert, update (read_from, read_whole_at, read_at) on partner_lists to business_finance_app;

-- An entry of a partner's list, or a deposit that was asked for, that cannot be compared: it is of nothing, or cannot
-- be read. `name` is its id, or else its place in the list.
create table partner_oddities (
  partner text not null check (partner in ('bank', 'custodian', 'rates')),
  list text not null check (list in ('payouts', 'deposits', 'trades')),
  name text not null,
  is_nothing boolean not null,
  seen_at timestamptz not null default business_now(),
  primary key (partner, list, name)
);
create index partner_oddities_unreadable on partner_oddities (seen_at) where not is_nothing;
grant select, insert, update (is_nothing, seen_at), delete on partner_oddities to business_finance_app;
grant select on partner_oddities to business_finance_definer;

-- A trade of the rates desk's own list, as it was read last. Its id is that of a cover's trade.
create table partner_trades (
  id uuid primary key,
  sell_amount numeric not null,
  sell_currency text not null,
  buy_amount numeric not null,
  buy_currency text not null
);
grant select, insert, update (sell_amount, sell_currency, buy_amount, buy_currency) on partner_trades to
  business_finance_app;
grant select on partner_trades to business_finance_definer;

-- A fault that the audit found in an organization, until it is gone.
create table audit_findings (
  id uuid primary key default uuidv7(),
  organization_id uuid not null references organizations,
  kind text not null check (kind in ('ledger', 'reconciliation', 'database')),
  check_name text not null,
  subject text not null,
  found_at timestamptz not null default business_now(),
  resolved_at timestamptz
);
create unique index audit_findings_open on audit_findings (organization_id, kind, check_name, subject)
  where resolved_at is null;
call isolate('audit_findings', definer => 'reads');
grant select, insert, update (resolved_at) on audit_findings to business_finance_app;
grant select on audit_findings to business_finance_definer;

-- A fault that belongs to no single organization: the sum of all books, a payout of no payment, a process that does
-- not move.
create table service_findings (
  id uuid primary key default uuidv7(),
  kind text not null check (kind in ('ledger', 'reconciliation', 'process', 'database')),
  check_name text not null,
  subject text not null,
  found_at timestamptz not null default business_now(),
  resolved_at timestamptz
);
create unique index service_findings_open on service_findings (kind, check_name, subject) where resolved_at is null;
grant select, insert, update (resolved_at) on service_findings to business_finance_app;
grant select on service_findings to business_finance_definer;

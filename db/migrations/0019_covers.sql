-- Our own position.

-- What one exchange opened in our own position, and whether that was closed at the rates desk.
create table covers (
  id uuid primary key,
  organization_id uuid not null references organizations, -- whose exchange it was
  transfer_key text not null unique, -- of the transfer that opened it
  trade_id uuid not null unique, -- under which the desk trades
  opened_by uuid not null, -- the event of the swap or payment that opened it
  sell_amount numeric not null check (sell_amount > 0), -- what came in
  sell_currency text not null,
  buy_amount numeric not null check (buy_amount > 0), -- what went out
  buy_currency text not null,
  value_usd numeric not null check (value_usd >= 0), -- what it was worth when it was quoted
  status text not null check (status in ('open', 'covered')),
  ask_at timestamptz, -- when the rates desk is asked again; null is at once
  asks integer not null default 0, -- how often it was asked without anything new
  unclear_since timestamptz, -- since when nobody knows whether it took what it was asked for
  ask_note text, -- what the latest try came to
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check (sell_currency <> buy_currency)
);
-- our own position is what these few rows are
create index covers_open on covers (inserted_at) where status = 'open';
call isolate('covers', definer => 'reads');
grant select, insert, update (status, ask_at, asks, unclear_since, ask_note, updated_at) on covers to
  business_finance_app;
grant select on covers to business_finance_definer;

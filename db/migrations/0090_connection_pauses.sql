-- Connections are paused one by one, and what they last said is kept.

-- A pause of a connection: from it to its end nothing new is sent there. What is under way is asked about, and booked.
create table connection_pauses (
  id uuid primary key default uuidv7(),
  connection text not null,
  reason text not null check (length(reason) between 1 and 255),
  paused_by text not null, -- the account at the machine of the command
  paused_at timestamptz not null default business_now(),
  resumed_by text,
  resumed_at timestamptz,
  woken_at timestamptz, -- when all that had waited was woken, after the end was committed
  check ((resumed_by is null) = (resumed_at is null)),
  check (woken_at is null or resumed_at is not null)
);
create unique index connection_pauses_open on connection_pauses (connection) where resumed_at is null;
create index connection_pauses_unwoken on connection_pauses (resumed_at) where resumed_at is not null and woken_at is null;
grant select, insert, update (resumed_by, resumed_at, woken_at) on connection_pauses to business_finance_app;
grant select on connection_pauses to business_finance_definer;

-- When a connection last answered a worker, and since when its calls fail; by the system clock.
create table connection_answers (
  connection text primary key,
  answered_at timestamptz,
  silent_since timestamptz -- null: the last call was answered
);
grant select, insert, update (answered_at, silent_since) on connection_answers to business_finance_app;

-- The daily proof that partners hold the money of all organizations.

-- What a connection said it holds when it was last asked. `balances` is null if it knows no balances.
create table partner_balances (
  connection text primary key,
  balances jsonb,
  asked_at timestamptz not null, -- before the question, by our clock
  failed_at timestamptz -- last question without an answer since then
);
grant select, insert, update (balances, asked_at, failed_at) on partner_balances to business_finance_app;

-- What a connection holds in a currency beside our books, as it was compared last: equal but for named items in flight,
-- or different by an amount, with the movements that are nearest to it.
create table funds_comparisons (
  connection text not null,
  currency text not null,
  outcome text not null check (outcome in ('equal', 'differs', 'not_known', 'not_asked', 'own')),
  clearing numeric not null, -- what our books say that it holds
  balance numeric, -- what it says; null if that is not known
  difference numeric,
  items jsonb not null, -- in flight: each with kind, name and amount
  nearest jsonb,
  compared_at timestamptz not null,
  primary key (connection, currency)
);
grant select, insert, update (outcome, clearing, balance, difference, items, nearest, compared_at), delete
  on funds_comparisons to business_finance_app;

-- A signed proof of a day in a currency: the statement has the sum of what organizations have, as the root of a Merkle
-- sum tree, and what each connection holds.
create table funds_proofs (
  id uuid primary key default uuidv7(),
  day date not null,
  currency text not null,
  previous bytea, -- SHA-256 of the statement before: proofs of a currency follow one another
  statement text not null, -- canonical JSON of all of that
  key_id text not null,
  signature bytea not null, -- Ed25519, of the statement
  seed bytea not null, -- orders the leaves, and makes their nonces: it stays inside
  stored_as text, -- the object in storage that has it, too
  inserted_at timestamptz not null default business_now(),
  unique (currency, day),
  unique nulls not distinct (currency, previous)
);
create index funds_proofs_to_store on funds_proofs (id) where stored_as is null;
grant select, insert, update (stored_as) on funds_proofs to business_finance_app;

-- A subtree of the last proof: leaves in the order of their keys, of which the first is here. `leaves` is a list of
-- hash, available and held.
create table funds_leaves (
  proof_id uuid not null references funds_proofs deferrable initially deferred, -- blocks come first, as they are read
  block integer not null,
  first_key bytea not null,
  hash text not null,
  sum numeric not null check (sum >= 0),
  leaves jsonb not null,
  primary key (proof_id, block)
);
create index funds_leaves_keys on funds_leaves (proof_id, first_key);
grant select, insert, delete on funds_leaves to business_finance_app;

-- When the partner says that the record changed last, by its own clock; null if it does not say.
alter table partner_records add column moved_at timestamptz;
grant update (moved_at) on partner_records to business_finance_app;

-- What the stand-in of Fireblocks knows beside the books of all stand-ins.

-- A vault account.
create table sandbox_vaults (
  partner text not null,
  id integer not null,
  name text not null,
  hidden boolean not null,
  auto_fuel boolean not null,
  customer_ref_id text,
  made_at timestamptz not null default clock_timestamp(),
  primary key (partner, id)
);
grant select, insert, delete on sandbox_vaults to business_finance_app;

-- An address of a vault account for an asset; assets of one network share addresses.
create table sandbox_vault_addresses (
  partner text not null,
  vault_id integer not null,
  asset text not null,
  index integer not null,
  address text not null,
  description text,
  customer_ref_id text,
  made_at timestamptz not null default clock_timestamp(),
  primary key (partner, vault_id, asset, index)
);
create index sandbox_vault_addresses_deposits on sandbox_vault_addresses (partner, address);
grant select, insert, delete on sandbox_vault_addresses to business_finance_app;

-- An answer that is given again for a day to the same Idempotency-Key.
create table sandbox_vault_answers (
  partner text not null,
  key text not null,
  status integer not null,
  body jsonb not null,
  made_at timestamptz not null default clock_timestamp(),
  primary key (partner, key)
);
grant select, insert, delete on sandbox_vault_answers to business_finance_app;

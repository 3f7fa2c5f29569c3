-- Orders at partners, committed before anything is sent: so none is carried out twice.

-- What a connection is asked to do with money, once: the payout of a payment, the return of a deposit, the opening of an
-- account. `hash` is a sealed hash of what is sent, `operation` the provider's. `last_view` and `version` are kept for
-- providers without versions of their own. `held`: why it is never sent again by itself.
create table partner_orders (
  connection text not null,
  subject text not null check (subject in ('payment', 'deposit_return', 'receiving_account')),
  subject_id uuid not null,
  organization_id uuid, -- null: the deposit has no owner
  operation text not null check (length(operation) between 1 and 40),
  key uuid not null,
  hash text not null,
  first_sent_at timestamptz default business_now(), -- null: nothing has reached the provider
  last_sent_at timestamptz, -- null: at the first
  their_id text check (length(their_id) between 1 and 255),
  last_view jsonb,
  version integer not null default -1,
  held text check (held in ('unknowable', 'other_bytes')),
  primary key (connection, subject, subject_id)
);
-- two payments never share a payout
create unique index partner_orders_theirs on partner_orders (connection, subject, their_id) where their_id is not null;
call isolate('partner_orders', definer => 'reads');
grant select, insert, update (operation, hash, first_sent_at, last_sent_at, their_id, last_view, version, held)
  on partner_orders to business_finance_app;
grant select on partner_orders to business_finance_definer;

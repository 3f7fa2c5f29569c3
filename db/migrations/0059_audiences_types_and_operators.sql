-- What the tokens of a grant, and a session of a delegate, are for: the operations, the endpoint of agents, or both (null).
alter table authorization_codes add column audience text check (audience in ('service', 'api', 'mcp'));
alter table sessions add column audience text check (audience in ('service', 'api', 'mcp'));

-- Places of the log from which an endpoint takes a type that it did not take before; `*`: any other type. It takes a type
-- without a place here from its cursor on.
alter table webhook_endpoints add column type_starts jsonb not null default '{}';
grant update (type_starts) on webhook_endpoints to business_finance_app;

-- A sign-in of an operator in a browser, by the system's clock. It is over when its row is gone.
create table operator_sign_ins (
  mark_hash bytea primary key, -- of the mark in the browser and the operators' token: another token knows none of them
  ip_address text not null,
  inserted_at timestamptz not null default statement_timestamp(),
  expires_at timestamptz not null
);
grant select, insert, delete on operator_sign_ins to business_finance_app;

-- What the tokens of a grant, and a session of a delegate, are for: the operations, the endpoint of agents, or both (null).
alter table authorization_codes add column audience text check (audience in ('service', 'api', 'mcp'));
alter table sessions add column audience text check (audience in ('service', 'api', 'mcp'));

-- Places of the log from which an endpoint takes a type that it did not take before; `*`: any other type. It takes a type
-- without a place here from its cursor on.
alter table webhook_endpoints add column type_starts jsonb not null default '{}';
grant update (type_starts) on webhook_endpoints to business_finance_app;

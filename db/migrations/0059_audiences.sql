-- What the tokens of a grant, and a session of a delegate, are for: the operations, the endpoint of agents, or both (null).
alter table authorization_codes add column audience text check (audience in ('service', 'api', 'mcp'));
alter table sessions add column audience text check (audience in ('service', 'api', 'mcp'));

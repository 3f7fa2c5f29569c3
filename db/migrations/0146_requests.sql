-- Requests to the API: what each call of an organization was answered, for seven days.

-- A request of a credential of the organization, without its body, its query and its secrets. For diagnosis: written
-- after the answer, and lost if the process dies within a second. No foreign keys: each would lock a row for a line.
create table requests (
  id uuid primary key,
  organization_id uuid not null,
  request_id text not null, -- the caller may choose it, so that several requests can have the same
  operation text not null,
  method text not null,
  path text not null, -- with the names of its parameters
  status smallint not null,
  error_type text,
  milliseconds integer not null,
  user_id uuid, -- of a session, and of a delegate
  api_key_id uuid,
  delegate_id uuid,
  user_agent text,
  inserted_at timestamptz not null -- when it arrived
);
create index requests_list on requests (organization_id, inserted_at desc, id desc);
create index requests_failed on requests (organization_id, inserted_at desc, id desc) where status >= 400;
create index requests_by_request_id on requests (organization_id, request_id, inserted_at desc, id desc);
create index requests_over on requests (inserted_at);
call isolate('requests', definer => 'writes');
grant select on requests to business_finance_app;
grant select, insert, delete on requests to business_finance_definer;

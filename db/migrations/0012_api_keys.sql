-- API keys: credentials of an organization for programs. Only hashes of their secrets are kept.

create table api_keys (
  id uuid primary key default uuidv7(),
  organization_id uuid not null references organizations,
  name text not null,
  role text not null check (role in ('admin', 'member')),
  scopes text[] not null,
  environment text not null check (environment in ('live', 'test')),
  lookup text not null unique check (lookup ~ '^[a-z0-9]{8}$'), -- the part of the key that finds it; it never changes
  secret_hash bytea not null,
  previous_secret_hash bytea, -- the one before: it works until it expires
  previous_secret_expires_at timestamptz,
  status text not null default 'active' check (status in ('active', 'revoked')),
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  last_used_at timestamptz,
  rotated_at timestamptz,
  revoked_at timestamptz,
  check ((status = 'revoked') = (revoked_at is not null)),
  check ((previous_secret_hash is null) = (previous_secret_expires_at is null))
);
create index api_keys_organization on api_keys (organization_id, inserted_at desc, id desc);

alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy own on api_keys using (organization_id is not distinct from current_organization())
  with check (organization_id is not distinct from current_organization());
create policy definer on api_keys to business_finance_definer using (true);
grant select on api_keys to business_finance_definer;
grant select, insert, update on api_keys to business_finance_app;

-- What decides whether a key is let in, by the part of it that finds it: whoever calls does not know its organization.
-- Where there is no such key it is the next one by that part, so that an unknown key costs what a wrong secret costs:
-- the caller compares `lookup` too. `creator_role` is null where the creator has left.
create function find_api_key(presented text, service_environment text)
returns table (lookup text, id uuid, organization_id uuid, organization_status text, creator_role text, role text,
  scopes text[], status text, secret_hash bytea, previous_secret_hash bytea, last_used_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select k.lookup, k.id, k.organization_id, o.status, m.role, k.role, k.scopes, k.status, k.secret_hash,
    case when k.previous_secret_expires_at > business_now() then k.previous_secret_hash end, k.last_used_at
  from (select n.* from api_keys n where n.lookup >= presented and n.environment = service_environment
    order by n.lookup limit 1) k
  join organizations o on o.id = k.organization_id
  left join members m on m.organization_id = k.organization_id and m.user_id = k.created_by
$$;
grant create on schema public to business_finance_definer;
alter function find_api_key(text, text) owner to business_finance_definer;
revoke create on schema public from business_finance_definer;
revoke execute on function find_api_key(text, text) from public;
grant execute on function find_api_key(text, text) to business_finance_app;

-- Delegates: what a person lets a program or an agent do in one organization, for a time.
create table delegates (
  id uuid primary key default uuidv7(),
  user_id uuid not null references people,
  organization_id uuid not null references organizations,
  device_id uuid not null references devices, -- its sessions are on this one
  name text not null,
  kind text not null check (kind in ('program', 'agent')),
  access text not null check (access in ('read')),
  secret_hash bytea not null unique,
  allowed_addresses text[] not null default '{}', -- addresses or networks; empty: any
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_used_address text,
  ended_at timestamptz,
  end_reason text check ((end_reason is null) = (ended_at is null)),
  inserted_at timestamptz not null default business_now()
);
create index delegates_person on delegates (user_id, inserted_at desc, id desc);
create index delegates_organization on delegates (organization_id, inserted_at desc, id desc);
call isolate('delegates', definer => 'writes');
grant select, insert, update (last_used_at, last_used_address) on delegates to business_finance_app;
grant select, update on delegates to business_finance_definer;

-- A session of a delegate may do what its delegate may.
alter table sessions add column delegate_id uuid references delegates;
create index sessions_delegate on sessions (delegate_id) where delegate_id is not null;

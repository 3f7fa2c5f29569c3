-- Members that the identity provider of an organization manages (SCIM 2.0): its tokens, its users and its groups.

-- A token by which a provider manages the members of an organization, and does nothing else.
create table scim_tokens (
  id uuid primary key,
  organization_id uuid not null references organizations,
  name text not null,
  secret_hash bytea not null unique,
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index scim_tokens_list on scim_tokens (organization_id, inserted_at desc, id desc);
call isolate('scim_tokens', definer => 'reads');
grant select, insert, update (last_used_at, revoked_at) on scim_tokens to business_finance_app;
grant select on scim_tokens to business_finance_definer;

-- A person as the provider knows them: a member, or one who becomes a member at their first sign-in there.
create table scim_users (
  id uuid primary key,
  organization_id uuid not null references organizations,
  user_id uuid references people, -- null until they have signed in; it stays when the membership ends
  address text not null, -- of a proved domain, in lower case: that of the first sign-in
  user_name text not null,
  external_id text,
  attributes jsonb not null, -- names and mail addresses as the provider wrote them
  active boolean not null, -- as the provider wants it; a member may have been removed by hand
  awaits_sign_in boolean not null, -- the next sign-in that asserts the address links it
  granted_role text check (granted_role in ('admin', 'member')), -- as groups gave it last; null: they never did
  granted_removed text[] not null default '{}',
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  unique (organization_id, address),
  unique (organization_id, user_id)
);
create unique index scim_users_name on scim_users (organization_id, lower(user_name));
create index scim_users_list on scim_users (organization_id, inserted_at, id);
create index scim_users_external on scim_users (organization_id, external_id) where external_id is not null;
call isolate('scim_users');
grant select, insert, update (user_id, address, user_name, external_id, attributes, active, awaits_sign_in, granted_role,
  granted_removed, updated_at), delete on scim_users to business_finance_app;

-- A group of the provider, and the role that its members have here.
create table scim_groups (
  id uuid primary key,
  organization_id uuid not null references organizations,
  display_name text not null,
  external_id text,
  role text check (role in ('admin', 'member')), -- null: the group gives none
  preset text, -- set of permissions that is taken from the role
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check (preset is null or role is not null)
);
create unique index scim_groups_name on scim_groups (organization_id, lower(display_name));
create index scim_groups_list on scim_groups (organization_id, inserted_at, id);
call isolate('scim_groups');
grant select, insert, update (display_name, external_id, role, preset, updated_at), delete on scim_groups to
  business_finance_app;

-- A member of a group.
create table scim_group_members (
  organization_id uuid not null references organizations,
  group_id uuid not null references scim_groups on delete cascade,
  scim_user_id uuid not null references scim_users on delete cascade,
  inserted_at timestamptz not null default business_now(),
  primary key (group_id, scim_user_id)
);
create index scim_group_members_user on scim_group_members (scim_user_id);
call isolate('scim_group_members');
grant select, insert, delete on scim_group_members to business_finance_app;

-- The log of requests has those with a token of a provider.
alter table requests add column scim_token_id uuid;

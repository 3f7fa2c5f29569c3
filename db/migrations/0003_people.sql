-- People, where they are signed in, and their own log. Nothing of it belongs to an organization.

-- A person: somebody who has confirmed an address. A person belongs to no organization.
create table people (
  id uuid primary key default uuidv7(),
  email text not null unique check (email = lower(email)),
  email_id uuid not null default uuidv7(),
  password_hash text not null,
  first_name text,
  last_name text,
  address jsonb,
  country_of_residence text,
  referral_code text,
  organization_limit integer check (organization_limit >= 0),
  primary_organization_id uuid,
  inserted_at timestamptz not null default business_now()
);
grant select, insert, update (password_hash, first_name, last_name, address, country_of_residence,
  primary_organization_id) on people to business_finance_app;
grant select on people to business_finance_definer;

-- A device that a person signed in from.
create table devices (
  id uuid primary key default uuidv7(),
  user_id uuid not null references people,
  name text,
  removed_at timestamptz, -- a removed device is a new one when it comes again
  inserted_at timestamptz not null default business_now(),
  last_seen_at timestamptz not null default business_now()
);
create index devices_user on devices (user_id, inserted_at desc, id desc);
grant select, insert, update (name, removed_at, last_seen_at) on devices to business_finance_app;

-- A sign-in of a person on a device, until it ends.
create table sessions (
  id uuid primary key default uuidv7(),
  token_hash bytea not null unique,
  user_id uuid not null references people,
  device_id uuid not null references devices,
  signed_in_at timestamptz not null default business_now(),
  last_used_at timestamptz not null default business_now(),
  ended_at timestamptz,
  ip_address text, -- of the sign-in
  inserted_at timestamptz generated always as (signed_in_at) stored -- lists order by it
) with (fillfactor = 70);
create index sessions_user_newest on sessions (user_id, inserted_at desc, id desc);
grant select, insert, update (last_used_at, ended_at) on sessions to business_finance_app;

-- Lets a device sign in without the second factor.
create table trust_tokens (
  token_hash bytea primary key,
  user_id uuid not null references people,
  device_id uuid not null references devices,
  expires_at timestamptz not null,
  inserted_at timestamptz not null default business_now()
);
create index trust_tokens_user on trust_tokens (user_id);
grant select, insert, delete on trust_tokens to business_finance_app;

-- The picture of a person.
create table avatars (
  id uuid primary key default gen_random_uuid(), -- not to be guessed: whoever has the address sees the picture
  user_id uuid not null unique references people,
  image bytea not null, -- 512 × 512 webp
  inserted_at timestamptz not null default business_now()
);
grant select, insert, update (id, image, inserted_at), delete on avatars to business_finance_app;

-- An entry of a person's own log: append-only.
create table security_events (
  id uuid primary key default uuidv7(),
  user_id uuid not null references people,
  type text not null,
  session_id uuid,
  device_id uuid,
  ip_address text,
  user_agent text,
  details jsonb not null default '{}',
  inserted_at timestamptz not null default business_now()
);
create index security_events_user on security_events (user_id, inserted_at desc, id desc);
-- since when a person has no authenticator
create index security_events_removals on security_events (user_id, inserted_at)
  where type in ('authenticator.removed', 'factors.reset');
grant select, insert on security_events to business_finance_app;

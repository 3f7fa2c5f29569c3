-- People, their factors, devices, sessions, challenges. Nothing here belongs to an organization.

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

-- A person exists from confirmation on, with the password that came with the confirmed token.
create table sign_ups (
  token_hash bytea primary key,
  email text not null,
  password_hash text not null,
  first_name text,
  last_name text,
  expires_at timestamptz not null,
  used_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
create index sign_ups_email on sign_ups (email);

create table authenticators (
  user_id uuid primary key references people,
  secret bytea not null, -- sealed; the sealing key's id stands in front
  last_step bigint not null default 0, -- RFC 6238 time step of the last code taken: each code works once
  confirmed_at timestamptz not null default business_now()
);

create table devices (
  id uuid primary key default uuidv7(),
  user_id uuid not null references people,
  name text,
  inserted_at timestamptz not null default business_now(),
  last_seen_at timestamptz not null default business_now()
);
create index devices_user on devices (user_id, inserted_at desc, id desc);

create table sessions (
  id uuid primary key default uuidv7(),
  token_hash bytea not null unique,
  user_id uuid not null references people,
  device_id uuid not null references devices,
  signed_in_at timestamptz not null default business_now(),
  last_used_at timestamptz not null default business_now(),
  ended_at timestamptz
) with (fillfactor = 70);
create index sessions_user on sessions (user_id);

create table sign_in_challenges (
  token_hash bytea primary key,
  user_id uuid not null references people,
  device_id uuid,
  attempts integer not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  inserted_at timestamptz not null default business_now()
);

create table step_ups (
  id uuid primary key default uuidv7(),
  authentication_id uuid not null default gen_random_uuid(),
  session_id uuid not null references sessions,
  user_id uuid not null references people,
  operation text not null,
  target text not null,
  body_hash text not null,
  mode text not null check (mode in ('once', 'window')),
  status text not null default 'pending'
    check (status in ('pending', 'verified', 'consumed', 'failed', 'denied', 'expired')),
  attempts integer not null default 0,
  methods text[] not null,
  delivery text not null,
  factor text,
  expires_at timestamptz not null,
  verified_at timestamptz,
  consumed_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
create index step_ups_binding on step_ups (session_id, operation, target);

-- What the service sent to people; the sandbox mailbox reads it.
create table messages (
  id uuid primary key default uuidv7(),
  recipient text not null,
  channel text not null check (channel in ('email', 'message')),
  subject text not null,
  body text not null,
  token text,
  code text,
  url text,
  sent_at timestamptz not null default business_now()
);
create index messages_recipient on messages (recipient, sent_at desc, id desc);
create index messages_recent on messages (sent_at desc, id desc);

grant select, insert, update on people, sign_ups, authenticators, devices, sessions, sign_in_challenges, step_ups
  to business_finance_app;
grant select, insert on messages to business_finance_app;

-- Proofs of identity for one operation, and the devices that give them.

-- An approval device: its credential proves that a step-up was confirmed on it.
create table approval_credentials (
  id uuid primary key default uuidv7(),
  user_id uuid not null references people,
  device_id uuid not null references devices,
  name text,
  credential_hash bytea not null unique,
  cooling_off_until timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
create index approval_credentials_user on approval_credentials (user_id, inserted_at desc, id desc);
grant select, insert, update (last_used_at, revoked_at), delete on approval_credentials to business_finance_app;

-- A fresh proof of identity, bound to one operation, its target and the hash of the request's body.
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
  match_code text check (match_code ~ '^[0-9]{3}$'), -- shown to the person, entered on the approval device
  match_attempts integer not null default 0,
  approval_credential_id uuid references approval_credentials, -- the device that decided
  fallback_of uuid references step_ups,
  summary text, -- what is confirmed, in words: shown on an approval device
  inserted_at timestamptz not null default business_now()
);
create index step_ups_binding on step_ups (session_id, operation, target);
create index step_ups_user on step_ups (user_id, inserted_at desc, id desc);
grant select, insert, update (status, attempts, factor, expires_at, verified_at, consumed_at, match_attempts,
  approval_credential_id) on step_ups to business_finance_app;

-- An approval that a step-up for a set releases: once, until the step-up expires.
create table step_up_grants (
  step_up_id uuid not null references step_ups,
  target text not null,
  used_at timestamptz,
  inserted_at timestamptz not null default business_now(),
  primary key (step_up_id, target)
);
grant select, insert, update (used_at) on step_up_grants to business_finance_app;

-- The ways to a session: sign-up, sign-in, a password that was forgotten, a device that stands in for it.

-- An address that waits for confirmation. The person is created when it is confirmed, with the password of this
-- sign-up.
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
grant select, insert, update (used_at), delete on sign_ups to business_finance_app;

-- A sign-in between its first factor and its session.
create table sign_in_challenges (
  token_hash bytea primary key,
  user_id uuid not null references people,
  device_id uuid,
  attempts integer not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- what the password was right for: a code (mfa), setting an authenticator up (totp_setup), or a passkey (webauthn).
  purpose text not null default 'mfa' check (purpose in ('mfa', 'totp_setup', 'webauthn')),
  trust boolean not null default false, -- whether a trust token was asked for
  secret bytea, -- the authenticator being set up, sealed
  inserted_at timestamptz not null default business_now()
);
create index sign_in_challenges_user on sign_in_challenges (user_id);
grant select, insert, update (attempts, used_at, secret), delete on sign_in_challenges to business_finance_app;

-- A mailed token that sets a new password.
create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references people,
  expires_at timestamptz not null,
  used_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
create index password_resets_user on password_resets (user_id);
grant select, insert, update (used_at), delete on password_resets to business_finance_app;

-- An operator's reset of a person's second factors, which are lost: the person may object, and the first sign-in with
-- the password after the cooling-off carries it out.
create table factor_resets (
  token_hash bytea primary key, -- of the token that objects
  user_id uuid not null references people,
  effective_from timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz, -- carried out, or objected to
  inserted_at timestamptz not null default business_now()
);
create index factor_resets_user on factor_resets (user_id);
grant select, insert, update (ended_at), delete on factor_resets to business_finance_app;

-- A credential that replaces the password on one device.
create table login_credentials (
  credential_hash bytea primary key,
  user_id uuid not null references people,
  device_id uuid not null references devices,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
create index login_credentials_user on login_credentials (user_id);
grant select, insert, update (last_used_at), delete on login_credentials to business_finance_app;

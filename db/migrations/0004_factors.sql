-- What proves who somebody is, beside the password.

-- The confirmed authenticator app of a person, at most one.
create table authenticators (
  user_id uuid primary key references people,
  secret bytea not null, -- sealed; the sealing key's id stands in front
  last_step bigint not null default 0, -- RFC 6238 time step of the last code taken: each code works once
  confirmed_at timestamptz not null default business_now()
);
grant select, insert, update (secret, last_step), delete on authenticators to business_finance_app;

-- An authenticator that a signed-in person sets up; it counts when its code and the messaging code were right.
create table authenticator_setups (
  user_id uuid primary key references people,
  session_id uuid not null references sessions,
  secret bytea not null, -- sealed
  expires_at timestamptz not null
);
grant select, insert, update (session_id, secret, expires_at), delete on authenticator_setups to business_finance_app;

-- A code that replaces the second factor once.
create table recovery_codes (
  code_hash bytea primary key,
  user_id uuid not null references people,
  used_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
create index recovery_codes_user on recovery_codes (user_id);
grant select, insert, update (used_at), delete on recovery_codes to business_finance_app;

-- A code that was sent to a person; `subject` is what it is for: a phone number, a step-up.
create table messaging_codes (
  id uuid primary key default uuidv7(),
  user_id uuid not null references people,
  purpose text not null check (purpose in ('totp_setup', 'phone_number', 'step_up')),
  subject text not null,
  code bytea not null, -- sealed: six digits have no hash that hides them
  attempts integer not null default 0,
  expires_at timestamptz not null,
  inserted_at timestamptz not null default business_now(),
  unique (user_id, purpose, subject)
);
grant select, insert, update (code, attempts, expires_at), delete on messaging_codes to business_finance_app;

-- A phone number of a person.
create table phone_numbers (
  user_id uuid not null references people,
  e164 text not null check (e164 ~ '^\+[1-9][0-9]{6,14}$'),
  confirmed_at timestamptz,
  codes_from timestamptz, -- messaging codes go there from then on; null where a password alone added it
  inserted_at timestamptz not null default business_now(),
  primary key (user_id, e164)
);
grant select, insert, update (confirmed_at, codes_from), delete on phone_numbers to business_finance_app;

-- A passkey of a person.
create table passkeys (
  id uuid primary key default uuidv7(),
  user_id uuid not null references people,
  device_id uuid references devices, -- where it was registered
  name text not null,
  credential_id text not null unique, -- base64url
  public_key bytea not null, -- COSE
  counter bigint not null,
  transports text[] not null default '{}',
  synced boolean not null, -- a passkey that may live on several devices
  last_used_at timestamptz,
  removed_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
create index passkeys_user on passkeys (user_id, inserted_at desc, id desc);
grant select, insert, update (name, counter, last_used_at, removed_at), delete on passkeys to business_finance_app;

-- A challenge that a passkey has to sign, once.
create table webauthn_challenges (
  id uuid primary key default uuidv7(),
  user_id uuid not null references people,
  purpose text not null check (purpose in ('registration', 'sign_in', 'step_up')),
  subject text not null, -- the session that registers, the sign-in challenge's hash, the step-up
  challenge text not null, -- base64url
  expires_at timestamptz not null,
  used_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
create index webauthn_challenges_subject on webauthn_challenges (purpose, subject);
grant select, insert, update (used_at), delete on webauthn_challenges to business_finance_app;

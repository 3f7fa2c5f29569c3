-- Everything else that a person has: trust, resets, recovery codes, phone numbers, passkeys, approval devices, a log.
-- Expand only: what ran before this migration goes on running beside it.

-- Sent messages are sealed; the columns in the clear stay for rows that are older.
alter table messages
  alter column subject drop not null,
  alter column body drop not null,
  add column sealed bytea, -- JSON of subject, text, token, code and url; emptied once it was delivered
  add column status text not null default 'mailbox'
    check (status in ('mailbox', 'queued', 'sent', 'failed', 'discarded')),
  add column attempts integer not null default 0,
  add column updated_at timestamptz not null default business_now();
create index messages_queued on messages (id) where status = 'queued';
grant update, delete on messages to business_finance_app;

alter table organizations add column requires_authenticator boolean not null default false;

-- Whether an organization of the person asks its members for an authenticator app; which ones is told to nobody.
create function authenticator_required(person uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (
    select from members m join organizations o on o.id = m.organization_id
    where m.user_id = person and o.requires_authenticator and o.status not in ('banned', 'deleted'))
$$;
grant create on schema public to business_finance_definer;
alter function authenticator_required(uuid) owner to business_finance_definer;
revoke create on schema public from business_finance_definer;
revoke execute on function authenticator_required(uuid) from public;
grant execute on function authenticator_required(uuid) to business_finance_app;

alter table sessions
  add column inserted_at timestamptz generated always as (signed_in_at) stored, -- lists order by it
  add column ip_address text; -- of the sign-in
create index sessions_user_newest on sessions (user_id, inserted_at desc, id desc);
drop index sessions_user;

alter table devices add column removed_at timestamptz; -- a removed device is a new one when it comes again

-- What the password was right for: a code (mfa), setting an authenticator up (totp_setup), or a passkey (webauthn).
alter table sign_in_challenges
  add column purpose text not null default 'mfa' check (purpose in ('mfa', 'totp_setup', 'webauthn')),
  add column trust boolean not null default false, -- whether a trust token was asked for
  add column secret bytea; -- the authenticator being set up, sealed
create index sign_in_challenges_user on sign_in_challenges (user_id);

create table trust_tokens (
  token_hash bytea primary key,
  user_id uuid not null references people,
  device_id uuid not null references devices,
  expires_at timestamptz not null,
  inserted_at timestamptz not null default business_now()
);
create index trust_tokens_user on trust_tokens (user_id);

create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references people,
  expires_at timestamptz not null,
  used_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
create index password_resets_user on password_resets (user_id);

create table recovery_codes (
  code_hash bytea primary key,
  user_id uuid not null references people,
  used_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
create index recovery_codes_user on recovery_codes (user_id);

-- An authenticator that a signed-in person sets up; it counts once its code and the messaging code were right.
create table authenticator_setups (
  user_id uuid primary key references people,
  session_id uuid not null references sessions,
  secret bytea not null, -- sealed
  expires_at timestamptz not null
);

-- Codes that were sent to a person; `subject` is what the code is for: a phone number, a step-up.
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

create table phone_numbers (
  user_id uuid not null references people,
  e164 text not null check (e164 ~ '^\+[1-9][0-9]{6,14}$'),
  confirmed_at timestamptz,
  codes_from timestamptz, -- messaging codes go there from then on; null where a password alone added it
  inserted_at timestamptz not null default business_now(),
  primary key (user_id, e164)
);

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

-- Stands in for the password on one device.
create table login_credentials (
  credential_hash bytea primary key,
  user_id uuid not null references people,
  device_id uuid not null references devices,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
create index login_credentials_user on login_credentials (user_id);

alter table step_ups
  add column match_code text check (match_code ~ '^[0-9]{3}$'), -- shown to the person, entered on the approval device
  add column match_attempts integer not null default 0,
  add column approval_credential_id uuid references approval_credentials, -- the device that decided
  add column fallback_of uuid references step_ups,
  add column summary text; -- what is confirmed, in words: shown on an approval device
create index step_ups_user on step_ups (user_id, inserted_at desc, id desc);

create table avatars (
  id uuid primary key default gen_random_uuid(), -- not to be guessed: whoever has the address sees the picture
  user_id uuid not null unique references people,
  image bytea not null, -- 512 × 512 webp
  inserted_at timestamptz not null default business_now()
);

-- A person's own log: append-only, newest first.
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
create trigger security_events_are_immutable before update or delete or truncate on security_events
  execute function refuse_change();

-- Sign-ins, codes and mails, counted by system time for all API processes together (rate-limiter-flexible's table).
create unlogged table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);

grant select, insert, update, delete on
  trust_tokens, password_resets, recovery_codes, authenticator_setups, messaging_codes, phone_numbers, passkeys,
  webauthn_challenges, approval_credentials, login_credentials, avatars, rate_limits to business_finance_app;
grant delete on authenticators, sign_ups, sign_in_challenges to business_finance_app;
grant select, insert on security_events to business_finance_app;

-- Codes by which a client gets the delegate that a person gave it (RFC 6749, section 4.1). One row for each grant: it also
-- tells whose the delegate is.
create table authorization_codes (
  code_hash bytea primary key,
  delegate_id uuid not null unique references delegates,
  organization_id uuid not null references organizations,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null, -- S256 of the verifier (RFC 7636)
  expires_at timestamptz not null,
  used_at timestamptz,
  inserted_at timestamptz not null default business_now()
);
call isolate('authorization_codes', definer => 'reads');
grant select, insert, update (used_at) on authorization_codes to business_finance_app;
grant select on authorization_codes to business_finance_definer;

-- A refresh token is replaced at each use. The one before works until the next is used: its answer may have been lost.
alter table delegates add column next_secret_hash bytea unique;
grant update (secret_hash, next_secret_hash) on delegates to business_finance_app;

-- Identity providers at which members of an organization sign in, and the domains that it has proved.

-- The identity provider of an organization (OpenID Connect).
create table identity_providers (
  id uuid primary key,
  organization_id uuid not null unique references organizations,
  issuer text not null,
  client_id text not null,
  sealed bytea not null, -- the secret of the client, with the row's id
  required boolean not null default false, -- members with an address of a proved domain sign in there alone
  connected_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
);
create index identity_providers_client on identity_providers (issuer, client_id);
call isolate('identity_providers', definer => 'reads');
grant select, insert, update (sealed, required, updated_at), delete on identity_providers to business_finance_app;
grant select on identity_providers to business_finance_definer;

-- A domain whose addresses sign in at the provider, once its name servers have shown the challenge.
create table identity_provider_domains (
  id uuid primary key,
  organization_id uuid not null references organizations,
  domain text not null,
  challenge text not null,
  proved_at timestamptz,
  inserted_at timestamptz not null default business_now(),
  unique (organization_id, domain)
);
create unique index identity_provider_domains_proved on identity_provider_domains (domain) where proved_at is not null;
call isolate('identity_provider_domains', definer => 'reads');
grant select, insert, update (proved_at), delete on identity_provider_domains to business_finance_app;
grant select on identity_provider_domains to business_finance_definer;

-- An attempt to sign in at a provider, bound to the browser that began it.
create table provider_sign_ins (
  id uuid primary key,
  organization_id uuid not null references organizations,
  provider_id uuid not null references identity_providers,
  state_hash bytea not null unique, -- of the state that the provider sends back
  attempt_hash bytea not null unique, -- of the token that the browser alone has
  sealed bytea not null, -- verifier and nonce, with the row's id
  used_at timestamptz, -- the provider has sent the browser back
  subject text, -- as the provider names the person, while it is not linked
  linked_at timestamptz,
  expires_at timestamptz not null,
  inserted_at timestamptz not null default business_now()
);
create index provider_sign_ins_expired on provider_sign_ins (expires_at);
create index provider_sign_ins_provider on provider_sign_ins (provider_id);
call isolate('provider_sign_ins', definer => 'writes');
grant select, insert, update (subject, linked_at, expires_at), delete on provider_sign_ins to business_finance_app;
grant select, update (used_at), delete on provider_sign_ins to business_finance_definer;

-- A logout token of a provider, which is taken once.
create table provider_logouts (
  organization_id uuid not null references organizations,
  token_hash bytea not null, -- of the token's id
  expires_at timestamptz not null,
  inserted_at timestamptz not null default business_now(),
  primary key (organization_id, token_hash)
);
create index provider_logouts_expired on provider_logouts (expires_at);
call isolate('provider_logouts', definer => 'writes');
grant select, insert on provider_logouts to business_finance_app;
grant select, delete on provider_logouts to business_finance_definer;

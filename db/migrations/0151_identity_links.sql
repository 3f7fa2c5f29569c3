-- People as the identity providers of their organizations name them, and the sessions that these open.

-- The name of a person at the provider of an organization. It is made once, with a proof or by an invitation.
create table identity_links (
  id uuid primary key,
  organization_id uuid not null references organizations,
  provider_id uuid not null references identity_providers,
  user_id uuid not null references people,
  subject text not null,
  inserted_at timestamptz not null default business_now(),
  unique (provider_id, subject),
  unique (provider_id, user_id)
);
create index identity_links_person on identity_links (user_id);
call isolate('identity_links', definer => 'reads');
grant select, insert, delete on identity_links to business_finance_app;
grant select on identity_links to business_finance_definer;

-- A session that a provider opened is one of its organization alone.
alter table sessions
  add column company_id uuid references organizations,
  add column identity_link_id uuid,
  add column provider_session text, -- as the provider names it (sid)
  add column breaks_glass boolean not null default false; -- an owner signed in by a passkey, past the provider
create index sessions_company on sessions (company_id, user_id) where company_id is not null and ended_at is null;

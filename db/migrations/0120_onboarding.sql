-- Onboarding: who an organization is, as partners and operators have verified it.

alter table files drop constraint files_purpose_check,
  add constraint files_purpose_check check (purpose in ('payment_batch', 'bill', 'export', 'invoice', 'onboarding'));

-- The onboarding of an organization, one for each that has begun it. `entity` is sealed, as are `submitted` (what a
-- review looks at) and all that names people. The verified name and address are in clear: payments name them.
create table onboardings (
  id uuid primary key,
  organization_id uuid not null unique references organizations,
  status text not null default 'draft' check (status in ('draft', 'submitted', 'in_review', 'needs_more', 'verified',
    'rejected', 'review_due', 'purged')),
  entity bytea,
  submitted bytea,
  round integer not null default 0, -- of submissions
  open_fields text[] not null default '{}', -- of the requirements
  touched text[] not null default '{}', -- fields that were given since a review asked for more
  submitted_by uuid references people,
  submitted_at timestamptz,
  verified_at timestamptz,
  verified_name text,
  verified_address jsonb,
  review_at timestamptz, -- when a verified one falls due by itself
  due_at timestamptz, -- of a review of one that was verified: payments go on until then
  reminded integer not null default 0, -- mails of this state
  remind_at timestamptz,
  ended_at timestamptz, -- when the organization was deleted: what is kept goes some years later
  since timestamptz not null default business_now(), -- of its status
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
);
call isolate('onboardings', definer => 'reads');
grant select, insert, update (status, entity, submitted, round, open_fields, touched, submitted_by, submitted_at,
  verified_at, verified_name, verified_address, review_at, due_at, reminded, remind_at, ended_at, since, updated_at)
  on onboardings to business_finance_app;
grant select on onboardings to business_finance_definer;
create index onboardings_open on onboardings (since, id) where status in ('submitted', 'in_review');

-- An owner, a director, or who controls the entity. `sealed` has all that tells who it is. One that was submitted is kept
-- when it is removed, as long as the papers.
create table onboarding_people (
  id uuid primary key,
  organization_id uuid not null references organizations,
  roles text[] not null check (roles <@ array['beneficial_owner', 'controlling_person', 'director'] and roles <> '{}'),
  user_id uuid references people,
  sealed bytea not null,
  removed_at timestamptz,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
);
create index onboarding_people_of on onboarding_people (organization_id, inserted_at, id) where removed_at is null;
create unique index onboarding_people_members on onboarding_people (organization_id, user_id)
  where user_id is not null and removed_at is null;
call isolate('onboarding_people', definer => 'reads');
grant select, insert, delete, update (roles, user_id, sealed, removed_at, updated_at) on onboarding_people to business_finance_app;
grant select on onboarding_people to business_finance_definer;

-- A paper of the entity or of a person; its file is encrypted at rest once it was submitted.
create table onboarding_documents (
  id uuid primary key, -- of its file
  organization_id uuid not null references organizations,
  kind text not null check (kind in ('register_extract', 'articles', 'proof_of_address', 'identity', 'other')),
  person_id uuid references onboarding_people,
  added_by uuid not null references people,
  sha256 text, -- of the paper itself, in hex, once its file is encrypted
  sealed_key bytea, -- key of the file alone, sealed
  check ((sha256 is null) = (sealed_key is null)),
  removed_at timestamptz,
  inserted_at timestamptz not null default business_now(),
  check ((kind = 'identity') = (person_id is not null))
);
create index onboarding_documents_of on onboarding_documents (organization_id, inserted_at, id) where removed_at is null;
create index onboarding_documents_person on onboarding_documents (person_id) where person_id is not null;
call isolate('onboarding_documents', definer => 'reads');
grant select, insert, delete, update (sha256, sealed_key, removed_at) on onboarding_documents to business_finance_app;
grant select on onboarding_documents to business_finance_definer;

-- What a reviewer has decided: `service` are the operators, all else is a connection whose provider verifies.
create table onboarding_reviews (
  organization_id uuid not null references organizations,
  reviewer text not null,
  round integer not null, -- of the submission that it looks at
  status text not null default 'waiting' check (status in ('waiting', 'in_review', 'needs_more', 'verified', 'rejected')),
  asks jsonb not null default '[]', -- {field, reason}
  verified_at timestamptz, -- of the last time
  tries integer not null default 0,
  ask_at timestamptz, -- when the provider is asked again
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  primary key (organization_id, reviewer)
);
call isolate('onboarding_reviews', definer => 'reads');
grant select, insert, update (round, status, asks, verified_at, tries, ask_at, updated_at) on onboarding_reviews
  to business_finance_app;
grant select on onboarding_reviews to business_finance_definer;

-- A verdict that one operator proposes and another confirms.
create table onboarding_verdicts (
  id uuid primary key,
  organization_id uuid not null references organizations,
  round integer not null,
  verdict text not null check (verdict in ('approve', 'ask', 'reject')),
  asks jsonb not null default '[]',
  reason text not null,
  proposed_by uuid not null references people,
  confirmed_by uuid references people check (confirmed_by <> proposed_by),
  confirmed_at timestamptz,
  withdrawn_at timestamptz,
  inserted_at timestamptz not null default business_now(),
  check (confirmed_at is null or withdrawn_at is null)
);
create unique index onboarding_verdicts_open on onboarding_verdicts (organization_id)
  where confirmed_at is null and withdrawn_at is null;
create index onboarding_verdicts_of on onboarding_verdicts (organization_id, inserted_at);
call isolate('onboarding_verdicts', definer => 'reads');
grant select, insert, delete, update (confirmed_by, confirmed_at, withdrawn_at) on onboarding_verdicts to business_finance_app;
grant select on onboarding_verdicts to business_finance_definer;

-- Organizations that stand-ins of the sandbox were handed to be verified.
create table sandbox_entities (
  partner text not null,
  id uuid not null,
  round integer not null,
  legal_name text not null,
  papers text[] not null, -- kinds
  asked integer not null default 0,
  primary key (partner, id)
);
grant select, insert, update (round, legal_name, papers, asked) on sandbox_entities to business_finance_app;

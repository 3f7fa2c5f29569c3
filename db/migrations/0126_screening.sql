-- Screening of names against lists of sanctions.

-- A question about a name: of an entity or a person of an onboarding, or of a payee. Name and answer are sealed.
create table screenings (
  id uuid primary key,
  organization_id uuid not null references organizations, -- that asks
  onboarding_id uuid, -- no reference: an onboarding is of another room
  payment_contact_id uuid references payment_contacts,
  kind text not null check (kind in ('entity', 'person', 'payee')),
  connection text not null, -- that answers
  question_hash bytea not null, -- an HMAC: the same question about the same subject is asked once
  sealed bytea not null, -- the question, with the id of this row
  status text not null check (status in ('waiting', 'clear', 'possible', 'cleared', 'confirmed', 'superseded')),
  editions text, -- of the lists that were asked
  score integer check (score between 0 and 100), -- of the best match
  answer_sealed bytea, -- the matches
  answered_at timestamptz,
  -- what one operator proposes, and another decides
  proposal text check (proposal in ('clear', 'confirm')),
  proposal_reason text,
  proposed_by uuid references people,
  decision_reason text,
  decided_by uuid references people,
  decided_at timestamptz,
  ask_at timestamptz, -- when it is asked again; null is at once
  asks integer not null default 0, -- how often it was asked in vain
  unclear_since timestamptz, -- since when there is no answer
  ask_note text, -- what the latest try came to
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check ((onboarding_id is null) <> (payment_contact_id is null)),
  check ((proposal is null) = (proposed_by is null) and (proposal is null) = (proposal_reason is null)),
  check ((status in ('cleared', 'confirmed')) = (decided_by is not null and decided_at is not null)),
  check (decided_by <> proposed_by)
);
create unique index screenings_open_of_payees on screenings (payment_contact_id, question_hash)
  where payment_contact_id is not null and status in ('waiting', 'possible', 'confirmed');
create unique index screenings_open_of_onboardings on screenings (onboarding_id, question_hash)
  where onboarding_id is not null and status in ('waiting', 'possible', 'confirmed');
create index screenings_payee on screenings (payment_contact_id) where payment_contact_id is not null;
create index screenings_onboarding on screenings (onboarding_id) where onboarding_id is not null;
create index screenings_known on screenings (organization_id, question_hash, answered_at);
create index screenings_waiting on screenings (inserted_at) where status = 'waiting';
create index screenings_possible on screenings (inserted_at) where status = 'possible';
call isolate('screenings', definer => 'reads');
grant select, insert, update (status, editions, score, answer_sealed, sealed, answered_at, proposal, proposal_reason,
  proposed_by, decision_reason, decided_by, decided_at, ask_at, asks, unclear_since, ask_note, updated_at)
  on screenings to business_finance_app;
grant select on screenings to business_finance_definer;

-- A published list that is in use, and what was last wrong with its file.
create table screening_lists (
  connection text not null,
  list text not null check (list in ('eu', 'un', 'ofac')),
  sha256 text, -- of the file in use; null until one was read
  subjects integer,
  published_on date, -- as the list says; null if it does not
  modified_at timestamptz, -- of the file
  read_at timestamptz,
  fault text, -- of the latest file, which is not in use
  fault_sha256 text, -- of that file: it is not read again; null if there is none
  fault_at timestamptz,
  primary key (connection, list)
);
grant select, insert, update (sha256, subjects, published_on, modified_at, read_at, fault, fault_sha256, fault_at)
  on screening_lists to business_finance_app;

-- A person or an entity on a list, as published. `keys` are of all its names: a question finds it by one of them.
create table screening_entries (
  connection text not null,
  list text not null,
  reference text not null, -- number on the list
  entity boolean not null, -- false: a person
  names text[] not null,
  born text[] not null,
  countries text[] not null,
  keys integer[] not null,
  primary key (connection, list, reference),
  foreign key (connection, list) references screening_lists
);
create index screening_entries_keys on screening_entries using gin (keys);
grant select, insert, delete on screening_entries to business_finance_app;

alter table service_findings drop constraint service_findings_kind_check;
alter table service_findings add constraint service_findings_kind_check
  check (kind in ('ledger', 'reconciliation', 'process', 'database', 'screening'));

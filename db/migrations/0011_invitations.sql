-- Invitations to organizations.

-- An invitation of an address into an organization.
create table invitations (
  id uuid primary key,
  organization_id uuid not null references organizations,
  email text not null,
  role text not null check (role in ('admin', 'member')),
  status text not null check (status in ('pending_approval', 'pending', 'accepted', 'declined', 'deleted', 'expired')),
  card_approved boolean not null default false,
  card_limit numeric check (card_limit between 1 and 100000),
  token_hash bytea unique, -- null until a mail goes out; another one with each that is sent again
  approval_request_id uuid references approvals,
  invited_by uuid not null references people,
  accepted_by uuid references people,
  accepted_at timestamptz,
  expires_at timestamptz not null,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check ((status = 'accepted') = (accepted_at is not null and accepted_by is not null)),
  check (card_limit is null or card_approved)
) with (fillfactor = 80);
create unique index invitations_open on invitations (organization_id, email) where status in ('pending_approval', 'pending');
create index invitations_list on invitations (organization_id, inserted_at desc, id desc);
create index invitations_driven on invitations (updated_at) where status in ('pending_approval', 'pending');
call isolate('invitations', definer => 'reads');
grant select, insert, update (status, token_hash, accepted_by, accepted_at, expires_at, updated_at) on invitations to
  business_finance_app;
grant select on invitations to business_finance_definer;

-- Who is paid, and where.

-- A contact that an organization pays.
create table payment_contacts (
  id uuid primary key,
  organization_id uuid not null references organizations,
  name text not null,
  type text not null check (type in ('business', 'individual')),
  email text,
  tag text check (tag in ('vendor', 'own_account', 'employee', 'other')),
  status text not null default 'active' check (status in ('active', 'pending_approval', 'archived')),
  approval_request_id uuid references approvals,
  -- an active contact that waits for a change of what it is paid at: without approval it stays as it was
  changing boolean not null default false,
  next_default_id uuid, -- the one that becomes the default with the approval
  next_name text, -- the one that it gets with the approval
  one_time boolean not null default false, -- made with its one payment, by a row of a batch that names no contact
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  deleted_at timestamptz
);
create index payment_contacts_list on payment_contacts (organization_id, inserted_at desc, id desc);
create index payment_contacts_driven on payment_contacts (updated_at) where status = 'pending_approval';
call isolate('payment_contacts', definer => 'writes');
grant select, insert, update (name, email, tag, status, approval_request_id, changing, next_default_id, next_name,
  updated_at, deleted_at) on payment_contacts to business_finance_app;
grant select on payment_contacts to business_finance_definer;

-- A bank account, address or service ID of a contact. Coordinates never change: another destination is added instead.
-- `svc_id` keeps the organization that it meant when it was added.
create table payment_destinations (
  id uuid primary key default uuidv7(),
  organization_id uuid not null references organizations,
  payment_contact_id uuid not null references payment_contacts,
  type text not null check (type in ('svc_id', 'bank', 'crypto')),
  label text,
  svc_id text,
  payee_organization_id uuid references organizations,
  is_default boolean not null default false,
  currency text not null, -- what it takes; USD by service ID
  sealed bytea, -- its coordinates, with its id, so that no two can be exchanged; none by service ID
  fingerprint bytea not null, -- equal where the account is: an HMAC, the id of its key in front
  pending boolean not null default false, -- asked for; nothing is paid to it until it is approved
  approval_request_id uuid references approvals, -- that it was asked for with
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  deleted_at timestamptz,
  check ((type = 'svc_id') = (svc_id is not null and payee_organization_id is not null)),
  constraint payment_destinations_coordinates_check check ((type = 'svc_id') = (sealed is null))
);
create index payment_destinations_contact on payment_destinations (payment_contact_id, inserted_at, id);
create index payment_destinations_list on payment_destinations (organization_id, inserted_at desc, id desc);
-- the same account anywhere in an organization; of deleted ones too, or the planner takes it for the list of all others
create index payment_destinations_fingerprint on payment_destinations (organization_id, fingerprint);
call isolate('payment_destinations', definer => 'reads');
grant select, insert, update (label, is_default, sealed, fingerprint, pending, deleted_at) on payment_destinations to
  business_finance_app;
grant select on payment_destinations to business_finance_definer;

alter table payment_contacts add foreign key (next_default_id) references payment_destinations;

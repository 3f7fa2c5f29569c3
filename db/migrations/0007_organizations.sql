-- Organizations, who is in them, and their keys.

-- An organization. Row-level security keeps its rows apart from those of others.
create table organizations (
  id uuid primary key,
  name text not null,
  svc_id text unique check (svc_id ~ '^[a-z0-9][a-z0-9_-]{1,28}[a-z0-9]$'),
  status text not null default 'active' check (status in ('active', 'paused', 'banned', 'deleted')),
  card_name text,
  company_address text,
  contact_email text,
  country_code text,
  invoice_name text,
  invoice_notes text,
  referral_code text,
  tax_id text,
  registered_entity boolean,
  requires_authenticator boolean not null default false,
  -- of its invoices: what their numbers begin with, when customers are reminded, and what they say of the seller
  invoice_prefix text not null default 'INV-' check (length(invoice_prefix) <= 10),
  invoice_reminder_days smallint[] not null default '{-3,1,7,14}', -- after the due date, negative: before it
  postal_address jsonb,
  vat_id text,
  contact_name text,
  contact_phone text,
  -- Set by the audit that found a fault in the books, cleared by an operator: until then no new money moves.
  books_stopped_at timestamptz,
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
);
alter table organizations enable row level security;
alter table organizations force row level security;
create policy own on organizations using (id = (select current_organization()))
  with check (id = current_organization());
create policy definer on organizations to business_finance_definer using (true);
grant select, insert, update (name, svc_id, status, card_name, company_address, contact_email, country_code,
  invoice_name, invoice_notes, tax_id, registered_entity, requires_authenticator, invoice_prefix, invoice_reminder_days,
  postal_address, vat_id, contact_name, contact_phone, books_stopped_at, updated_at) on organizations to business_finance_app;
grant select on organizations to business_finance_definer;

-- A membership. It is deleted when it ends, so that no query can forget a condition.
create table members (
  organization_id uuid not null references organizations,
  user_id uuid not null references people,
  role text not null check (role in ('owner', 'admin', 'member')),
  joined_at timestamptz not null default business_now(),
  primary key (organization_id, user_id)
);
create index members_user on members (user_id, organization_id);
create index members_list on members (organization_id, joined_at desc, user_id desc);
call isolate('members', definer => 'writes');
grant select, insert, update (role), delete on members to business_finance_app;
grant select on members to business_finance_definer;

-- Where an ended membership stood in the list of members, so that cursors resolve; its history is in the events.
create table former_members (
  organization_id uuid not null references organizations,
  user_id uuid not null references people,
  role text not null check (role in ('owner', 'admin', 'member')),
  joined_at timestamptz not null,
  left_at timestamptz not null default business_now(),
  primary key (organization_id, user_id) -- of somebody who left twice, the last time
);
call isolate('former_members', definer => 'reads');
grant select, insert, update (role, joined_at, left_at) on former_members to business_finance_app;
grant select on former_members to business_finance_definer;

-- The picture of an organization.
create table logos (
  id uuid primary key default gen_random_uuid(), -- not to be guessed: whoever has the address sees the picture
  organization_id uuid not null unique references organizations,
  image bytea not null, -- 512 × 512 webp
  inserted_at timestamptz not null default business_now()
);
call isolate('logos', definer => 'reads');
grant select, insert, update (id, image, inserted_at), delete on logos to business_finance_app;
grant select on logos to business_finance_definer;

-- A credential of an organization for programs. Only hashes of its secret are stored.
create table api_keys (
  id uuid primary key default uuidv7(),
  organization_id uuid not null references organizations,
  name text not null,
  role text not null check (role in ('admin', 'member')),
  scopes text[] not null,
  environment text not null check (environment in ('live', 'test')),
  lookup text not null unique check (lookup ~ '^[a-z0-9]{8}$'), -- the part of the key that finds it; it never changes
  secret_hash bytea not null,
  previous_secret_hash bytea, -- the one before: it works until it expires
  previous_secret_expires_at timestamptz,
  status text not null default 'active' check (status in ('active', 'revoked')),
  created_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  last_used_at timestamptz,
  rotated_at timestamptz,
  revoked_at timestamptz,
  check ((status = 'revoked') = (revoked_at is not null)),
  check ((previous_secret_hash is null) = (previous_secret_expires_at is null))
);
create index api_keys_organization on api_keys (organization_id, inserted_at desc, id desc);
call isolate('api_keys', definer => 'reads');
grant select, insert, update (name, role, scopes, secret_hash, previous_secret_hash, previous_secret_expires_at, status,
  updated_at, last_used_at, rotated_at, revoked_at) on api_keys to business_finance_app;
grant select on api_keys to business_finance_definer;

-- Files: what people send, and what the service makes for them to fetch.

-- A file of an organization. Its bytes are in storage, in the folder of its id; before they are there, it is a slot.
create table files (
  id uuid primary key,
  organization_id uuid not null references organizations,
  purpose text not null check (purpose in ('payment_batch', 'bill', 'export', 'invoice')),
  owner_id uuid not null, -- what it was sent or made for: a batch, an export, the organization itself
  filename text not null, -- is shown, and never a path
  content_type text not null,
  byte_size bigint not null check (byte_size >= 0),
  upload_expires_at timestamptz, -- null if the service made it
  stored_as uuid, -- the object in its folder; null until it is uploaded
  sha256 text, -- in hex
  used_at timestamptz, -- since when something stands on it; null: it is purged at `purge_at`
  purge_at timestamptz, -- when its folder is tidied: nothing but the object of a file in use is kept
  removed_at timestamptz, -- it is being purged, and counts as gone
  inserted_at timestamptz not null default business_now(),
  check ((stored_as is null) = (sha256 is null)),
  check (used_at is null or stored_as is not null)
);
create index files_purge on files (purge_at) where purge_at is not null;
call isolate('files', definer => 'writes');
grant select, insert, update (byte_size, stored_as, sha256, used_at, purge_at), delete on files to business_finance_app;
grant select, update (removed_at) on files to business_finance_definer;

-- Files that people have made of what they may see.

-- An export: what its creator asked for, and how far it is. Nobody else sees it.
create table exports (
  id uuid primary key,
  organization_id uuid not null references organizations,
  created_by uuid not null references people,
  type text not null check (type in ('balance_statement', 'expenses', 'transactions')),
  format text not null check (format in ('csv', 'xlsx', 'pdf', 'camt053')),
  range_from text not null, -- a day or an instant, as it was asked for
  range_to text not null,
  currency text, -- null: of all
  own_only boolean not null, -- only the creator's own rows
  status text not null default 'pending' check (status in ('pending', 'completed', 'failed')),
  tries integer not null default 0, -- begun since it was asked for, or tried again; a try that is not the last one writes nothing
  rows_total integer, -- of the try that is under way, or of the file
  rows_processed integer not null default 0,
  file_id uuid, -- kept for 30 days
  ask_at timestamptz, -- when it is tried again
  asks integer not null default 0,
  ask_note text,
  unclear_since timestamptz,
  failure text check (failure in ('storage_unavailable', 'interrupted', 'amount_too_large', 'format_not_supported',
    'does_not_add_up', 'internal_error')), -- why it has failed
  ended_at timestamptz, -- completed or failed
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check ((status = 'completed') = (file_id is not null)),
  check ((status = 'pending') = (ended_at is null)),
  check ((status = 'failed') = (failure is not null))
) with (fillfactor = 80);
create index exports_list on exports (organization_id, created_by, inserted_at desc, id desc);
call isolate('exports', definer => 'reads');
grant select, insert, update (status, tries, rows_total, rows_processed, file_id, ask_at, asks, ask_note, unclear_since,
  failure, ended_at, updated_at) on exports to business_finance_app;
grant select on exports to business_finance_definer;

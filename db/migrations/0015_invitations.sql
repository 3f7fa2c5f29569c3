-- Invitations, and contacts that wait for approval. Expand only.

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
create index invitations_due on invitations (expires_at) where status = 'pending';
create index invitations_driven on invitations (updated_at) where status in ('pending_approval', 'pending');

alter table payment_contacts
  add column approval_request_id uuid references approvals,
  add column updated_at timestamptz not null default business_now();
create index payment_contacts_driven on payment_contacts (updated_at) where status = 'pending_approval';

alter table invitations enable row level security;
alter table invitations force row level security;
create policy own on invitations using (organization_id is not distinct from current_organization())
  with check (organization_id is not distinct from current_organization());
create policy definer on invitations to business_finance_definer using (true);
grant select on invitations to business_finance_definer;
grant select, insert, update on invitations to business_finance_app;

-- Which invitation a mailed token is, for whoever holds the token.
create function find_invitation(hash bytea) returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$ select i.id, i.organization_id from invitations i where i.token_hash = hash $$;

create function due_invitations() returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$ select i.id from invitations i where i.status = 'pending' and i.expires_at <= business_now() $$;

-- Rows of one kind that a workflow must be driving and that nobody touched for a while, in the order of their ids.
create function driven_rows(kind text, untouched_for interval, after uuid, batch integer)
returns table (id uuid, organization_id uuid, status text, rail text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.organization_id, d.status, d.rail from (
    select p.id, p.organization_id, p.status, p.rail, p.updated_at from payments p
    where kind = 'payments' and p.status in ('awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling')
    union all
    select c.id, c.organization_id, c.status, null, c.updated_at from payment_contacts c
    where kind = 'payment_contacts' and c.status = 'pending_approval'
    union all
    select i.id, i.organization_id, i.status, null, i.updated_at from invitations i
    where kind = 'invitations' and i.status in ('pending_approval', 'pending')
  ) d
  where d.updated_at < business_now() - untouched_for and (after is null or d.id > after)
  order by d.id limit batch
$$;

-- a function is handed over only to a role that may create in the schema
grant create on schema public to business_finance_definer;
alter function find_invitation(bytea) owner to business_finance_definer;
alter function due_invitations() owner to business_finance_definer;
alter function driven_rows(text, interval, uuid, integer) owner to business_finance_definer;
revoke create on schema public from business_finance_definer;
revoke execute on function find_invitation(bytea), due_invitations(), driven_rows(text, interval, uuid, integer) from public;
grant execute on function find_invitation(bytea), due_invitations(), driven_rows(text, interval, uuid, integer)
  to business_finance_app;

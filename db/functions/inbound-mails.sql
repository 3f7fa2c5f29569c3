-- Addresses that take bills by mail, found by strangers' servers.

set local role business_finance_definer;

-- Finds the organization of an address by its token; none of an address that has ended, or of a banned or deleted
-- organization.
create or replace function find_bill_mailbox(given text)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select m.id, m.organization_id from bill_mailboxes m join organizations o on o.id = m.organization_id
  where m.token = given and m.ended_at is null and is_there(o.status)
$$;
grant execute on function find_bill_mailbox(text) to business_finance_app;

-- Mails whose keys another key than this one sealed.
create or replace function inbound_mails_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select m.id, m.organization_id from inbound_mails m
  where (after is null or m.id > after) and substring(m.sealed_key for length(head)) <> head
  order by m.id limit batch
$$;
grant execute on function inbound_mails_to_seal(bytea, uuid, integer) to business_finance_app;

-- What rotation of keys looks for: what does not begin as all that the key that seals now has sealed.

set local role business_finance_definer;

-- Destinations that another key than this one sealed or told apart, or without the key of their holder. A fingerprint carries the version of the rule that
-- tells accounts apart between the id of its key and its code.
create or replace function destinations_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.organization_id from payment_destinations d
  where (after is null or d.id > after) and (
    substring(d.fingerprint for length(head) + 1) <> head || '\x02'::bytea
    or length(d.fingerprint) <> length(head) + 33
    or substring(d.sealed for length(head)) <> head
    or (d.type = 'bank' and d.holder_key is null))
  order by d.id limit batch
$$;
grant execute on function destinations_to_seal(bytea, uuid, integer) to business_finance_app;

-- Addresses of payees that another key than this one sealed. Their fingerprints stay: approvals name them.
create or replace function payee_addresses_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select a.id, a.organization_id from payee_addresses a
  where (after is null or a.id > after) and substring(a.sealed for length(head)) <> head
  order by a.id limit batch
$$;
grant execute on function payee_addresses_to_seal(bytea, uuid, integer) to business_finance_app;

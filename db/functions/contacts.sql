-- What rotation of keys looks for.

set local role business_finance_definer;

-- Destinations that another key than this one sealed or told apart. A fingerprint carries the version of the rule that
-- tells accounts apart between the id of its key and its code.
create or replace function destinations_to_seal(key text, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.organization_id from payment_destinations d
  cross join lateral (select convert_to(key, 'UTF8') as id) k
  cross join lateral (select set_byte('\x00'::bytea, 0, length(k.id)) || k.id as head) h
  where (after is null or d.id > after) and (
    substring(d.fingerprint for length(h.head) + 1) <> h.head || '\x02'::bytea
    or length(d.fingerprint) <> length(h.head) + 33
    or substring(d.sealed for length(h.head)) <> h.head)
  order by d.id limit batch
$$;
grant execute on function destinations_to_seal(text, uuid, integer) to business_finance_app;

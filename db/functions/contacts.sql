-- Accounts of payees, and what rotation of keys looks for: what does not begin as all that the key that seals now has
-- sealed.

-- Returns the id of an account by any of its keys, in hexadecimal, and stores those that are not known yet. Keys of
-- several ids turn out to be one account: all that has one of these gets the oldest. `own` is the id that a row has, which
-- counts if no key is left of it.
create or replace function account_of(organization uuid, keys text[], own uuid default null) returns uuid
language plpgsql volatile
as $$
declare
  given bytea[] := array(select decode(k, 'hex') from unnest(keys) k order by 1);
  known integer;
  ids uuid[];
begin
  select count(*), array_agg(distinct p.account_id) into known, ids
  from payee_accounts p where p.organization_id = organization and p.key = any (given);
  if known = cardinality(given) and cardinality(ids) = 1 then return ids[1]; end if;
  if own is null or exists (select from payee_accounts p where p.account_id = own) then own := uuidv7(); end if;
  insert into payee_accounts (organization_id, key, account_id)
  select organization, k, coalesce(ids[1], own) from unnest(given) k on conflict do nothing;
  -- another transaction may have stored some of them meanwhile
  select array_agg(distinct p.account_id order by p.account_id) into ids
  from payee_accounts p where p.organization_id = organization and p.key = any (given);
  if cardinality(ids) > 1 then
    update payee_accounts p set account_id = ids[1] where p.account_id = any (ids[2:]);
    update payment_destinations d set account_id = ids[1]
      where d.organization_id = organization and d.account_id = any (ids[2:]);
    update bills b set account_id = ids[1] where b.account_id = any (ids[2:]);
    update payment_batch_rows r set account_id = ids[1] where r.account_id = any (ids[2:]) and r.payment_id is null;
  end if;
  return ids[1];
end
$$;
grant execute on function account_of(uuid, text[], uuid) to business_finance_app;

-- Invariant: what has a fingerprint has the id of its account. Code of the release before knows no id.
create or replace function has_account() returns trigger
language plpgsql
as $$
begin
  if new.fingerprint is null or (tg_op = 'UPDATE' and new.account_id is distinct from old.account_id) then return new; end if;
  new.account_id := account_of(new.organization_id, array[encode(new.fingerprint, 'hex')]);
  return new;
end
$$;

-- Invariant: a row of a batch that pays a destination has the id of its account; one of its cells, as has_account().
create or replace function row_has_account() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' and new.account_id is distinct from old.account_id then return new; end if;
  if new.destination_id is not null then
    new.account_id := (select d.account_id from payment_destinations d where d.id = new.destination_id);
  else
    new.account_id := case when new.fingerprint is not null
      then account_of(new.organization_id, array[encode(new.fingerprint, 'hex')]) end;
  end if;
  return new;
end
$$;

create or replace trigger payment_destinations_have_accounts before insert on payment_destinations
  for each row when (new.account_id is null) execute function has_account();
create or replace trigger payment_destinations_keep_accounts before update of fingerprint on payment_destinations
  for each row when (new.fingerprint is distinct from old.fingerprint) execute function has_account();
create or replace trigger bills_have_accounts before insert on bills
  for each row when (new.account_id is null) execute function has_account();
create or replace trigger bills_keep_accounts before update of fingerprint on bills
  for each row when (new.fingerprint is distinct from old.fingerprint) execute function has_account();
create or replace trigger payment_batch_rows_have_accounts before insert on payment_batch_rows
  for each row when (new.account_id is null and (new.fingerprint is not null or new.destination_id is not null))
  execute function row_has_account();
create or replace trigger payment_batch_rows_keep_accounts before update of fingerprint, destination_id on payment_batch_rows
  for each row when (new.fingerprint is distinct from old.fingerprint or new.destination_id is distinct from old.destination_id)
  execute function row_has_account();

set local role business_finance_definer;

-- Deletes keys of accounts that other encryption keys than these have made; an account keeps its id.
create or replace function forget_payee_keys(heads bytea[]) returns integer
language sql volatile security definer set search_path = public, pg_temp
as $$
  with gone as (delete from payee_accounts p
    where not exists (select from unnest(heads) h where substring(p.key for length(h)) = h) returning 1)
  select count(*)::integer from gone
$$;
grant execute on function forget_payee_keys(bytea[]) to business_finance_app;

-- Destinations that another key than this one sealed or told apart, or without the key of their holder. A fingerprint
-- carries the version of the rule that
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
    or (d.type = 'bank' and d.holder_key is null)
    or not exists (select from payee_accounts p
      where p.account_id = d.account_id and substring(p.key for length(head) + 1) = head || '\x03'::bytea))
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

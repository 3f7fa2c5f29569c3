-- Invariant: rows of a submitted batch are not added, deleted or changed, except for their outcome.
create or replace function batch_rows_stay() returns trigger
language plpgsql
as $$
begin
  if exists (select from (select distinct payment_batch_id as id from changed) c
    cross join lateral (select b.status from payment_batches b where b.id = c.id offset 0) b
    where b.status not in ('draft', 'importing')) then
    raise exception 'the rows of a batch that was submitted do not change';
  end if;
  return null;
end
$$;

create or replace trigger payment_batch_rows_are_not_added after insert on payment_batch_rows
  referencing new table as changed for each statement execute function batch_rows_stay();

create or replace trigger payment_batch_rows_are_not_deleted after delete on payment_batch_rows
  referencing old table as changed for each statement execute function batch_rows_stay();

-- Invariant: the references of rows, checked once for each statement; what they refer to is never deleted. With `offset 0`
-- each is looked up by its id: a join would read all that an organization, or another, has.
create or replace function batch_rows_refer() returns trigger
language plpgsql
as $$
begin
  if exists (select from (select distinct payment_batch_id, organization_id from written) w
      where not exists (select from payment_batches b where (b.id, b.organization_id) = (w.payment_batch_id, w.organization_id)
        offset 0))
    or exists (select from (select distinct payment_contact_id, destination_id, organization_id from written
        where destination_id is not null) w
      where not exists (select from payment_destinations d where (d.id, d.payment_contact_id, d.organization_id)
        = (w.destination_id, w.payment_contact_id, w.organization_id) offset 0))
    or exists (select from (select distinct payee_address_id, organization_id from written
        where payee_address_id is not null) w
      where not exists (select from payee_addresses a where (a.id, a.organization_id)
        = (w.payee_address_id, w.organization_id) offset 0))
    or exists (select from (select distinct bill_id, organization_id from written where bill_id is not null) w
      where not exists (select from bills b where (b.id, b.organization_id) = (w.bill_id, w.organization_id) offset 0))
    or exists (select from (select distinct known_as, organization_id from written where known_as is not null) w
      where not exists (select from payment_destinations d where (d.id, d.organization_id)
        = (w.known_as, w.organization_id) offset 0)) then
    raise foreign_key_violation using message = 'a row of a batch refers to nothing of its organization';
  end if;
  return null;
end
$$;

create or replace trigger payment_batch_rows_refer_when_inserted after insert on payment_batch_rows
  referencing new table as written for each statement execute function batch_rows_refer();

create or replace trigger payment_batch_rows_refer_when_updated after update on payment_batch_rows
  referencing new table as written for each statement execute function batch_rows_refer();

create or replace function batch_row_stays() returns trigger
language plpgsql
as $$
begin
  if (select b.status from payment_batches b where b.id = old.payment_batch_id) not in ('draft', 'importing') then
    raise exception 'a row of a batch that was submitted does not change';
  end if;
  return new;
end
$$;

create or replace trigger payment_batch_rows_are_not_changed before update of id, organization_id, payment_batch_id,
    row_number, errors, payee, svc_id, payee_organization_id, payment_contact_id, destination_id, fingerprint, name_key,
    account_changed, rail, amount, currency, payout_reason, statement_description, internal_notes, reference, fee_amount,
    address_fingerprint, payee_address_id, holder_key, known_as, bill_id, named_destination_id, named_address_id
    on payment_batch_rows
  for each row execute function batch_row_stays();

set local role business_finance_definer;

-- Lists rows for key rotation: their cells, the fingerprints of drafts, or all keys of their account were made with another
-- key.
create or replace function batch_rows_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select r.id, r.organization_id from payment_batch_rows r
  where (after is null or r.id > after) and (substring(r.sealed for length(head)) <> head
    or (substring(r.fingerprint for length(head)) <> head and exists (
      select from payment_batches b where b.id = r.payment_batch_id and b.status = 'draft'))
    or (r.fingerprint is not null and r.account_id is not null and r.payment_id is null and not exists (
      select from payee_accounts p
      where p.account_id = r.account_id and substring(p.key for length(head) + 1) = head || '\x03'::bytea)))
  order by r.id limit batch
$$;
grant execute on function batch_rows_to_seal(bytea, uuid, integer) to business_finance_app;

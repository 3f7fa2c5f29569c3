-- Answers of the bank about payees: the purge, and rotation of keys.

set local role business_finance_definer;

-- Deletes answers that nothing names and that are older than `days`; answers their number.
create or replace function forget_payee_checks(days integer, batch integer) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from payee_checks where id = any (array(
      select k.id from payee_checks k
      where k.checked_at < business_now() - make_interval(days => forget_payee_checks.days)
        and not exists (select from payments p where p.payee_check_id = k.id or p.payee_ended_by = k.id)
        and not exists (select from payment_batch_rows r where r.payee_check_id = k.id)
        and (exists (select from payee_checks later where later.destination_id = k.destination_id
            and (later.checked_at, later.id) > (k.checked_at, k.id))
          or not exists (select from payment_destinations d where d.id = k.destination_id))
      order by k.checked_at limit forget_payee_checks.batch for update skip locked))
    returning 1)
  select count(*)::integer from gone
$$;
grant execute on function forget_payee_checks(integer, integer) to business_finance_app;

-- Answers that another key than this one sealed.
create or replace function payee_checks_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select k.id, k.organization_id from payee_checks k
  where (after is null or k.id > after) and substring(k.sealed for length(head)) <> head
  order by k.id limit batch
$$;
grant execute on function payee_checks_to_seal(bytea, uuid, integer) to business_finance_app;

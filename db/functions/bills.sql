set local role business_finance_definer;

-- Bills, their readings and findings that another key than this one sealed, for rotation of keys.
create or replace function bills_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select b.id, b.organization_id from (
    select b.id, b.organization_id, b.sealed, b.account_id from bills b
    union all
    select r.id, r.organization_id, r.sealed, null from bill_readings r
    union all
    select f.id, f.organization_id, f.sealed, null from bill_findings f) b
  where (after is null or b.id > after) and (substring(b.sealed for length(head)) <> head
    or (b.account_id is not null and not exists (select from payee_accounts p
      where p.account_id = b.account_id and substring(p.key for length(head) + 1) = head || '\x03'::bytea)))
  order by b.id limit batch
$$;
grant execute on function bills_to_seal(bytea, uuid, integer) to business_finance_app;

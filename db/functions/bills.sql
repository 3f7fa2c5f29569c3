-- Bills: their numbers, keys of their suppliers, and what is sealed by an earlier key.

-- Lists how many letters and digits of a number stand before each sign between two of its digits, and how many it has.
create or replace function number_joints(written text) returns bigint[]
language sql immutable parallel safe
as $$
  select array_agg(n) from (
    select sum(length(regexp_replace(part, '[^[:alnum:]]', '', 'g'))) over (order by place) as n
    from regexp_split_to_table(written, '(?<=[0-9])[^[:alnum:]]+(?=[0-9])') with ordinality p (part, place)) p
$$;
grant execute on function number_joints(text) to business_finance_app;

-- Tells if two numbers with the same letters and digits are one. A person may leave out the signs between digits, and
-- moves none: 1/12 is not 11/2, and either may be 112.
create or replace function is_same_number(a text, b text) returns boolean
language sql immutable parallel safe
as $$
  select a = b or number_joints(a) <@ number_joints(b) or number_joints(b) <@ number_joints(a)
$$;
grant execute on function is_same_number(text, text) to business_finance_app;

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

-- Bills whose keys are not of the tax id and name that they have now, for the chores of each hour.
create or replace function bills_without_keys(after uuid, batch integer)
returns table (id uuid, organization_id uuid, supplier_tax_id text, supplier_name text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select b.id, b.organization_id, b.supplier_tax_id, b.supplier_name from bills b
  where (after is null or b.id > after) and b.keys_of is distinct from coalesce(b.supplier_tax_id, '') || E'\n' || coalesce(b.supplier_name, '')
  order by b.id limit batch
$$;
grant execute on function bills_without_keys(uuid, integer) to business_finance_app;

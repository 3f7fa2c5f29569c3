-- Coding of bills, as it counts: for exports, and for what rules compare.

-- Counts the lines by which a bill is coded; 0 if one line of its whole amount is, as not each has an amount in its
-- currency. Its own amount has the decimals of the currency.
create or replace function priced_lines(items jsonb, amount numeric) returns integer
language sql immutable
as $$
  select case when bool_and(i ->> 'amount' is not null and length(split_part(i ->> 'amount', '.', 2)) <= scale(amount)
    and length(split_part(ltrim(i ->> 'amount', '-'), '.', 1)) <= 15) then count(*)::integer else 0 end
  from jsonb_array_elements(items) i
$$;
grant execute on function priced_lines(jsonb, numeric) to business_finance_app;

-- Lists the parts that people saved of the lines of a bill, while a line has the amount and words that it had. A bill
-- that is coded as one line has its whole amount.
create or replace function coding_parts(bill uuid)
returns table (line integer, amount numeric, account_code text, tax_code text, labels jsonb)
language sql stable
as $$
  with whole as materialized (select id, amount, line_items, priced_lines(line_items, amount) as lines from bills where id = bill)
  select s.line, (p ->> 'amount')::numeric, p ->> 'account_code', p ->> 'tax_code', p -> 'labels'
  from whole b
  join bill_codings s on s.bill_id = b.id
  cross join lateral (select b.line_items -> (s.line - 1) as item) i
  cross join lateral jsonb_array_elements(s.parts) with ordinality e (p, place)
  where case when b.lines > 0
    then s.amount = (i.item ->> 'amount')::numeric and s.description = coalesce(i.item ->> 'description', '')
    else s.line = 1 and s.description = '' and s.amount = b.amount end
  order by s.line, e.place
$$;
grant execute on function coding_parts(uuid) to business_finance_app;

-- Tells if each line of a bill has an account, as people saved it.
create or replace function is_coded(bill uuid) returns boolean
language sql stable
as $$
  select greatest(priced_lines(b.line_items, b.amount), 1) = (select count(*) from (
    select from coding_parts(b.id) p group by p.line having bool_and(p.account_code is not null)) c)
  from bills b where b.id = bill
$$;
grant execute on function is_coded(uuid) to business_finance_app;

-- Writes accounts, tax codes and labels of a bill as three cells: a code alone, or each with its amount if there are others.
create or replace function coding_cells(bill uuid) returns text
language sql stable
as $$
  with parts as (select row_number() over () as place, p.* from coding_parts(bill) p),
  codes as (
    select 1 as kind, account_code as code, amount, place from parts where account_code is not null
    union all select 2, tax_code, amount, place from parts where tax_code is not null
    union all select 3, (l ->> 'dimension') || ':' || (l ->> 'value'), amount, place
      from parts, jsonb_array_elements(labels) l),
  sums as (
    select kind, code, sum(amount) as amount, min(place) as place, count(*) = (select count(*) from parts) as is_all
    from codes group by kind, code)
  select string_agg(coalesce(k.cell, ''), chr(31) order by k.kind) from (
    select n.kind, (
      select string_agg(s.code || case when s.is_all then '' else ' ' || s.amount end, ', ' order by s.place, s.code)
      from sums s where s.kind = n.kind) as cell
    from generate_series(1, 3) n (kind)) k
$$;
grant execute on function coding_cells(uuid) to business_finance_app;

set local role business_finance_definer;

-- Payments of the organization with a label: its dimension and its value, with the sign chr(31) between them. Keys of
-- other labels may read alike, as codes may have a colon: both codes are compared. Row-level security would not let a
-- condition on labels use its index. The key names the organization: with a condition of its own, a plan would read the
-- feed by that.
create or replace function labelled_payments(label text) returns setof uuid
language sql stable security definer rows 100 set search_path = public, pg_temp
as $$
  select p.id from payments p
  where p.labels <> '[]' and label_keys(p.organization_id, p.labels) @> array[
    current_organization()::text || ' ' || replace(label, chr(31), ':')]
    and p.labels @> jsonb_build_array(jsonb_build_object(
      'dimension', split_part(label, chr(31), 1), 'value', split_part(label, chr(31), 2)))
$$;
grant execute on function labelled_payments(text) to business_finance_app;

-- Transactions of the organization with a label of their own.
create or replace function labelled_transactions(label text) returns setof uuid
language sql stable security definer rows 100 set search_path = public, pg_temp
as $$
  select t.id from transactions t
  where t.labels <> '[]' and label_keys(t.organization_id, t.labels) @> array[
    current_organization()::text || ' ' || replace(label, chr(31), ':')]
    and t.labels @> jsonb_build_array(jsonb_build_object(
      'dimension', split_part(label, chr(31), 1), 'value', split_part(label, chr(31), 2)))
$$;
grant execute on function labelled_transactions(text) to business_finance_app;

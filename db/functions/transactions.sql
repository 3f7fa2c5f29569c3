-- The feed of organizations that are paid.

set local role business_finance_definer;

-- The payees' rows in the feed: their own side of the postings of settled payments of the organization that the
-- transaction speaks for. Exactly one row for each payment, and never a second one, or an error. Answers their ids.
create or replace function feed_payees(payments uuid[], totals numeric[], instants timestamptz[], seqs bigint[]) returns uuid[]
language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off -- the rows are few and known by key, which the planner cannot see from arrays
as $$
declare
  written uuid[];
begin
  with inserted as (
    insert into transactions (id, organization_id, type, direction, status, amount, currency, running_balance, counterparty,
      description, payment_id, posted_at, seq)
    select uuidv7(), p.payee_organization_id, 'payment', 'in', 'posted', p.landing_amount, p.landing_currency,
      posting.total, payer.name, p.statement_description, p.id, posting.posted_at, posting.seq
    from unnest(feed_payees.payments, totals, instants, seqs) posting (payment, total, posted_at, seq)
    -- one by one, by their ids: of several at once all payments of the organization would be read
    cross join lateral (select * from payments q where q.id = posting.payment offset 0) p
    join organizations payer on payer.id = p.organization_id
    where p.rail = 'svc_id' and p.payee_organization_id is not null and p.organization_id = current_organization()
      and p.status = 'succeeded' and not exists (select from transactions t
        where t.payment_id = p.id and t.organization_id = p.payee_organization_id)
    returning id)
  select coalesce(array_agg(i.id), '{}') into written from inserted i;
  if cardinality(written) <> cardinality(feed_payees.payments) then
    raise exception 'feed_payees wrote % rows for % payments', cardinality(written), cardinality(feed_payees.payments);
  end if;
  return written;
end
$$;
grant execute on function feed_payees(uuid[], numeric[], timestamptz[], bigint[]) to business_finance_app;

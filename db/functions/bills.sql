-- A bill is to be paid again when its payment ends without having paid it.

-- Whoever ends a payment, its bill is open again in the same transaction, with an event that the payment's caused. Its
-- cause names the payment: a bill has several, and their partner may end them with the same word. What a worker ends it
-- has not decided: an approval that waited had its time, and everything later is the partner's word.
create or replace function reopen_bill() returns trigger
language plpgsql
as $$
declare
  ended events;
  causation text := current_setting('app.causation_id', true);
begin
  update bills set status = 'extracted', payment_id = null, approval_request_id = null, updated_at = business_now()
  where id = new.bill_id and payment_id = new.id and status = 'payment_requested';
  if not found then
    return null;
  end if;
  select e.* into strict ended from events e
  where e.subject_id = new.id and e.xact = pg_current_xact_id() order by e.occurred_at desc, e.id desc limit 1;
  perform set_config('app.causation_id', ended.id::text, true);
  insert into events (organization_id, stream, subject_id, type, actor_kind, actor_user_id, correlation_id, cause, payload)
  values (new.organization_id, 'bills', new.bill_id, 'bill.payment_ended', case when ended.actor_kind <> 'worker'
      then ended.actor_kind when old.status = 'awaiting_approval' then 'system' else 'webhook' end, ended.actor_user_id,
    ended.correlation_id, format('payment:%s:%s', new.id, new.status),
    format('{"payment_id":"%s","status":"%s"}', new.id, new.status)); -- canonical JSON
  perform set_config('app.causation_id', coalesce(causation, ''), true);
  return null;
end
$$;

create or replace trigger payments_reopen_bills after update of status on payments
  for each row when (new.bill_id is not null and new.status in ('cancelled', 'failed', 'reversed'))
  execute function reopen_bill();

set local role business_finance_definer;

-- Bills, and what was read of bills, that another key than this one sealed: what rotation of keys looks for.
create or replace function bills_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select b.id, b.organization_id from (
    select b.id, b.organization_id, b.sealed from bills b
    union all
    select r.id, r.organization_id, r.sealed from bill_readings r
    union all
    select f.id, f.organization_id, f.sealed from bill_findings f) b
  where (after is null or b.id > after) and substring(b.sealed for length(head)) <> head
  order by b.id limit batch
$$;
grant execute on function bills_to_seal(bytea, uuid, integer) to business_finance_app;

-- Payees of payments, callbacks of partners, and unused quotes.

-- No payment is made to a contact or destination that is deleted in the same moment: it waits for the deletion, and
-- then fails with a SQLSTATE of its own, so that the request looks again. A payment of a batch may be made as one that
-- failed for this very reason.
create or replace function payees_are_there() returns trigger
language plpgsql
  set enable_seqscan = off -- kept for a session, a plan of the time when there were few would read all of them
as $$
begin
  perform from payment_contacts c where c.id in (select m.payment_contact_id from made m) order by c.id for key share;
  -- one by one, by their ids: joined, all contacts of the organization would be read
  if exists (select from made m where m.status <> 'failed' and not coalesce((
    select c.deleted_at is null and d.deleted_at is null and not d.pending
    from payment_destinations d join payment_contacts c on c.id = d.payment_contact_id
    where d.id = m.destination_id and c.id = m.payment_contact_id), false)) then
    raise exception using errcode = 'BF003',
      message = 'a payment to a contact or destination that is not there any more';
  end if;
  return null;
end
$$;

create or replace trigger payments_have_payees after insert on payments referencing new table as made
  for each statement execute function payees_are_there();

-- Nothing is paid before its day. Code of a release before payments on a date knows no day, and would pay at once; it
-- repeats what fails as a lock that is not available.
create or replace function refuse_before_day(subject uuid) returns void
language plpgsql
as $$
begin
  if exists (select from payment_schedules s where s.id = subject and s.try_at > business_now()) then
    raise exception using errcode = 'lock_not_available', message = 'a payment before its day';
  end if;
end
$$;
grant execute on function refuse_before_day(uuid) to business_finance_app, business_finance_definer;

create or replace function payment_waits_for_its_day() returns trigger
language plpgsql
as $$
begin
  perform refuse_before_day(new.id);
  return new;
end
$$;

create or replace function batch_waits_for_its_day() returns trigger
language plpgsql
as $$
begin
  perform refuse_before_day(b.approval_request_id)
  from (select distinct m.payment_batch_id as id from made m where m.payment_batch_id is not null) m
  join payment_batches b on b.id = m.id;
  return null;
end
$$;

create or replace trigger payments_wait_for_their_day before update of status on payments for each row
  when (old.status in ('awaiting_approval', 'scheduled') and new.status in ('submitted', 'processing', 'succeeded'))
  execute function payment_waits_for_its_day();

create or replace trigger payments_of_batches_wait_for_their_day after insert on payments referencing new table as made
  for each statement execute function batch_waits_for_its_day();

set local role business_finance_definer;

-- Records that a connection called about a payment, which is asked about at once; no row if another one pays it, or none.
create or replace function record_call_about_payment(of_partner text, payment uuid, version integer)
returns table (organization_id uuid, status text, rail text)
language sql security definer set search_path = public, pg_temp
as $$
  update payments p
  set callbacks_received = p.callbacks_received + 1, ask_at = null, updated_at = business_now(),
    callback_version = greatest(p.callback_version, record_call_about_payment.version)
  where p.id = payment and connection_of(p.rail, p.connection) = of_partner
  returning p.organization_id, p.status, p.rail
$$;
grant execute on function record_call_about_payment(text, uuid, integer) to business_finance_app;

-- The same without a connection: the one that pays it is asked again.
create or replace function record_payment_callback(payment uuid, version integer)
returns table (organization_id uuid, status text, rail text)
language sql security definer set search_path = public, pg_temp
as $$
  update payments p
  set callbacks_received = p.callbacks_received + 1, ask_at = null, updated_at = business_now(),
    callback_version = greatest(p.callback_version, record_payment_callback.version)
  where p.id = payment and p.rail <> 'svc_id'
  returning p.organization_id, p.status, p.rail
$$;
grant execute on function record_payment_callback(uuid, integer) to business_finance_app;

-- Those of the ids that no payment has.
create or replace function unknown_payments(ids uuid[]) returns setof uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select g from unnest(ids) g where not exists (select from payments p where p.id = g) $$;
grant execute on function unknown_payments(uuid[]) to business_finance_app;

-- Deletes unused quotes that expired at least `days` ago; answers their number.
create or replace function forget_quotes(days integer, batch integer) returns integer
language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from payment_quotes where id = any (array(
      select q.id from payment_quotes q
      where q.payment_id is null and q.expires_at < business_now() - make_interval(days => forget_quotes.days)
      order by q.expires_at limit forget_quotes.batch for update skip locked))
      and payment_id is null
    returning 1)
  select count(*)::integer from gone
$$;
grant execute on function forget_quotes(integer, integer) to business_finance_app;

-- Gives a payment that waits for its day the price of that day: the same amount arrives, and no more is deducted than was
-- approved. No row if it may not have it. Nothing else changes the amounts of a payment.
create or replace function price_scheduled_payment(payment uuid, deducting numeric, fee numeric, day_rate text,
  day_value_usd numeric)
returns table (amount numeric, currency text)
language sql security definer set search_path = public, pg_temp
as $$
  with priced as (
    update payments p
    set deducting_amount = deducting, fee_amount = fee, rate = day_rate, updated_at = business_now(),
      fee_feed_id = case when fee > 0 then coalesce(p.fee_feed_id, uuidv7()) end
    from payment_schedules s
    where p.id = payment and s.id = p.id and p.status = 'scheduled' and s.try_at <= business_now()
      and deducting <= coalesce(s.max_deducting, p.deducting_amount) and fee < deducting
      and (p.rate is null) = (day_rate is null) and (day_rate is null) = (day_value_usd is null)
    returning p.id, p.deducting_amount, p.deducting_currency
  ), valued as (
    update payment_schedules s set value_usd = day_value_usd from priced where s.id = priced.id
  )
  select deducting_amount, deducting_currency from priced
$$;
grant execute on function price_scheduled_payment(uuid, numeric, numeric, text, numeric) to business_finance_app;

-- Charges of partners, newest first: operators see them, without the organization.
create or replace function listed_partner_charges(most integer)
returns table (posted_at timestamptz, connection text, payment_id uuid, name text, reference text, amount numeric, currency text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.posted_at, c.connection, c.payment_id, c.name, c.reference, c.amount, c.currency
  from partner_charges c order by c.posted_at desc, c.id desc limit most
$$;
grant execute on function listed_partner_charges(integer) to business_finance_app;

-- What each connection has taken: borne by the service, and kept from returns of customers.
create or replace function sum_partner_charges()
returns table (connection text, currency text, borne numeric, kept numeric)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.connection, c.currency, coalesce(sum(c.amount) filter (where c.name <> 'kept'), 0),
    coalesce(sum(c.amount) filter (where c.name = 'kept'), 0)
  from partner_charges c group by 1, 2 order by 1, 2
$$;
grant execute on function sum_partner_charges() to business_finance_app;

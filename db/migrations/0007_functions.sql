-- The few functions that look across organizations. They belong to the definer role, have a fixed search path, and only
-- app may call them.

-- Which organization an id belongs to, told to its members only; nobody else learns that the id exists.
create function locate(kind text, target uuid, person uuid)
returns table (organization_id uuid, role text, status text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, m.role, o.status
  from (select case kind
      when 'organization' then target
      when 'payment' then (select p.organization_id from payments p where p.id = target)
      when 'payment_contact' then (select c.organization_id from payment_contacts c where c.id = target)
      when 'transaction' then (select t.organization_id from transactions t where t.id = target)
    end) owner (id)
  join organizations o on o.id = owner.id
  join members m on m.organization_id = o.id and m.user_id = person
$$;

create function organizations_of(person uuid)
returns table (id uuid, role text, inserted_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, m.role, o.inserted_at
  from members m join organizations o on o.id = m.organization_id
  where m.user_id = person and o.status not in ('banned', 'deleted')
$$;

-- Whom a service ID means. Banned and deleted organizations are not found.
create function resolve_handle(handle text)
returns table (organization_id uuid, name text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, o.name from organizations o where o.svc_id = handle and o.status in ('active', 'paused')
$$;

create function can_receive(organization uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce((select o.status in ('active', 'paused') from organizations o where o.id = organization), false)
$$;

-- The payees' rows in the feed: their own side of the postings of settled payments of the organization that the
-- transaction speaks for. Exactly one row for each payment, and never a second one, or an error.
create function feed_payees(payments uuid[], totals numeric[], instants timestamptz[], seqs bigint[]) returns void
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  written integer;
begin
  insert into transactions (id, organization_id, type, direction, status, amount, currency, running_balance, counterparty,
    description, payment_id, posted_at, seq)
  select uuidv7(), p.payee_organization_id, 'payment', 'in', 'posted', p.landing_amount, p.landing_currency,
    posting.total, payer.name, p.statement_description, p.id, posting.posted_at, posting.seq
  from unnest(feed_payees.payments, totals, instants, seqs) posting (payment, total, posted_at, seq)
  join payments p on p.id = posting.payment
  join organizations payer on payer.id = p.organization_id
  where p.rail = 'svc_id' and p.payee_organization_id is not null and p.organization_id = current_organization()
    and p.status = 'succeeded' and not exists (select from transactions t
      where t.payment_id = p.id and t.organization_id = p.payee_organization_id);
  get diagnostics written = row_count;
  if written <> cardinality(feed_payees.payments) then
    raise exception 'feed_payees wrote % rows for % payments', written, cardinality(feed_payees.payments);
  end if;
end
$$;

-- Rows that something must happen to and that nobody touched for a while: what the reconciler compares with Temporal.
create function driven_payments(untouched_for interval, after uuid, batch integer)
returns table (id uuid, organization_id uuid, rail text, status text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select p.id, p.organization_id, p.rail, p.status from payments p
  where p.status in ('awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling')
    and p.updated_at < business_now() - untouched_for and (after is null or p.id > after)
  order by p.id limit batch
$$;

-- Workflows whose deadline has come by business time.
create function due_payments() returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select a.target_id from approvals a
  where a.status = 'pending' and a.expires_at <= business_now()
    and a.target_type in ('internal_transfer', 'fiat_outgoing', 'crypto_outgoing')
$$;

-- Extends every organization's chain by the events committed since the last call, in commit order: nothing at or past
-- the oldest transaction still running is read, so no event can slip in before one that was chained.
create function extend_event_chain(most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  reached xid8;
  last_seq bigint;
  last_hash bytea;
  event events;
  chained integer := 0;
begin
  select xact into reached from event_chain_position for update;
  for event in
    select e.* from events e
    where e.xact >= reached and e.xact < horizon
      and not exists (select from event_chain c where c.event_id = e.id)
    order by e.xact, e.id limit most
  loop
    select c.seq, c.hash into last_seq, last_hash from event_chain c
    where c.organization_id = event.organization_id order by c.seq desc limit 1;
    if not found then
      last_seq := 0;
      last_hash := '';
    end if;
    insert into event_chain (organization_id, seq, event_id, hash)
    values (event.organization_id, last_seq + 1, event.id, event_hash(last_hash, event));
    reached := event.xact;
    chained := chained + 1;
  end loop;
  update event_chain_position set xact = case when chained < most then greatest(reached, horizon) else reached end;
  return chained;
end
$$;

-- SHA-256 of the hash before and of the whole event as jsonb writes it, but for the transaction that wrote it: nobody can
-- change who did what, to what, when and why without breaking every hash after it.
create function event_hash(previous bytea, event events) returns bytea
language sql stable set timezone = 'UTC'
as $$ select sha256(previous || convert_to((to_jsonb(event) - 'xact')::text, 'UTF8')) $$;

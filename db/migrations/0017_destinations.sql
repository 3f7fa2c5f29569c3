-- Destinations of their own: sealed coordinates, changes that wait for approval, deletion. Expand only.

alter table payment_contacts
  -- an active contact that waits for a change of what it is paid at: without approval it stays as it was
  add column changing boolean not null default false,
  add column next_default_id uuid references payment_destinations; -- the one that becomes the default with the approval

alter table payment_destinations
  add column currency text, -- what it takes; USD by service ID
  add column sealed bytea, -- its coordinates, in place of `details`; with its id, so that no two can be exchanged
  add column fingerprint bytea, -- equal where the account is: an HMAC, the id of its key in front
  add column pending boolean not null default false, -- asked for, and not paid at before it is approved
  add column approval_request_id uuid references approvals, -- that it was asked for with
  add column created_by uuid references people,
  drop constraint payment_destinations_check1,
  add constraint payment_destinations_coordinates_check
    check (case when type = 'svc_id' then num_nonnulls(details, sealed) = 0 else num_nonnulls(details, sealed) = 1 end);
update payment_destinations set currency = coalesce(details ->> 'currency', details ->> 'coin', 'USD');
create index payment_destinations_list on payment_destinations (organization_id, inserted_at desc, id desc);
-- the same account anywhere in an organization; of deleted ones too, or the planner takes it for the list of all others
create index payment_destinations_fingerprint on payment_destinations (organization_id, fingerprint);
-- payments to a contact, and of them those that go on
create index payments_contact on payments (payment_contact_id)
  where status in ('awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling');

-- No payment is made to a contact or destination that is deleted in the same moment: it waits for the deletion, and then
-- fails, so that whoever makes it looks again.
create function payees_are_there() returns trigger language plpgsql as $$
begin
  perform from payment_contacts c where c.id in (select m.payment_contact_id from made m) order by c.id for key share;
  if exists (select from made m where not exists (
    select from payment_contacts c join payment_destinations d on d.payment_contact_id = c.id
    where c.id = m.payment_contact_id and d.id = m.destination_id and c.deleted_at is null and d.deleted_at is null
      and not d.pending)) then
    raise exception 'a payment to a contact or destination that is not there any more';
  end if;
  return null;
end
$$;
create trigger payments_have_payees after insert on payments referencing new table as made
  for each statement execute function payees_are_there();

create policy definer on payment_destinations to business_finance_definer using (true);
grant select on payment_destinations to business_finance_definer;

-- Which organization an id belongs to, told to its members only; nobody else learns that the id exists.
create or replace function locate(kind text, target uuid, person uuid)
returns table (organization_id uuid, role text, status text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select o.id, m.role, o.status
  from (select case kind
      when 'organization' then target
      when 'payment' then (select p.organization_id from payments p where p.id = target)
      when 'payment_contact' then (select c.organization_id from payment_contacts c where c.id = target)
      when 'payment_destination' then (select d.organization_id from payment_destinations d where d.id = target)
      when 'transaction' then (select t.organization_id from transactions t where t.id = target)
    end) owner (id)
  join organizations o on o.id = owner.id
  join members m on m.organization_id = o.id and m.user_id = person
$$;

-- Destinations whose coordinates are in the clear, or which another key than this one sealed or told apart.
create function destinations_to_seal(key text, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.id, d.organization_id from payment_destinations d
  where (after is null or d.id > after) and (d.details is not null or d.fingerprint is null
    or substring(d.fingerprint from 2 for get_byte(d.fingerprint, 0)) <> convert_to(key, 'UTF8')
    or substring(d.sealed from 2 for get_byte(d.sealed, 0)) <> convert_to(key, 'UTF8'))
  order by d.id limit batch
$$;

-- a function is handed over only to a role that may create in the schema
grant create on schema public to business_finance_definer;
alter function destinations_to_seal(text, uuid, integer) owner to business_finance_definer;
revoke create on schema public from business_finance_definer;
revoke execute on function destinations_to_seal(text, uuid, integer) from public;
grant execute on function destinations_to_seal(text, uuid, integer) to business_finance_app;

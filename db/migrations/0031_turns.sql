-- Long work of an organization, one piece at a time.

-- A process that has the turn of its organization in a queue of long work, or waits for it.
create table turns (
  process_id uuid primary key,
  workflow text not null,
  organization_id uuid not null,
  queue text not null check (queue in ('bills', 'heavy', 'documents')),
  since timestamptz not null default clock_timestamp(), -- who has waited longest is next
  until timestamptz -- system time; null: it waits. A holder that is not heard of by then has lost its turn
);
create index turns_held on turns (organization_id, queue) where until is not null;
create index turns_waiting on turns (organization_id, queue, since) where until is null;
call isolate('turns');
grant select, insert, update (until), delete on turns to business_finance_app;

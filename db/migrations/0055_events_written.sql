-- The order in which events are written: a transaction has its id before it waits for the lock of a subject, and a
-- number of this sequence after it.
create sequence events_written_seq;
grant usage on sequence events_written_seq to business_finance_app;

-- null: written before there was a number. The default is set afterwards, so that no row is rewritten.
alter table events add column written bigint;
alter table events alter column written set default nextval('events_written_seq');
alter sequence events_written_seq owned by events.written;

-- The snapshot in which all events that were visible got their place; its xmin is `xact`, or it does not count.
alter table event_chain_position add column seen pg_snapshot;

-- The longest time for which the event loop of a worker did not turn between its last two heartbeats; null from code
-- that does not measure it.
alter table worker_heartbeats add column event_loop_delay_ms integer;
grant update (event_loop_delay_ms) on worker_heartbeats to business_finance_app;

-- Sign-ins of members in the log of an organization that has a log stream: log_access().
grant select on sessions, security_events to business_finance_definer;
grant insert on events to business_finance_definer;
grant usage on sequence events_written_seq to business_finance_definer;
create index webhook_endpoints_streams on webhook_endpoints (organization_id) where kind <> 'webhook' and status <> 'deleted';

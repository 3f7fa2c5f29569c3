-- Log streams: events of an organization in the form of OCSF, for its SIEM. A stream is an endpoint of another kind.
alter table webhook_endpoints
  add column kind text not null default 'webhook' check (kind in ('webhook', 'https', 'syslog_tls'));

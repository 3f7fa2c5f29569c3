-- Endpoints that fail, of all organizations, are found without reading those that do not.
create index webhook_endpoints_failing on webhook_endpoints (failing_since)
  where status <> 'deleted' and (failures > 0 or status = 'disabled');

-- The last callback of a partner.
create index partner_callbacks_last on partner_callbacks (partner, received_at);

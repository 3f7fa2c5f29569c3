-- Limits find the payments and batches whose day lies in a period.
create index payment_schedules_starts on payment_schedules (organization_id, starts_at);

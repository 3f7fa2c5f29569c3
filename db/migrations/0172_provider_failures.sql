-- Sign-ins that an identity provider fails itself: their number since the last one that went well, in its own row.
alter table identity_providers
  add column failures integer not null default 0,
  add column failure text, -- why the last of them failed: a reason of `identity_provider_unusable`
  add column failed_at timestamptz, -- the last of them
  add column failing_since timestamptz; -- the first of them
grant update (failures, failure, failed_at, failing_since) on identity_providers to business_finance_app;

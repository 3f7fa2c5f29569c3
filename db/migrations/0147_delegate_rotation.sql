-- Delegates: another secret without a gap, a later end, and warnings before the end.

alter table delegates
  add column previous_secret_hash bytea unique, -- works until its successor is used
  add column previous_secret_expires_at timestamptz, -- or until then
  add column rotated_at timestamptz,
  add column extended_at timestamptz, -- when its present end was set; null: when it was made
  add column warned_days smallint; -- its person was warned this many days before its present end, or fewer
grant update (previous_secret_hash, previous_secret_expires_at, rotated_at, extended_at, expires_at, warned_days)
  on delegates to business_finance_app;
create index delegates_expiring on delegates (expires_at) where ended_at is null;

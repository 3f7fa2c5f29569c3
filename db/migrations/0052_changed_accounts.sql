-- Who brought an account by a bill, and since when a row of a draft is known to pay a changed one.

-- people who brought it by a bill that was to be paid, whatever the bill says since; null: no bill brought it
alter table payment_destinations add column brought_by uuid[];
grant update (brought_by) on payment_destinations to business_finance_app;

-- first submission that found the account of the row changed, which no destination has; null: none did
alter table payment_batch_rows add column account_seen_at timestamptz;
grant update (account_seen_at) on payment_batch_rows to business_finance_app;

-- Readings of partners' lists that are under way: a reading goes on where the last one ended, also by another worker.

alter table partner_lists
  add column reading_since timestamptz, -- start of the reading that is under way; null: none is
  add column reading_whole boolean, -- it began at the beginning of the list
  add column reading_after text, -- cursor of its next page; null: the beginning
  add column reading_quiet_until text; -- cursor before which nothing has changed for long
grant update (reading_since, reading_whole, reading_after, reading_quiet_until) on partner_lists to business_finance_app;

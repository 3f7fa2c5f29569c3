-- Filters of the feed that find little read little: each has an index in the order of the feed. They ascend, and are
-- read backward: a new row goes to the end of its group, which splits pages there. Descending, the same index of kinds
-- cost 271 B of WAL a row and not 134. A row of a payment costs 0.25 KB of WAL more than with one wide index, one of a
-- deposit 0.05 less.
--
-- Each says "not discarded" in words that the planner cannot derive from those of transactions_feed: whatever it knows
-- of the table, a filter reads its own index.

-- of each currency, type and direction; a feed has few of them, and each is looked up by itself
create index transactions_kinds on transactions (organization_id, currency, type, direction, feed_at, seq, id)
  include (amount) where coalesce(discarded_at, 'infinity') = 'infinity';
create index transactions_contact on transactions (payment_contact_id, feed_at, seq, id)
  where coalesce(discarded_at, 'infinity') = 'infinity' and payment_contact_id is not null;
create index transactions_category on transactions (organization_id, category, feed_at, seq, id)
  where coalesce(discarded_at, 'infinity') = 'infinity' and category is not null;
create index transactions_creator on transactions (organization_id, created_by, feed_at, seq, id)
  where coalesce(discarded_at, 'infinity') = 'infinity' and created_by is not null;

-- what has an index of its own need not stand in that of the whole feed; amounts do, and currencies for exports
create index transactions_feed_slim on transactions (organization_id, feed_at, seq, id)
  include (amount, currency, occurred_at) where discarded_at is null;
drop index transactions_feed;
alter index transactions_feed_slim rename to transactions_feed;

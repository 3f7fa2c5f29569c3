-- What was taken from a member stays taken when a provider lets them in again.
alter table former_members add column permissions_removed text[] not null default '{}'; -- as the membership ended
grant update (permissions_removed) on former_members to business_finance_app;

-- Permissions that were taken from a member: their role grants all others. Owners keep all.

alter table members add permissions_removed text[] not null default '{}'
  check (role <> 'owner' or permissions_removed = '{}');
grant update (permissions_removed) on members to business_finance_app;

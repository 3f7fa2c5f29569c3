-- Permissions that are taken from a person who joins by an invitation.

alter table invitations add permissions_removed text[] not null default '{}';

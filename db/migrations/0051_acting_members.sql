-- Requests of members who act for no other cost nothing more, and substitutions that are over are not read again.

-- Latest end of the substitutions in which the member is or was the substitute: before it they may act for others.
alter table members add column substitutes_until timestamptz;
grant update (substitutes_until) on members to business_finance_app;
update members m set substitutes_until = s.until
from (select organization_id, substitute_id, max(ends_at) as until from substitutions where ended_at is null group by 1, 2) s
where m.organization_id = s.organization_id and m.user_id = s.substitute_id;

drop index substitutions_substitute, substitutions_principal;
create index substitutions_substitute on substitutions (organization_id, substitute_id, ends_at) where ended_at is null;
create index substitutions_principal on substitutions (organization_id, user_id, ends_at) where ended_at is null;
create index substitutions_open on substitutions (organization_id, ends_at) where ended_at is null;

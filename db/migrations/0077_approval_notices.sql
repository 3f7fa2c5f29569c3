-- When people are mailed about requests that wait for them.

alter table people add column notify text not null default 'digest' check (notify in ('at_once', 'digest', 'daily'));
grant update (notify) on people to business_finance_app;

-- When a person was last mailed all that waits for them in an organization. A row is locked while mails are chosen.
alter table approval_reminders add column listed_at timestamptz not null default '-infinity';
grant update (listed_at) on approval_reminders to business_finance_app;

-- A request that a mail named to a person for the first time: it is new to them no more.
create table approval_notices (
  -- no foreign key: its check would wait for the step that has locked that approval and waits for this person
  approval_id uuid not null,
  user_id uuid not null references people,
  organization_id uuid not null references organizations,
  told_at timestamptz not null default business_now(),
  primary key (approval_id, user_id)
);
call isolate('approval_notices');
grant select, insert on approval_notices to business_finance_app;

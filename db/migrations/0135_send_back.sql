-- Requests for approval that are sent back to be changed.

alter table approvals
  add column sent_back boolean not null default false, -- rejected, so that it is changed and asked for again
  add column former_id uuid references approvals; -- the request sent back that this one follows
alter table approvals add check (not sent_back or status = 'rejected');
create index approvals_former on approvals (former_id) where former_id is not null; -- what followed a request
create index approvals_sent_back on approvals (organization_id, requester_id) where sent_back; -- attention of a person
grant update (sent_back) on approvals to business_finance_app;

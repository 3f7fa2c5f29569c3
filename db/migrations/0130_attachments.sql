-- Files that people attach to things: approvers see them, and sign their hashes.

alter table files drop constraint files_purpose_check;
alter table files add constraint files_purpose_check
  check (purpose in ('payment_batch', 'bill', 'export', 'invoice', 'onboarding', 'attachment'));
-- the attachments of a thing
create index files_attached on files (organization_id, owner_id) where purpose = 'attachment' and used_at is not null;
-- what the retention ends
create index files_attached_at on files (used_at) where purpose = 'attachment' and used_at is not null;

-- A subject changes with its attachments while it waits; what was approved before counts no more.
grant update (subject_body, subject_hash) on approvals to business_finance_app;
alter table voided_approvals drop constraint voided_approvals_reason_check;
alter table voided_approvals add constraint voided_approvals_reason_check
  check (reason in ('member_left', 'role_changed', 'subject_changed'));
grant update (used_at, purge_at) on files to business_finance_definer;

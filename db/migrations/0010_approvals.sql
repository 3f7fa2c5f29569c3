-- What waits for a decision, for whom, and what was decided.

-- The rules of an organization: which actions wait for whom. An approval keeps a copy of the rule that it was
-- requested under.
create table approval_policies (
  organization_id uuid primary key references organizations,
  rules jsonb not null,
  named_roles text[] not null, -- of all steps of all rules: who may review at all
  named_user_ids uuid[] not null,
  version integer not null default 1,
  updated_by uuid not null references people,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
);
call isolate('approval_policies', definer => 'writes');
grant select, insert, update (rules, named_roles, named_user_ids, version, updated_by, updated_at) on approval_policies
  to business_finance_app;
grant select on approval_policies to business_finance_definer;

-- What pending approvals require: the steps of the copied policy, who has approved each, and who may not. All
-- approvals that require the same share one row, so that what each person could decide is known without reading
-- approvals.
create table approval_waits (
  id uuid primary key, -- the first half of the SHA-256 of organization and wait
  organization_id uuid not null references organizations,
  wait jsonb not null,
  named_roles text[] not null,
  named_user_ids uuid[] not null,
  inserted_at timestamptz not null default business_now()
);
create index approval_waits_organization on approval_waits (organization_id);
call isolate('approval_waits', definer => 'writes');
grant select, insert on approval_waits to business_finance_app;
grant select, delete on approval_waits to business_finance_definer;

-- A request that waits for a decision, or was decided.
create table approvals (
  id uuid primary key,
  organization_id uuid not null references organizations,
  action_type text not null check (action_type in
    ('withdrawal', 'billing_invoice', 'payment_contact', 'organization_invitation', 'payment_batch')),
  target_type text not null check (target_type in ('crypto_outgoing', 'fiat_outgoing', 'internal_transfer',
    'billing_invoice', 'payment_contact', 'organization_invitation', 'payment_batch')),
  target_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  policy jsonb not null, -- the rule that applied when it was asked for; a later policy changes nothing here
  subject_body text not null, -- canonical JSON of what is asked for: amount and payee
  subject_hash text not null, -- the SHA-256 of it, which a step-up is bound to
  wait_id uuid not null references approval_waits, -- what it waits for, or waited for last
  summary text,
  requester_id uuid not null references people,
  approver_id uuid references people,
  rejection_reason text,
  expires_at timestamptz not null,
  processed_at timestamptz,
  next_reminder_at timestamptz,
  inserted_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now()
) with (fillfactor = 80);
create index approvals_list on approvals (organization_id, inserted_at desc, id desc);
-- newest first, and counted by wait without reading approvals
create index approvals_pending on approvals (organization_id, inserted_at desc, id desc)
  include (wait_id, expires_at) where status = 'pending';
-- of what waits for the same, newest first, and counted, without reading approvals
create index approvals_waiting on approvals (wait_id, inserted_at desc, id desc)
  include (organization_id, expires_at) where status = 'pending';
-- of a requester, newest first, and counted by wait without reading approvals
create index approvals_requested on approvals (organization_id, requester_id, inserted_at desc, id desc)
  include (wait_id, expires_at) where status = 'pending';
create index approvals_target on approvals (target_id);
create index approvals_wait on approvals (wait_id);
call isolate('approvals', definer => 'writes');
grant select, insert, update (status, wait_id, approver_id, rejection_reason, processed_at, next_reminder_at,
  updated_at) on approvals to business_finance_app;
grant select on approvals to business_finance_definer;

-- A decision, under the id that the API gave it: a repeat gets the recorded outcome.
create table approval_decisions (
  decision_id uuid primary key,
  organization_id uuid not null references organizations,
  approval_id uuid not null references approvals,
  decision text not null check (decision in ('approve', 'reject', 'cancel', 'expire')),
  user_id uuid references people,
  step_up_id uuid references step_ups,
  factor text,
  device_id uuid,
  comment text,
  approval_status text not null,
  step integer not null default 0, -- of an approval: the step that it was given for
  role text check (role in ('owner', 'admin', 'member')), -- of the person, when they decided
  occurred_at timestamptz not null default business_now()
);
create index approval_decisions_approval on approval_decisions (approval_id, occurred_at);
call isolate('approval_decisions');
grant select, insert on approval_decisions to business_finance_app;

-- An approval that no longer counts, because its approver left or has another role. Never taken back.
create table voided_approvals (
  decision_id uuid primary key references approval_decisions,
  organization_id uuid not null references organizations,
  approval_id uuid not null references approvals,
  reason text not null check (reason in ('member_left', 'role_changed')),
  inserted_at timestamptz not null default business_now()
);
create index voided_approvals_approval on voided_approvals (approval_id);
call isolate('voided_approvals');
grant select, insert on voided_approvals to business_finance_app;

-- When a person was last reminded of what waits for them in an organization.
create table approval_reminders (
  organization_id uuid not null references organizations,
  user_id uuid not null references people,
  sent_at timestamptz not null default business_now(),
  primary key (organization_id, user_id)
);
call isolate('approval_reminders');
grant select, insert, update (sent_at) on approval_reminders to business_finance_app;

-- Payments on a date: approved before, and made on their day.

alter table payments
  drop constraint payments_status_check,
  add constraint payments_status_check check (status in ('awaiting_approval', 'scheduled', 'submitted', 'processing',
    'on_hold', 'cancelling', 'succeeded', 'failed', 'reversed', 'cancelled'));
drop index payments_contact;
create index payments_contact on payments (payment_contact_id)
  where status in ('awaiting_approval', 'scheduled', 'submitted', 'processing', 'on_hold', 'cancelling');
-- those that wait for their day are few
create index payments_scheduled on payments (organization_id, inserted_at desc, id desc) where status = 'scheduled';

-- Day of a payment, or of a submitted batch, that was asked for on a date. Its instants are those of the time zone of the request.
create table payment_schedules (
  id uuid primary key, -- of the payment, or of the approval of the batch
  organization_id uuid not null references organizations,
  requested_on date not null,
  execute_on date not null, -- the day that counts: the business day
  time_zone text not null,
  starts_at timestamptz not null, -- 00:00 of the day
  tries timestamptz[] not null check (cardinality(tries) > 0), -- hours of the day at which it is tried
  max_deducting numeric check (max_deducting > 0), -- of one that exchanges: what it may cost on the day
  value_usd numeric check (value_usd >= 0), -- what is exchanged is worth so much, by the price of the day
  try_at timestamptz not null, -- the next try
  refused text, -- why the latest try did not pay
  failed_at timestamptz, -- when it was given up
  inserted_at timestamptz not null default business_now()
);
create index payment_schedules_failed on payment_schedules (organization_id, failed_at) where failed_at is not null;
call isolate('payment_schedules', definer => 'writes');
grant select, insert, update (try_at, refused, failed_at) on payment_schedules to business_finance_app;
grant select, update on payment_schedules to business_finance_definer;

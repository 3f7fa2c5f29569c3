-- External ids and metadata: what programs of an organization keep with a thing. An external id is unique in the
-- organization for each kind of thing; a deleted one frees it, a cancelled or failed one keeps it.

alter table payments add external_id text, add metadata jsonb not null default '{}';
create unique index payments_external_id on payments (organization_id, external_id) where external_id is not null;
grant update (external_id, metadata) on payments to business_finance_app;

alter table payment_contacts add external_id text, add metadata jsonb not null default '{}';
create unique index payment_contacts_external_id on payment_contacts (organization_id, external_id)
  where external_id is not null and deleted_at is null;
grant update (external_id, metadata) on payment_contacts to business_finance_app;

alter table payment_destinations add external_id text, add metadata jsonb not null default '{}';
create unique index payment_destinations_external_id on payment_destinations (organization_id, external_id)
  where external_id is not null and deleted_at is null;
grant update (external_id, metadata) on payment_destinations to business_finance_app;

alter table bills add external_id text, add metadata jsonb not null default '{}';
create unique index bills_external_id on bills (organization_id, external_id) where external_id is not null;
grant update (external_id, metadata) on bills to business_finance_app;

alter table invoices add external_id text, add metadata jsonb not null default '{}';
create unique index invoices_external_id on invoices (organization_id, external_id)
  where external_id is not null and deleted_at is null;
grant update (external_id, metadata) on invoices to business_finance_app;

alter table credit_notes add external_id text, add metadata jsonb not null default '{}';
create unique index credit_notes_external_id on credit_notes (organization_id, external_id)
  where external_id is not null and deleted_at is null;
grant update (external_id, metadata) on credit_notes to business_finance_app;

alter table payment_batches add external_id text, add metadata jsonb not null default '{}';
create unique index payment_batches_external_id on payment_batches (organization_id, external_id)
  where external_id is not null and deleted_at is null;
grant update (external_id, metadata) on payment_batches to business_finance_app;

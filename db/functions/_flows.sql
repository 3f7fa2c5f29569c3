-- `npm run docs:states` writes this file from the flows of domain/; `npm run check:rules` fails if it is not up to
-- date.

-- Whether a workflow drives the rows of a table.
create or replace function is_driven(named text) returns boolean
language sql immutable parallel safe
as $$
  select named in ('payments', 'payment_contacts', 'invitations', 'covers',
    'deposits', 'receiving_accounts', 'messages', 'payment_batches',
    'exports', 'bills', 'inbound_mails', 'invoices',
    'credit_notes', 'incoming_payments', 'subscriptions', 'accounting_connections',
    'accounting_sync_runs', 'webhook_endpoints', 'bank_files', 'onboardings',
    'screenings')
$$;
grant execute on function is_driven(text) to business_finance_definer;

-- Whether an invoice in this state is to be paid. A query sees the states themselves, and uses the partial indexes.
create or replace function is_open_invoice(state text) returns boolean
language sql immutable parallel safe
as $$
  select state in ('sent', 'finalized')
$$;
grant execute on function is_open_invoice(text) to business_finance_app, business_finance_definer;

-- Whether a payment has ended without having paid: no way leads out of these states.
create or replace function has_ended_unpaid(status text) returns boolean
language sql immutable parallel safe
as $$
  select status in ('failed', 'reversed', 'cancelled')
$$;
grant execute on function has_ended_unpaid(text) to business_finance_app, business_finance_definer;

-- Whether an organization is neither banned nor deleted.
create or replace function is_there(organization_status text) returns boolean
language sql immutable parallel safe
as $$
  select organization_status in ('active', 'paused')
$$;
grant execute on function is_there(text) to business_finance_app, business_finance_definer;

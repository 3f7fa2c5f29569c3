-- Forced row-level security: app sees and writes only rows of the organization that its transaction speaks for.
-- The definer role sees all, on just the tables its functions need.
-- The policies say `is not distinct from`, which no index serves: a row asked for by its id is found by its id, whatever
-- the planner believes of the size of an organization. Lists name the organization themselves, for the planner.

alter table organizations enable row level security;
alter table organizations force row level security;
create policy own on organizations using (id = current_organization()) with check (id = current_organization());
create policy definer on organizations to business_finance_definer using (true);
grant select on organizations to business_finance_definer;

do $$
declare
  name text;
begin
  foreach name in array array['members', 'events', 'event_chain', 'ledger_accounts', 'ledger_transfers', 'ledger_entries',
    'payment_contacts', 'payment_destinations', 'approvals', 'approval_decisions', 'payments', 'deposits', 'transactions']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own on %I using (organization_id is not distinct from current_organization())
      with check (organization_id is not distinct from current_organization())', name);
  end loop;
  foreach name in array array['members', 'events', 'event_chain', 'ledger_accounts', 'ledger_transfers', 'ledger_entries',
    'payment_contacts', 'approvals', 'payments', 'deposits', 'transactions']
  loop
    execute format('create policy definer on %I to business_finance_definer using (true) with check (true)', name);
    execute format('grant select on %I to business_finance_definer', name);
  end loop;
end
$$;

grant insert, update on ledger_accounts to business_finance_definer;
grant insert on ledger_transfers, ledger_entries, transactions, event_chain to business_finance_definer;
grant select, update on event_chain_position to business_finance_definer;

-- Row-level policies ask which organization it is once for a statement, and not while it is planned. In read() the setting
-- is made by the statement itself: the planner saw none yet, believed that next to no row is visible, and sorted a hundred
-- thousand of them. Where nothing is set, nothing is visible, as before.

alter policy own on organizations using (id = (select current_organization()));

do $$
declare
  name text;
begin
  foreach name in array array['api_keys', 'approval_decisions', 'deposits', 'event_chain', 'events', 'former_members',
    'invitations', 'ledger_accounts', 'ledger_entries', 'ledger_transfers', 'logos', 'members', 'payment_contacts',
    'payment_destinations', 'payments', 'transactions']
  loop
    execute format('alter policy own on %I using (organization_id is not distinct from (select current_organization()))', name);
  end loop;
end
$$;

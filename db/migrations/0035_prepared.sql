-- Delegates that prepare: what they ask for says so, and they decide nothing.
alter table delegates drop constraint delegates_access_check, add check (access in ('read', 'prepare'));
alter table approvals add column delegate_id uuid references delegates; -- that asked in the name of the requester

create index delegates_device on delegates (device_id);

-- A person approves or rejects on a device of theirs: refuse_delegates() knows those of delegates.
alter table approval_decisions add constraint decided_on_a_device
  check (decision not in ('approve', 'reject') or device_id is not null);

-- The audit of all books looks at who decided: service_integrity().
create policy definer on approval_decisions to business_finance_definer using (true);
grant select on approval_decisions to business_finance_definer;

drop function if exists delegate_of_session(uuid, timestamptz); -- it answers more now

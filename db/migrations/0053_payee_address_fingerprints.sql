-- Addresses by what approvals name of them: the approval of a contact shows the address that it is about.
create index payee_addresses_fingerprint on payee_addresses (organization_id, fingerprint);

-- Finds the versions of one organization: whether it ever paid under another name.
create index payers_organization on payers (organization_id);

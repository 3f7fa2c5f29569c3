-- Names of deposits at providers whose ids are no UUIDs.

-- A deposit of a provider by the UUID that we made of its id: what names it to the provider. It is nobody's yet.
create table partner_deposit_ids (
  connection text not null,
  id uuid not null,
  their_id text not null check (length(their_id) between 1 and 255),
  primary key (connection, id)
);
grant select, insert on partner_deposit_ids to business_finance_app;

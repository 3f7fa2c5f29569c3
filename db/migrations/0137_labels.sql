-- Labels of payments and transactions: values of dimensions, by which they are listed, exported and posted.

-- Keys of labels under their organization, so that one index finds those of one organization.
create function label_keys(organization uuid, labels jsonb) returns text[]
language sql immutable parallel safe
return array(select organization::text || ' ' || (l ->> 'dimension') || ':' || (l ->> 'value') from jsonb_array_elements(labels) l);
grant execute on function label_keys(uuid, jsonb) to business_finance_app, business_finance_definer;

alter table payments add labels jsonb not null default '[]';
grant update (labels) on payments to business_finance_app;
create index payments_labels on payments using gin (label_keys(organization_id, labels)) with (fastupdate = off) where labels <> '[]';

alter table transactions add labels jsonb not null default '[]';
grant update (labels) on transactions to business_finance_app;
create index transactions_labels on transactions using gin (label_keys(organization_id, labels)) with (fastupdate = off) where labels <> '[]';

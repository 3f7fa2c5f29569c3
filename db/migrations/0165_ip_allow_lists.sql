-- Networks from which credentials of an organization work, and the request of an owner to lift them.

alter table organizations
  add ip_allow_list jsonb check (jsonb_typeof(ip_allow_list -> 'cidrs') = 'array'
    and jsonb_typeof(ip_allow_list -> 'applies_to') = 'array'),
  add lift_requested_by uuid references people,
  add lift_requested_at timestamptz,
  add constraint organizations_lift_check check (
    (lift_requested_by is null) = (lift_requested_at is null)
    and (lift_requested_by is null or ip_allow_list is not null));
grant update (ip_allow_list, lift_requested_by, lift_requested_at) on organizations to business_finance_app;

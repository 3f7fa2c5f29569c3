-- What there is gets the id of its account, by fingerprint; the reconciler makes one of those that are one account.

-- For each organization as itself: an owner of the tables who is no superuser is bound by their policies, too.
do $$
declare
  organization uuid;
  organizations uuid[];
begin
  set local role business_finance_definer;
  organizations := array(select o.id from organizations o);
  reset role;
  foreach organization in array organizations loop
    perform set_config('app.organization_id', organization::text, true);
    insert into payee_accounts (organization_id, key, account_id)
    select organization, f.fingerprint, uuidv7() from (
      select d.fingerprint from payment_destinations d where d.organization_id = organization
      union select b.fingerprint from bills b where b.organization_id = organization and b.fingerprint is not null
      union select r.fingerprint from payment_batches b join payment_batch_rows r on r.payment_batch_id = b.id
        where b.organization_id = organization and r.fingerprint is not null
          and b.status in ('draft', 'importing', 'awaiting_approval', 'processing', 'cancelling')) f
    on conflict do nothing;
    update payment_destinations d set account_id = a.account_id from payee_accounts a
      where d.organization_id = organization and a.organization_id = organization and a.key = d.fingerprint;
    update bills b set account_id = a.account_id from payee_accounts a
      where b.organization_id = organization and a.organization_id = organization and a.key = b.fingerprint;
    update payment_batch_rows r set account_id = coalesce(
        (select d.account_id from payment_destinations d where d.id = r.destination_id),
        (select a.account_id from payee_accounts a where a.organization_id = organization and a.key = r.fingerprint))
      from payment_batches b where b.id = r.payment_batch_id and b.organization_id = organization
        and b.status in ('draft', 'importing', 'awaiting_approval', 'processing', 'cancelling')
        and (r.destination_id is not null or r.fingerprint is not null);
  end loop;
  perform set_config('app.organization_id', '', true);
end
$$;

create index payment_destinations_account on payment_destinations (organization_id, account_id);
create index bills_by_account on bills (account_id) where account_id is not null;
create index payment_batch_rows_account on payment_batch_rows (account_id) where payment_id is null and account_id is not null;

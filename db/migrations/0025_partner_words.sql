-- A callback names the version that it is about: what the partner said before that is not what it called about.

alter table payments add column called_version integer not null default -1;

create function note_payment_call(payment uuid, version integer)
returns table (organization_id uuid, status text, rail text)
language sql security definer set search_path = public, pg_temp
as $$
  update payments p
  set news = p.news + 1, called_version = greatest(p.called_version, note_payment_call.version), updated_at = business_now()
  where p.id = payment and p.rail <> 'svc_id'
  returning p.organization_id, p.status, p.rail
$$;

grant create on schema public to business_finance_definer; -- a function is handed over only to a role that may create
alter function note_payment_call(uuid, integer) owner to business_finance_definer;
revoke create on schema public from business_finance_definer;
revoke execute on function note_payment_call(uuid, integer) from public;
grant execute on function note_payment_call(uuid, integer) to business_finance_app;

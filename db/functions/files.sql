-- Files by signed links, and for the purge.

set local role business_finance_definer;

-- A file by its id, for a signed link; none of a banned or deleted organization.
create or replace function linked_file(file uuid)
returns table (organization_id uuid, purpose text, filename text, content_type text, byte_size bigint, stored_as uuid,
  sha256 text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select f.organization_id, f.purpose, f.filename, f.content_type, f.byte_size, f.stored_as, f.sha256
  from files f join organizations o on o.id = f.organization_id
  where f.id = linked_file.file and f.removed_at is null and is_there(o.status)
$$;
grant execute on function linked_file(uuid) to business_finance_app;

-- Files that are due to be purged, also those that an earlier purge did not finish. One that is not in use counts as
-- removed from now on: it cannot be claimed while its bytes are removed.
create or replace function files_to_purge(batch integer)
returns table (id uuid, organization_id uuid, stored_as uuid, removed boolean)
language sql security definer set search_path = public, pg_temp
as $$
  update files f
  set removed_at = case when f.used_at is null then coalesce(f.removed_at, business_now()) end
  where f.id = any (array(
    select d.id from files d where d.purge_at <= business_now()
    order by d.purge_at limit files_to_purge.batch for update skip locked))
  returning f.id, f.organization_id, f.stored_as, f.removed_at is not null
$$;
grant execute on function files_to_purge(integer) to business_finance_app;

-- Lets go of attachments that are older than the years of their retention; the purge removes their bytes.
create or replace function release_attachments(years integer)
returns table (id uuid)
language sql security definer set search_path = public, pg_temp
as $$
  update files f set used_at = null, purge_at = business_now()
  where f.purpose = 'attachment' and f.used_at is not null
    and f.used_at < business_now() - make_interval(years => release_attachments.years)
  returning f.id
$$;
grant execute on function release_attachments(integer) to business_finance_app;

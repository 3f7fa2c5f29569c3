-- Members who leave, logos, and a status that moves through transition(). Expand only.

-- Who is in an organization is what `members` says, and nothing beside it: no reader can forget a condition. What is left
-- of a membership that ended is where it stood, so that a list goes on from there; its story is in the events.
create table former_members (
  organization_id uuid not null references organizations,
  user_id uuid not null references people,
  role text not null check (role in ('owner', 'admin', 'member')),
  joined_at timestamptz not null,
  left_at timestamptz not null default business_now(),
  primary key (organization_id, user_id) -- of somebody who left twice, the last time
);
create index members_list on members (organization_id, joined_at desc, user_id desc);

alter table organizations add column updated_at timestamptz not null default business_now();

create table logos (
  id uuid primary key default gen_random_uuid(), -- not to be guessed: whoever has the address sees the picture
  organization_id uuid not null unique references organizations,
  image bytea not null, -- 512 × 512 webp
  inserted_at timestamptz not null default business_now()
);

do $$
declare
  name text;
begin
  foreach name in array array['former_members', 'logos']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own on %I using (organization_id is not distinct from current_organization())
      with check (organization_id is not distinct from current_organization())', name);
  end loop;
end
$$;
create policy definer on logos to business_finance_definer using (true);

grant select, insert, update on former_members to business_finance_app;
grant delete on members to business_finance_app;
grant select, insert, update, delete on logos to business_finance_app;
grant select on logos to business_finance_definer;

-- The bytes of a logo, for whoever has its address.
create function logo_image(logo uuid) returns bytea
language sql stable security definer set search_path = public, pg_temp
as $$
  select l.image from logos l join organizations o on o.id = l.organization_id
  where l.id = logo and o.status not in ('banned', 'deleted')
$$;

-- The logos of one person's organizations, as a list of these shows them.
create function logos_of(person uuid) returns table (organization_id uuid, id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select l.organization_id, l.id from members m join logos l on l.organization_id = m.organization_id
  where m.user_id = person
$$;

-- a function is handed over only to a role that may create in the schema
grant create on schema public to business_finance_definer;
alter function logo_image(uuid) owner to business_finance_definer;
alter function logos_of(uuid) owner to business_finance_definer;
revoke create on schema public from business_finance_definer;
revoke execute on function logo_image(uuid), logos_of(uuid) from public;
grant execute on function logo_image(uuid), logos_of(uuid) to business_finance_app;

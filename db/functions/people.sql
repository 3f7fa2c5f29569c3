-- The log of a person is append-only.

create or replace trigger security_events_are_immutable before update or delete or truncate on security_events
  execute function refuse_change();

set local role business_finance_definer;

-- Writes into the logs of organizations what they may know of the ways in of a member, if they have a log stream: sign-ins
-- and ends of sessions that see them, wrong proofs of a factor that could open one, at most ten a minute, and changes of
-- factors. What a session of another organization does is not theirs, nor what another one requires. The address of the browser stays in this log.
create or replace function log_access() returns trigger
language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off -- kept for a session, a plan of the time when there were few would read all of them
as $$
declare
  own sessions;
  verb constant text := case
    when new.type = 'sign_in.succeeded' then 'signed_in'
    when new.type = 'sign_in.failed' then 'sign_in_failed'
    when new.type = 'session.ended' then 'signed_out'
    when new.type in ('password.changed', 'password.reset') then 'password_changed'
    when new.type in ('authenticator.removed', 'passkey.removed', 'phone_number.removed', 'approval_device.removed',
      'factors.reset') then 'factor_removed'
    else 'factor_added' end;
begin
  if new.type = 'sign_in.failed' and 10 < (select count(*) from (
      select from security_events f where f.user_id = new.user_id and f.type = new.type
        and f.inserted_at > business_now() - interval '1 minute' limit 11) lately) then
    return null;
  end if;
  select s.* into own from sessions s where s.id = new.session_id;
  insert into events (organization_id, stream, subject_id, type, actor_kind, actor_user_id, cause, payload)
  select m.organization_id, 'members', new.user_id, 'member.' || verb, acts.kind,
    case when acts.kind = 'user' then new.user_id end, concat('security_event:', new.id, ':', m.organization_id),
    case verb -- canonical JSON: the members in their order
      when 'signed_in' then concat('{"breaks_glass":', to_json(own.breaks_glass and m.role = 'owner' and by_provider.wanted),
        ',"method":', to_json(new.details ->> 'method'), ',"session_id":', to_json(own.id), '}')
      when 'sign_in_failed' then concat('{"method":', to_json(new.details ->> 'method'), '}')
      when 'signed_out' then concat('{"reason":', to_json(case
          when new.details ->> 'reason' = 'authenticator_required' and not o.requires_authenticator then 'ended_by_service'
          else new.details ->> 'reason' end), ',"session_id":', to_json(own.id), '}')
      when 'password_changed' then concat('{"by_mail":', to_json(new.type = 'password.reset'), '}')
      else concat('{"factor":', to_json(split_part(new.type, '.', 1)), '}') end
  from members m
  join organizations o on o.id = m.organization_id and is_there(o.status)
  cross join lateral (select signs_in_by_provider(m.organization_id, m.user_id) as wanted offset 0) by_provider
  cross join (select case
    when verb = 'sign_in_failed' or (verb = 'signed_out' and new.details ->> 'reason' <> 'ended_by_person') then 'system'
    else 'user' end as kind) acts
  where m.user_id = new.user_id
    and exists (select from webhook_endpoints e
      where e.organization_id = m.organization_id and e.kind <> 'webhook' and e.status <> 'deleted')
    and case
      when verb in ('signed_in', 'signed_out') then own.delegate_id is null and case
        when own.company_id is null then not by_provider.wanted or (own.breaks_glass and m.role = 'owner')
        else own.company_id = m.organization_id end
      when verb = 'sign_in_failed' then not by_provider.wanted or m.role = 'owner'
      else true end
  order by m.organization_id;
  return null;
end
$$;
do $$
begin -- an owner who is no superuser makes a trigger of none but what they may execute
  if not (select rolsuper from pg_roles where rolname = session_user) then
    execute format('grant execute on function log_access() to %I', session_user);
  end if;
end
$$;

reset role;

create or replace trigger security_events_reach_organizations after insert on security_events for each row
  when (new.type in ('sign_in.succeeded', 'sign_in.failed', 'session.ended', 'password.changed', 'password.reset',
    'authenticator.added', 'authenticator.removed', 'recovery_codes.generated', 'passkey.added', 'passkey.removed',
    'phone_number.added', 'phone_number.removed', 'approval_device.added', 'approval_device.removed', 'factors.reset'))
  execute function log_access();

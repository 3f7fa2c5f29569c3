-- The log of a person is append-only.

create or replace trigger security_events_are_immutable before update or delete or truncate on security_events
  execute function refuse_change();

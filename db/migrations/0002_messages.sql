-- What the service sends to people; the sandbox mailbox reads it.

-- A mail or text message to a person; its content is sealed. The sandbox mailbox reads it.
create table messages (
  id uuid primary key default uuidv7(),
  recipient text not null,
  channel text not null check (channel in ('email', 'message')),
  sealed bytea, -- JSON of subject, text, token, code and url; emptied once it was delivered
  status text not null default 'mailbox'
    check (status in ('mailbox', 'queued', 'sent', 'failed', 'discarded')),
  attempts integer not null default 0,
  useless_from timestamptz, -- from then on it is not delivered any more
  ask_at timestamptz, -- when the mail server or the messenger is asked again; null is at once
  asks integer not null default 0, -- how often it was asked without anything new
  unclear_since timestamptz, -- since when nobody knows whether it took what it was asked for
  ask_note text, -- what the latest try came to
  sent_at timestamptz not null default business_now(),
  updated_at timestamptz not null default business_now(),
  check (sealed is not null or status in ('sent', 'failed'))
);
create index messages_recipient on messages (recipient, sent_at desc, id desc);
create index messages_recent on messages (sent_at desc, id desc);
create index messages_queued on messages (id) where status = 'queued';
create index messages_failed on messages (updated_at) where status = 'failed';
grant select, insert, update (status, sealed, attempts, ask_at, asks, unclear_since, ask_note, updated_at), delete on
  messages to business_finance_app;
grant select on messages to business_finance_definer;

-- What a sign-in proved, and what a mail alone opened.

-- How the session was signed in to; null: a delegate's, or one from before this column.
alter table sessions add column method text;
update sessions s set method = e.details ->> 'method' from security_events e
where s.ended_at is null and e.user_id = s.user_id and e.session_id = s.id and e.type = 'sign_in.succeeded';

-- When a mailed token last set the password.
alter table people add column password_reset_at timestamptz;
grant update (password_reset_at) on people to business_finance_app;
update people p set password_reset_at = e.inserted_at from password_resets r, security_events e
where r.user_id = p.id and r.used_at > business_now() - interval '1 day' and e.user_id = p.id
  and e.type = 'password.reset' and e.inserted_at > business_now() - interval '1 day';

-- Whether it releases a change of how its person proves who they are: then no mailed code stands in for a factor.
alter table step_ups add column weakens boolean not null default false;

-- The id by which other people know a device: with its id, its person signs in.
alter table devices add column public_id uuid not null default gen_random_uuid();

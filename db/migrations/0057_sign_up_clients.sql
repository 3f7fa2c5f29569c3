-- Hash of the secret of the client that signed up: from it alone the confirmation takes the password of the sign-up.
alter table sign_ups add column client_hash bytea; -- null: from before this column, or by an earlier release

-- From when a new authenticator confirms operations; null: at once. One that a password alone added waits for a day.
alter table authenticators add column counts_from timestamptz;
-- Whether a factor was proved in this sign-in before; then the authenticator that it sets up counts at once.
alter table sign_in_challenges add column proved boolean not null default false;

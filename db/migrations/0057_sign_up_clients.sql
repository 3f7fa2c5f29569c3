-- Hash of the secret of the client that signed up: from it alone the confirmation takes the password of the sign-up.
alter table sign_ups add column client_hash bytea; -- null: from before this column, or by an earlier release

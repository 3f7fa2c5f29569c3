-- What a passkey signed for a step-up, so that an auditor can verify it without the service.
alter table step_ups add column assertion jsonb; -- public_key (COSE), authenticator_data, signature: base64url; nonce
grant update (assertion) on step_ups to business_finance_app;
-- What the challenge of a step-up was hashed with; null for one that is random, or of an earlier release.
alter table webauthn_challenges add column nonce text;

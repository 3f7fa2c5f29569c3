-- What an approver confirms: the payment that browser and authenticator show, and what a passkey signed.
alter table step_ups
  add column payment jsonb, -- payee_name, currency, value
  add column client_data text; -- as the browser gave it, base64url
grant update (client_data) on step_ups to business_finance_app;

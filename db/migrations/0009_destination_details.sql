-- What it takes to pay outside the service: bank coordinates or a wallet's address, as they were given. They are stored
-- in the clear; sealing them at rest comes with the rails that use them.
alter table payment_destinations add column details jsonb
  check ((type = 'svc_id') = (details is null));

-- A sender of mails who was accepted for always may be forgotten.
grant delete on mail_senders to business_finance_app;

-- The refresh token that was replaced last: it comes again only as a copy, since the client used the one after it.
alter table delegates add column replaced_secret_hash bytea unique;
grant update (replaced_secret_hash) on delegates to business_finance_app;

-- Codes that were never changed into a token, whose delegates a sweep ends.
create index authorization_codes_unused on authorization_codes (expires_at) where used_at is null;

-- A refresh token that was used: again within seconds it gives the same successor, later it is a copy and ends its delegate.
create table used_refresh_tokens (
  token_hash bytea primary key,
  delegate_id uuid not null references delegates,
  organization_id uuid not null references organizations,
  salt bytea not null, -- the successor is the HMAC of this under the token, and is stored nowhere
  used_at timestamptz not null default business_now()
);
create index used_refresh_tokens_delegate on used_refresh_tokens (delegate_id);
call isolate('used_refresh_tokens', definer => 'writes');
grant select, insert on used_refresh_tokens to business_finance_app;
grant select, delete on used_refresh_tokens to business_finance_definer;

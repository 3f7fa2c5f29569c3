-- What a stand-in that speaks a provider's protocol knows of a payout or a deposit beside the books of all stand-ins.
alter table sandbox_payouts add column document jsonb;
alter table sandbox_deposits add column document jsonb;
alter table sandbox_accounts add column document jsonb;
grant update (document) on sandbox_payouts, sandbox_deposits, sandbox_accounts to business_finance_app;

-- The delegate that asked for a quote: who executes it pays what a delegate prepared.
alter table payment_quotes add column delegate_id uuid references delegates;

-- Papers that storage has lost: they wait for no key, and the reviewers ask for them again.
alter table onboarding_documents add column lost_at timestamptz;
grant update (lost_at) on onboarding_documents to business_finance_app;

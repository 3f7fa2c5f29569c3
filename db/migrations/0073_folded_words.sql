-- Words of invoices are folded as texts of other lists are: ł as l, and each place within words of scripts without blanks.

-- false: the release before has written words that are not of ASCII alone; the chores of each hour fold them
alter table invoice_words add column folded boolean not null default false;
grant update (folded) on invoice_words to business_finance_app;
grant update (words, folded) on invoice_words to business_finance_definer;
create index invoice_words_to_fold on invoice_words (invoice_id)
  where not folded and octet_length(words::text) <> length(words::text);

-- Search of invoices, their matching with incoming money, their mails and pages.

-- Words of a text in lower case and without accents, each once.
create or replace function words_of(plain text) returns tsvector
language sql immutable
as $$
  select array_to_tsvector(coalesce(array_agg(distinct left(w, 255)), '{}'))
  from regexp_split_to_table(plain, '[^[:alnum:]]+') w where w <> ''
$$;
grant execute on function words_of(text) to business_finance_app, business_finance_definer;

-- Words of an organization's invoices, each after the end of its id: the index has those of one organization together.
-- Words are folded, also without digraphs. Those of scripts without blanks are found from each of their signs on, by
-- twelve signs: 3,000 such places at most, so that they fit with half a megabyte of words.
create or replace function words_within(organization_id uuid, words tsvector) returns tsvector
language sql immutable
as $$
  select array_to_tsvector(array(
    select right(organization_id::text, 3) || s.spelled from unnest(tsvector_to_array(words)) u (word)
    cross join lateral (values (folded(u.word)), (without_digraphs(folded(u.word)))) s (spelled)
    union
    (select right(organization_id::text, 3) || substr(f.word, n, 12) from unnest(tsvector_to_array(words)) u (word)
      cross join lateral (select folded(u.word)) f (word) cross join generate_series(2, least(length(f.word), 40)) n
      where octet_length(u.word) <> length(u.word)
        and f.word ~ '[\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af]'
      limit 3000)))
$$;
grant execute on function words_within(uuid, tsvector) to business_finance_app, business_finance_definer;

-- Query for an organization's invoices with all these words, each as it is or folded. Each word is a query, such as inv:*.
create or replace function query_within(organization_id uuid, asked text[]) returns tsquery
language sql immutable
as $$
  select string_agg('(' || a.spelled || ')', ' & ')::tsquery from (
    select string_agg(distinct right(organization_id::text, 3) || s.word || coalesce(substring(u.word from ':\*$'), ''), ' | ')
      as spelled
    from unnest(asked) with ordinality u (word, place)
    cross join lateral (select folded(regexp_replace(u.word, ':\*$', ''))) f (word)
    cross join lateral (values (f.word), (without_digraphs(f.word)),
      (case when octet_length(f.word) <> length(f.word) then left(f.word, 12) end)) s (word)
    where s.word is not null group by u.place) a
$$;
grant execute on function query_within(uuid, text[]) to business_finance_app, business_finance_definer;

-- Its customer's name stays as it is until the transaction ends.
create or replace function word_invoice() returns trigger
language plpgsql
as $$
begin
  insert into invoice_words as w (invoice_id, organization_id, inserted_at, words, folded)
  select new.id, new.organization_id, new.inserted_at,
    case when new.deleted_at is null then words_within(new.organization_id, new.own_words || words_of(c.words)) else '' end,
    true
  from billing_contacts c where c.id = new.billing_contact_id for share of c
  on conflict (invoice_id) do update set words = excluded.words, folded = true where w.words <> excluded.words;
  return null;
end
$$;

create or replace trigger invoices_have_words after insert or update of own_words, billing_contact_id, deleted_at
  on invoices for each row execute function word_invoice();

-- Invoices are found by the name that their customer has now.
create or replace function reword_invoices() returns trigger
language plpgsql
as $$
declare
  theirs constant tsvector := words_of(new.words);
begin
  update invoice_words w set words = words_within(i.organization_id, i.own_words || theirs), folded = true
  from invoices i where i.billing_contact_id = new.id and i.deleted_at is null and w.invoice_id = i.id;
  return null;
end
$$;

create or replace trigger billing_contacts_reword_invoices after update of words on billing_contacts
  for each row when (old.words <> new.words) execute function reword_invoices();

-- What is left to be paid of an invoice if its discounts for early payment are taken: earlyOffers() of
-- domain/invoices/early-payment.ts, whatever the day. A discount that rounds to nothing is none.
create or replace function early_payables(total numeric, accepted numeric, credited numeric, allocated numeric, terms jsonb)
returns numeric[]
language sql immutable parallel safe
as $$
  select coalesce(array_agg(total - credited - less - allocated), '{}')
  from jsonb_array_elements(terms -> 'early_payment_discounts') d
  cross join lateral round((total - credited) * (d ->> 'percentage')::numeric * 0.01, scale(total)) less
  where coalesce(accepted, total) = total and less > 0
$$;
grant execute on function early_payables(numeric, numeric, numeric, numeric, jsonb)
  to business_finance_app, business_finance_definer;

-- What is asked for of an invoice after credit notes, less the discount for early payment that settled it.
create or replace function invoice_claim(total numeric, accepted numeric, credited numeric, settled_by text,
  percentage numeric) returns numeric
language sql immutable parallel safe
as $$
  select claim - case when settled_by = 'early_payment' and coalesce(accepted, total) = total
    then round(claim * percentage * 0.01, scale(total)) else 0 end
  from (select least(coalesce(accepted, total), total - credited) as claim) c
$$;
grant execute on function invoice_claim(numeric, numeric, numeric, text, numeric)
  to business_finance_app, business_finance_definer;

set local role business_finance_definer;

-- Folds the words that the release before has written, of ASCII alone excepted; returns of how many invoices.
create or replace function fold_invoice_words(batch integer) returns integer
language sql volatile security definer set search_path = public, pg_temp
as $$
  with unfolded as (
    select w.invoice_id from invoice_words w
    where not w.folded and octet_length(w.words::text) <> length(w.words::text) limit batch for no key update skip locked),
  done as (
    update invoice_words w set folded = true,
      words = case when i.deleted_at is null then words_within(i.organization_id, i.own_words || words_of(c.words)) else '' end
    from unfolded u, invoices i join billing_contacts c on c.id = i.billing_contact_id
    where w.invoice_id = u.invoice_id and i.id = u.invoice_id returning 1)
  select count(*)::integer from done
$$;
grant execute on function fold_invoice_words(integer) to business_finance_app;

-- Notes incoming money whose organization has open invoices in the currency, or said a moment ago that one was paid
-- elsewhere (see invoices_just_paid_elsewhere()): its run finds out which of them it pays. The statement that writes
-- rows of the feed calls this with their ids; other rows are passed over. The organization may be another one than the
-- transaction's, so the next sweep signals the run.
create or replace function note_incoming_payments(incoming uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off -- the rows are few and known by key, which the planner cannot see from arrays
  set plan_cache_mode = force_generic_plan -- a plan for each call costs ten times the call
as $$
declare
  payable uuid[];
begin
  payable := array(
    select t.id from transactions t
    where t.id = any (incoming) and t.direction = 'in' and t.status = 'posted' and t.type in ('deposit', 'payment')
      and (exists (select from invoices i where i.organization_id = t.organization_id and i.currency = t.currency
          and is_open_invoice(i.status))
        or exists (select from invoices i where i.organization_id = t.organization_id and i.currency = t.currency
          and i.paid_elsewhere_at > business_now() - interval '10 minutes')));
  if payable = '{}' then
    return;
  end if;
  insert into incoming_payments (id, organization_id)
  select t.id, t.organization_id from transactions t where t.id = any (payable)
  on conflict do nothing;
  perform wake(jsonb_agg(jsonb_build_object('id', p.id, 'workflow', 'incoming-payment',
    'organization_id', p.organization_id, 'status', p.status, 'why', 'posted')))
  from incoming_payments p where p.id = any (payable);
  update processes p set look_at = business_now() - interval '3 seconds' where p.id = any (payable);
end
$$;
grant execute on function note_incoming_payments(uuid[]) to business_finance_app;

-- The organization's open invoices that incoming money may pay: all that are named so, and some with this due amount,
-- or of a customer in whose name or words this one stands, with umlauts or digraphs. Row-level security keeps indexes of such things from being used.
create or replace function payable_invoices(of_currency text, keys text[], due numeric, payer_word text, most integer)
returns setof uuid
language sql stable security definer set search_path = public, pg_temp
  set enable_bitmapscan = on -- of several words, or keys, there is no other way
as $$
  (select i.id from invoices i
    where i.organization_id = current_organization() and i.currency = of_currency and is_open_invoice(i.status)
      and i.reference_keys && keys
    order by (least(coalesce(i.accepted_amount, i.total), i.total - i.credited) - i.allocated = due
      or due = any (early_payables(i.total, i.accepted_amount, i.credited, i.allocated, i.payment_terms))) desc limit 1000)
  union
  (select i.id from invoices i
    where i.organization_id = current_organization() and i.currency = of_currency and is_open_invoice(i.status)
      and least(coalesce(i.accepted_amount, i.total), i.total - i.credited) - i.allocated = due
    order by i.due_date limit most)
  union
  (select i.id from billing_contacts c join invoices i on i.billing_contact_id = c.id
    where c.organization_id = current_organization() and (c.words like '%' || payer_word || '%'
        or without_digraphs(folded(c.company_name)) like '%' || without_digraphs(folded(payer_word)) || '%')
      and i.organization_id = c.organization_id and i.currency = of_currency and is_open_invoice(i.status)
    order by i.due_date limit most)
$$;
grant execute on function payable_invoices(text, text[], numeric, text, integer) to business_finance_app;

-- Invoices that a person called paid elsewhere at most ten minutes before this money came, or after it, and that are
-- named so and lack exactly this amount, or this less a discount for early payment: the person may have meant this money, which was not in the books yet.
create or replace function invoices_just_paid_elsewhere(of_currency text, keys text[], due numeric, came timestamptz)
returns setof uuid
language sql stable security definer set search_path = public, pg_temp
  set enable_bitmapscan = on -- of several words, or keys, there is no other way
as $$
  select i.id from invoices i
  where i.organization_id = current_organization() and i.currency = of_currency
    and i.paid_elsewhere_at > came - interval '10 minutes' and i.reference_keys && keys
    and (least(coalesce(i.accepted_amount, i.total), i.total - i.credited) - i.allocated = due
      or due = any (early_payables(i.total, i.accepted_amount, i.credited, i.allocated, i.payment_terms)))
$$;
grant execute on function invoices_just_paid_elsewhere(text, text[], numeric, timestamptz) to business_finance_app;

-- Finds the newest invoices of the organization after this one with all these words: `enough` if they are among the newest
-- thousand, else up to `most`. Each word is a query. The index is slow for frequent words, so it serves rare ones.
create or replace function newest_invoices_with(asked text[], after uuid, enough integer, most integer)
returns table (ids uuid[], are_all boolean)
language plpgsql stable security definer set search_path = public, pg_temp
  set enable_bitmapscan = on -- of several words, or keys, there is no other way
  set plan_cache_mode = force_custom_plan -- organizations have very different numbers of invoices
as $$
declare
  close constant integer := 1000;
  own constant uuid := current_organization();
  whole constant tsquery := query_within(own, asked);
  rare tsquery;
  before timestamptz := 'infinity';
begin
  if after is null then
    after := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  else
    before := (select c.inserted_at from invoices c where c.id = after and c.organization_id = own);
  end if;
  with newest as materialized (
    select w.invoice_id, w.inserted_at, w.words from invoice_words w
    where w.organization_id = own and (w.inserted_at, w.invoice_id) < (before, after)
    order by w.inserted_at desc, w.invoice_id desc limit close),
  asked_each as materialized (
    select w, query_within(own, array[w]) as query from unnest(asked) w where cardinality(asked) > 1)
  select
    array(select n.invoice_id from newest n where n.words @@ whole
      order by n.inserted_at desc, n.invoice_id desc limit most),
    (select count(*) from newest) < close,
    (select query_within(own, array_agg(a.w)) from asked_each a
      where (select count(*) from newest n where n.words @@ a.query) < close / 10)
  into ids, are_all, rare;
  if not are_all and cardinality(ids) < enough then
    ids := array(
      with found as materialized (
        select w.invoice_id, w.inserted_at from invoice_words w
        where w.organization_id = own and w.words @@ coalesce(rare, whole)
          and (rare is null or (w.words @@ whole) is true) -- not by the index
          and (w.inserted_at, w.invoice_id) < (before, after))
      select f.invoice_id from found f order by f.inserted_at desc, f.invoice_id desc limit most);
    are_all := cardinality(ids) < most;
  elsif cardinality(ids) = most then
    are_all := false;
  end if;
  return next;
end
$$;
grant execute on function newest_invoices_with(text[], uuid, integer, integer) to business_finance_app;

-- Records how the latest try of a mail about an invoice or credit note ended. Answers which of them; no row if the
-- message is about something else.
create or replace function end_invoice_mail(message uuid, outcome text)
returns table (invoice_id uuid, organization_id uuid, credit_note_id uuid)
language sql security definer set search_path = public, pg_temp
as $$
  update invoice_mails m set status = outcome, updated_at = business_now()
  where m.message_id = message and m.status = 'queued'
  returning m.invoice_id, m.organization_id, m.credit_note_id
$$;
grant execute on function end_invoice_mail(uuid, text) to business_finance_app;

-- Invoices whose page another key than this one sealed, for rotation of keys.
create or replace function invoices_to_seal(head bytea, after uuid, batch integer)
returns table (id uuid, organization_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select i.id, i.organization_id from invoices i
  where (after is null or i.id > after) and substring(i.page_token_sealed for length(head)) <> head
  order by i.id limit batch
$$;
grant execute on function invoices_to_seal(bytea, uuid, integer) to business_finance_app;

-- Invoice of a public page, by the hash of its token; none of a banned or deleted organization.
create or replace function invoice_of_page(token_hash bytea) returns table (organization_id uuid, id uuid, profile text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select i.organization_id, i.id, i.profile from invoices i join organizations o on o.id = i.organization_id
  where i.page_token_hash = token_hash and is_there(o.status)
$$;
grant execute on function invoice_of_page(bytea) to business_finance_app;

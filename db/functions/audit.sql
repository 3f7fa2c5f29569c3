-- The proof of the books: of each organization, and of all together.

set local role business_finance_definer;

-- The kind of the clearing account of a connection, as clearingOf() of domain/rails.ts.
create or replace function clearing_of(rail text, connection text) returns text language sql immutable
as $$
  select case rail when 'fiat' then 'bank' when 'crypto' then 'custody' end
    || case when connection_of(rail, connection) = connection_of(rail, null) then '' else ':' || connection end
$$;

-- What is at connections beside those whose kinds of clearing accounts are named: balances of the books, and deposits
-- without an owner. Sums entries of the others alone.
create or replace function left_at_connections(known text[]) returns table (connection text, money text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select case a.kind when 'bank' then 'bank' when 'custody' then 'custodian' else split_part(a.kind, ':', 2) end,
    trim_scale(abs(sum(e.amount))) || ' ' || a.currency
  from ledger_accounts a join ledger_entries e on e.account_id = a.id
  where a.organization_id = '00000000-0000-0000-0000-000000000000' and a.kind ~ '^(bank|custody)(:|$)'
    and a.kind <> all (known)
  group by a.kind, a.currency having sum(e.amount) <> 0
  union all
  select u.partner, count(*) || ' unmatched deposits' from unmatched_deposits u
  where u.status in ('unmatched', 'returning') and clearing_of(u.rail, u.partner) <> all (known) group by 1
  order by 1, 2
$$;
grant execute on function left_at_connections(text[]) to business_finance_app;

-- Lists organizations that have books, in pages.
create or replace function audited_organizations(after uuid, batch integer) returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select a.organization_id from ledger_accounts a
  where a.organization_id > coalesce(after, '00000000-0000-0000-0000-000000000000')
  group by 1 order by 1 limit batch
$$;
grant execute on function audited_organizations(uuid, integer) to business_finance_app;

-- The proof for one organization: each violation names its check and what it found. One statement, so one instant.
create or replace function ledger_integrity()
returns table (entries bigint, transfers bigint, violations jsonb)
language sql stable security definer set search_path = public, pg_temp set work_mem = '64MB'
  set enable_seqscan = on set enable_bitmapscan = on -- it reads whatever there is
as $$
  with me as materialized (
    select current_organization() as id
  ), accounts as materialized (
    select a.* from ledger_accounts a where a.organization_id = (select id from me)
  ), entered as materialized (
    select e.*, a.currency, a.kind from ledger_entries e join accounts a on a.id = e.account_id
  ), unbalanced as (
    -- reported to the organization that moved the money
    select 'transfer_not_zero' as check, t.key as subject from ledger_transfers t
    left join ledger_entries e on e.transfer_id = t.id left join ledger_accounts a on a.id = e.account_id
    where t.organization_id = (select id from me) group by t.key, a.currency having coalesce(sum(e.amount), 1) <> 0
  ), balances as (
    select 'balance_differs_from_entries' as check, a.currency || ' ' || a.kind as subject from accounts a
    left join (select account_id, sum(amount) as amount, count(*) as entries from entered group by 1) e on e.account_id = a.id
    where a.balance <> coalesce(e.amount, 0) or a.seq <> coalesce(e.entries, 0)
  ), running as (
    select 'running_balance_wrong' as check, e.currency || ' ' || e.kind || ' #' || e.seq as subject
    from (select l.*, sum(l.amount) over account as expected, lag(l.posted_at) over account as before,
        lag(l.seq, 1, 0::bigint) over account as seq_before
      from entered l window account as (partition by l.account_id order by l.seq)) e
    where e.balance is distinct from e.expected or e.posted_at < e.before or e.seq <> e.seq_before + 1
  ), fed as materialized (
    select t.* from transactions t
    where t.organization_id = (select id from me) and t.status = 'posted'
  ), feed as (
    select 'feed_differs_from_ledger' as check,
      currency || ' ' || to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as subject
    from (select t.currency, t.posted_at, sum(case t.direction when 'in' then t.amount else -t.amount end) as amount
      from fed t group by 1, 2) f
    full join (select e.currency, e.posted_at, sum(e.amount) as amount from entered e group by 1, 2) b
      using (currency, posted_at)
    where coalesce(f.amount, 0) <> coalesce(b.amount, 0)
  ), feed_running as (
    -- rows of one posting may share their place, and say what is left after all of them
    select 'feed_balance_wrong' as check, t.id::text as subject from (
      select f.id, f.running_balance, sum(case f.direction when 'in' then f.amount else -f.amount end)
        over (partition by f.currency order by f.posted_at, f.seq) as expected from fed f) t
    where t.running_balance <> t.expected
  ), caused as (
    select 'out_without_cause' as check, t.id::text as subject from fed t
    where t.direction = 'out'
      and not exists (select from swaps s where s.id = t.swap_id and s.organization_id = t.organization_id)
      and not exists (select from payments p where p.id = t.payment_id and p.organization_id = t.organization_id)
      and not exists (select from subscription_changes c
        where c.transaction_id = t.id and c.organization_id = t.organization_id)
      and not exists (select from adjustments a where a.id = t.adjustment_id and a.organization_id = t.organization_id
        and a.status = 'confirmed' and a.available < 0)
  ), moved as materialized (
    select split_part(t.key, ':', 1) as noun, split_part(t.key, ':', 2) as id,
      coalesce(bool_or(split_part(t.key, ':', 3) = 'reserve'), false) as reserved,
      min(t.posted_at) filter (where split_part(t.key, ':', 3) = 'reserve') as reserved_at,
      coalesce(bool_or(split_part(t.key, ':', 3) = 'settle'), false) as settled,
      coalesce(bool_or(split_part(t.key, ':', 3) = 'release'), false) as released,
      coalesce(bool_or(split_part(t.key, ':', 3) = 'reverse'), false) as reversed,
      coalesce(bool_or(split_part(t.key, ':', 3) = 'receive'), false) as received,
      coalesce(bool_or(split_part(t.key, ':', 3) = 'credit'), false) as credited,
      coalesce(bool_or(split_part(t.key, ':', 3) = 'return'), false) as returned
    from ledger_transfers t where t.organization_id = (select id from me) group by 1, 2
  ), batches as materialized (
    -- a batch stands for its payments if what was approved is exactly the rows that it has
    select b.id, b.status, exists (select from approvals a where a.id = b.approval_request_id and a.status = 'approved'
        and a.target_type = 'payment_batch' and a.target_id = b.id
        and a.subject_hash = encode(sha256(convert_to(a.subject_body, 'UTF8')), 'hex')
        and a.subject_body::jsonb ->> 'sha256' = batch_rows_hash(b.id)) as approved
    from payment_batches b where b.organization_id = (select id from me)
      and b.status in ('processing', 'cancelling', 'completed', 'partially_completed', 'failed', 'cancelled')
      and (b.status <> 'cancelled' or b.rows_begun > 0)
  ), batch_rows as materialized (
    select r.*, b.status as batch_status, b.approved from batches b join payment_batch_rows r on r.payment_batch_id = b.id
  ), batch_payments as materialized (
    -- a row is paid by the one payment that it names, exactly as it was approved
    select p.id, r.id is not null as of_row, coalesce(r.approved and p.organization_id = r.organization_id
      and p.payment_batch_id = r.payment_batch_id and r.errors = '[]' and p.rail = r.rail and p.landing_amount = r.amount
      and p.landing_currency = r.currency and p.deducting_currency = r.currency
      and p.deducting_amount = r.amount + coalesce(r.fee_amount, 0) and p.fee_amount = coalesce(r.fee_amount, 0)
      and p.destination_name = r.payee and p.payout_reason = r.payout_reason
      and p.statement_description = r.statement_description
      and p.payee_organization_id is not distinct from r.payee_organization_id
      and p.payment_contact_id = coalesce(r.payment_contact_id, batch_row_part(r.id, 'contact'))
      and p.destination_id = coalesce(r.destination_id, batch_row_part(r.id, 'destination'))
      and p.payee_address_id is not distinct from case when r.address_fingerprint is null then r.payee_address_id
        else batch_row_part(r.id, 'address') end
      and exists (select from payment_destinations d where d.id = p.destination_id
        and d.payee_organization_id is not distinct from p.payee_organization_id), false) as proved
    from payments p left join batch_rows r on r.payment_id = p.id and p.id = batch_row_part(r.id, 'payment')
    where p.organization_id = (select id from me) and p.payment_batch_id is not null
  ), batches_wrong as (
    select 'batch_row_without_payment' as check, r.id::text as subject from batch_rows r
    where r.errors = '[]' and not exists (select from batch_payments p where p.id = r.payment_id)
      and (r.payment_id is not null or (r.status = 'valid' and r.batch_status not in ('processing', 'cancelling')))
    union all
    select 'payment_of_no_batch_row', p.id::text from batch_payments p where not p.of_row
  ), paid as materialized (
    select p.id::text as subject, p.status, p.approval_request_id, p.payment_batch_id is not null as of_batch,
      p.deducting_currency as currency,
      p.deducting_amount as amount, coalesce(m.reserved, false) as reserved, coalesce(m.settled, false) as settled,
      m.reserved_at, coalesce(m.released, false) as released, coalesce(m.reversed, false) as reversed
    from payments p left join moved m on m.noun = 'payment' and m.id = p.id::text
    where p.organization_id = (select id from me)
  ), payments_wrong as (
    select 'payment_without_approval' as check, p.subject from paid p
    left join approvals a on a.id = p.approval_request_id and a.status = 'approved' and a.target_id::text = p.subject
    left join batch_payments b on b.id::text = p.subject and b.proved
    where p.reserved and not case when p.of_batch then b.id is not null else a.id is not null end
    union all
    select 'payment_without_reserve', p.subject from paid p
    where not p.reserved and (p.settled or p.status not in ('awaiting_approval', 'scheduled', 'failed', 'cancelled'))
    union all
    -- what waits for its day holds no money, and nothing is held before that day begins
    select 'reserved_before_its_day', p.subject from paid p join payment_schedules s on s.id::text = p.subject
    where p.reserved and (p.status in ('awaiting_approval', 'scheduled') or p.reserved_at < s.starts_at)
    union all
    select 'scheduled_without_day', p.subject from paid p
    where p.status = 'scheduled' and not exists (select from payment_schedules s where s.id::text = p.subject)
    union all
    -- the address that the bank gets, what it said about the payee, and the payer are what was approved
    select w.wrong, p.id::text from payments p
    join approvals a on a.id = p.approval_request_id
    left join payee_addresses d on d.id = p.payee_address_id
    cross join lateral (select a.subject_body::jsonb as body) s
    cross join lateral (values
      (case when s.body ->> 'payee_address' is distinct from encode(d.fingerprint, 'hex') then 'payment_address_differs' end),
      (case when s.body -> 'payee_check' ->> 'id' is distinct from p.payee_check_id::text then 'payee_check_differs' end),
      (case when s.body ->> 'payer' is distinct from p.payer_id::text then 'payer_differs' end)
    ) w (wrong)
    where p.organization_id = (select id from me) and p.rail <> 'svc_id' and w.wrong is not null
    union all
    select 'settled_without_transfer', p.subject from paid p
    where p.status in ('succeeded', 'reversed') and not p.settled
    union all
    select 'transfer_without_settlement', p.subject from paid p
    where p.settled and p.status not in ('succeeded', 'reversed')
    union all
    select 'reversed_without_transfer', p.subject from paid p where (p.status = 'reversed') <> p.reversed
    union all
    select 'not_released', p.subject from paid p
    where p.reserved and (p.status in ('failed', 'cancelled')) <> p.released
    union all
    -- an account that the bank knows under another name is paid only if its requester took that on
    select 'payee_not_acknowledged', p.id::text from payments p join payee_checks k on k.id = p.payee_check_id
    where p.organization_id = (select id from me) and k.result in ('no_match', 'close_match')
      and not p.payee_acknowledged and p.status not in ('cancelled', 'failed')
    union all
    select 'transfer_of_no_payment', m.id from moved m
    where m.noun = 'payment' and not exists (select from paid p where p.subject = m.id)
  ), bills_wrong as (
    -- a bill that is being paid, or is paid, has one payment that has not ended otherwise, and each of these its bill
    select 'bill_without_payment' as check, b.id::text as subject from bills b
    where b.organization_id = (select id from me) and b.status = 'payment_requested'
      and not exists (select from payments p where p.id = b.payment_id and p.bill_id = b.id
        and p.organization_id = b.organization_id and not has_ended_unpaid(p.status))
    union all
    select 'payment_of_no_bill', p.id::text from payments p
    where p.organization_id = (select id from me) and p.bill_id is not null
      and not has_ended_unpaid(p.status) and not exists (select from bills b
        where b.id = p.bill_id and b.payment_id = p.id and b.organization_id = p.organization_id)
  ), allocated as materialized (
    select a.* from invoice_allocations a
    where a.organization_id = (select id from me) and a.taken_back_at is null
  ), invoices_wrong as (
    select 'allocated_differs' as check, i.id::text as subject from invoices i
    left join (select invoice_id, sum(amount) as amount from allocated group by 1) a on a.invoice_id = i.id
    where i.organization_id = (select id from me) and i.allocated <> coalesce(a.amount, 0)
    union all
    -- no money pays twice, and only what came in pays
    select 'transaction_over_allocated', a.transaction_id::text from allocated a
    left join fed t on t.id = a.transaction_id and t.direction = 'in'
    left join invoices i on i.id = a.invoice_id and i.currency = t.currency
    group by a.transaction_id, t.amount
    having sum(a.amount) > coalesce(t.amount, 0) or count(i.id) < count(*)
    union all
    select 'paid_without_allocation', i.id::text from invoices i
    where i.organization_id = (select id from me) and i.status = 'paid' and i.paid_elsewhere_at is null
      and i.allocated < least(coalesce(i.accepted_amount, i.total), i.total - i.credited) - case
        when i.settled_by = 'early_payment' and coalesce(i.accepted_amount, i.total) = i.total
        then round((i.total - i.credited) * i.early_percentage * 0.01, scale(i.total)) else 0 end
    union all
    select 'invoice_number_missing', missing::text from invoice_numbers n
    cross join lateral generate_series(1, n.last) missing
    where n.organization_id = (select id from me) and not exists (select from invoices i
      where i.organization_id = n.organization_id and i.sequence = missing)
    union all
    select 'invoice_number_not_given', i.id::text from invoices i
    left join invoice_numbers n on n.organization_id = i.organization_id
    where i.organization_id = (select id from me) and i.sequence > coalesce(n.last, 0)
    union all
    -- an invoice is credited by what its sent credit notes say, and by nothing else
    select 'credited_differs', i.id::text from invoices i
    left join (select invoice_id, sum(total) as amount from credit_notes c
      where c.organization_id = (select id from me) and c.status = 'sent' and c.deleted_at is null group by 1) c on c.invoice_id = i.id
    where i.organization_id = (select id from me) and i.credited <> coalesce(c.amount, 0)
    union all
    select 'credit_note_number_missing', missing::text from credit_note_numbers n
    cross join lateral generate_series(1, n.last) missing
    where n.organization_id = (select id from me) and not exists (select from credit_notes c
      where c.organization_id = n.organization_id and c.sequence = missing)
    union all
    select 'credit_note_number_not_given', c.id::text from credit_notes c
    left join credit_note_numbers n on n.organization_id = c.organization_id
    where c.organization_id = (select id from me) and c.sequence > coalesce(n.last, 0)
  ), held as (
    select 'held_differs_from_payments' as check, currency as subject
    from (select a.currency, a.balance from accounts a where a.kind = 'held') h
    full join (select p.currency, sum(p.amount) as amount from paid p
      where p.status in ('submitted', 'processing', 'on_hold', 'cancelling') group by 1) s using (currency)
    where coalesce(h.balance, 0) <> coalesce(s.amount, 0)
  ), deposits_wrong as (
    select case d.status when 'credited' then 'credited_without_transfer' when 'held' then 'held_without_transfer'
      else 'returned_without_transfer' end as check, d.id::text as subject
    from deposits d left join moved m on m.noun = 'deposit' and m.id = d.id::text
    where d.organization_id = (select id from me) and not coalesce(case d.status when 'credited' then m.credited and not m.returned
      when 'returned' then m.returned and not m.credited
      -- unmatched at first: received under another name
      else (coalesce(m.received, false) or exists (select from unmatched_deposits u where u.deposit_id = d.id))
        and not coalesce(m.credited or m.returned, false) end, false)
    union all
    select 'transfer_of_no_deposit', m.id from moved m
    where m.noun = 'deposit' and not exists (select from deposits d
      where d.id::text = m.id and d.organization_id = (select id from me))
  ), swaps_wrong as (
    select 'swap_without_transfer' as check, s.id::text as subject from swaps s
    left join moved m on m.noun = 'swap' and m.id = s.id::text
    where s.organization_id = (select id from me) and m.id is null
    union all
    select 'transfer_of_no_swap', m.id from moved m where m.noun = 'swap' and not exists (select from swaps s
      where s.id::text = m.id and s.organization_id = (select id from me))
  ), subscribed as materialized (
    select c.* from subscription_changes c where c.organization_id = (select id from me)
  ), subscriptions_wrong as (
    -- a change costs what its offer says: a month its price, the rest of one the difference for the days that are left
    select 'subscription_price_wrong' as check, c.id::text as subject from subscribed c
    join subscription_offers o on o.id = c.offer_id left join subscription_offers p on p.id = c.previous_offer_id
    -- compared times the days of the month: a division would round, and coins have 18 decimals
    where c.currency <> o.currency or coalesce(case c.charge when 'month' then c.amount <> o.amount when 'none' then c.amount <> 0
      else p.currency <> o.currency or c.effective_on < c.month_starts_on or 2 * power(10::numeric, scale(c.amount))
        * abs(c.amount * (c.month_ends_on - c.month_starts_on) - (o.amount - p.amount) * (c.month_ends_on - c.effective_on))
        > c.month_ends_on - c.month_starts_on end, true)
      or c.month_ends_on - c.month_starts_on not between 28 and 31
    union all
    -- it is paid by one transfer to the service and one row of the feed, and each of these is of a change
    select 'subscription_charge_differs', coalesce(c.id::text, b.id) from (select * from subscribed where amount > 0) c
    full join (
      select split_part(t.key, ':', 2) as id, e.amount, a.currency
      from ledger_transfers t join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id
      where t.organization_id = (select id from me) and starts_with(t.key, 'subscription:') and a.kind = 'subscriptions') b
      on b.id = c.id::text and b.amount = c.amount and b.currency = c.currency
    where c.id is null or b.id is null
    union all
    select 'subscription_charge_not_in_feed', c.id::text from subscribed c
    where c.amount > 0 and not exists (select from fed t where t.id = c.transaction_id and t.type = 'subscription'
      and t.direction = 'out' and t.amount = c.amount and t.currency = c.currency)
    union all
    -- present, scheduled and renewed offers were each selected by a person
    select 'subscription_offer_not_selected', had.subject from (
      select s.id as subscription_id, s.offer_id, s.id::text as subject from subscriptions s
      where s.organization_id = (select id from me)
      union all
      select s.id, s.scheduled_offer_id, s.id::text from subscriptions s
      where s.organization_id = (select id from me) and s.scheduled_offer_id is not null
      union all
      select c.subscription_id, c.offer_id, c.id::text from subscribed c where c.operation = 'renewed') had
    where not exists (select from subscribed c where c.subscription_id = had.subscription_id and c.offer_id = had.offer_id
      and c.operation <> 'renewed')
    union all
    -- each month is paid, and no day twice
    select 'subscription_month_not_paid', s.id::text from subscriptions s
    where s.organization_id = (select id from me) and not exists (select from subscribed c where c.subscription_id = s.id
      and c.charge = 'month' and c.month_starts_on = s.month_starts_on and c.month_ends_on = s.month_ends_on)
    union all
    select 'subscription_month_paid_twice', c.id::text from (
      select m.id, m.month_starts_on, lag(m.month_ends_on) over (partition by m.subscription_id order by m.month_starts_on) as before
      from subscribed m where m.charge = 'month') c
    where c.month_starts_on < c.before
  ), adjusted as (
    -- what two operators have decided was booked, and nothing else under its name
    select distinct 'adjustment_differs' as check, id as subject from (
      select a.id::text as id, l.kind, l.currency, sum(l.amount) as amount
      from adjustments a left join payments p on p.id = a.payment_id left join deposits d on d.id = a.deposit_id,
        lateral (values
          (clearing_of(coalesce(p.rail, d.rail), coalesce(p.connection, d.connection)), a.currency, a.clearing),
          ('receivable', a.currency, a.receivable), ('payable', a.currency, a.payable),
          ('available', a.currency, a.available), ('available', p.deducting_currency, a.refunded_fee),
          ('fees', p.deducting_currency, -a.refunded_fee)) l (kind, currency, amount)
      where a.organization_id = (select id from me) and a.status = 'confirmed'
      group by 1, 2, 3 having sum(l.amount) <> 0) decided
    full join (
      select split_part(t.key, ':', 2) as id, b.kind, b.currency, e.amount
      from ledger_transfers t join ledger_entries e on e.transfer_id = t.id join ledger_accounts b on b.id = e.account_id
      where t.organization_id = (select id from me) and starts_with(t.key, 'adjustment:')) booked using (id, kind, currency)
    where decided.amount is distinct from booked.amount
  ), reversals as materialized (
    select split_part(t.key, ':', 2) as id,
      -sum(e.amount) filter (where split_part(a.kind, ':', 1) in ('bank', 'custody')) as taken,
      coalesce(sum(e.amount) filter (where split_part(a.kind, ':', 1) = 'charges'), 0) as kept,
      coalesce(sum(e.amount) filter (where a.kind = 'available'), 0) as given
    from ledger_transfers t join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id
    where t.organization_id = (select id from me) and starts_with(t.key, 'payment:') and split_part(t.key, ':', 3) = 'reverse'
    group by 1
  ), charges_wrong as (
    -- a reversal takes back what had left: what came back of it is the organization's, the rest was kept as a charge
    select 'return_differs' as check, p.id::text as subject
    from payments p join reversals r on r.id = p.id::text
    left join partner_charges c on c.payment_id = p.id and c.name = 'kept'
    left join fed t on t.payment_id = p.id and t.type = 'reversal' and t.adjustment_id is null
    cross join lateral (select p.landing_amount - coalesce(p.returned_amount, p.landing_amount) as kept) k
    where p.organization_id = (select id from me) and (r.taken <> p.landing_amount or r.kept <> k.kept
      or coalesce(c.amount, 0) <> k.kept or (t.id is null) <> (k.kept = p.landing_amount) or coalesce(t.amount, 0) <> r.given
      or (t.id is not null and coalesce(t.charges_amount, 0) <> k.kept)
      or (p.landing_currency = p.deducting_currency and r.given + k.kept <> p.landing_amount))
    union all
    -- each charge of a partner was booked, and nothing else under its name
    select distinct 'charge_differs', id from (
      select c.id::text as id, l.kind, c.currency, l.amount
      from partner_charges c, lateral (values ('charges:' || c.connection, -c.amount), ('clearing', c.amount)) l (kind, amount)
      where c.organization_id = (select id from me)) charged
    full join (
      select split_part(t.key, ':', 2) as id, a.currency, e.amount,
        case when split_part(a.kind, ':', 1) in ('bank', 'custody') then 'clearing' else a.kind end as kind
      from ledger_transfers t join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id
      where t.organization_id = (select id from me) and starts_with(t.key, 'charge:')) booked using (id, kind, currency)
    where charged.amount is distinct from booked.amount
  ), elsewhere as (
    -- money of a payment or deposit, and what is charged for it, moves at the connection that has it
    select distinct 'moved_at_another_connection' as check, t.key as subject
    from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
    join ledger_accounts a on a.id = e.account_id and a.kind ~ '^(bank|custody)(:|$)'
    left join partner_charges c on split_part(t.key, ':', 1) = 'charge' and c.id::text = split_part(t.key, ':', 2)
    left join payments p on p.id::text = case split_part(t.key, ':', 1) when 'payment' then split_part(t.key, ':', 2)
      else c.payment_id::text end
    left join deposits d on split_part(t.key, ':', 1) = 'deposit' and d.id::text = split_part(t.key, ':', 2)
    where t.organization_id = (select id from me) and (p.id is not null or d.id is not null)
      and a.kind is distinct from clearing_of(coalesce(p.rail, d.rail), coalesce(p.connection, d.connection))
  ), all_violations as (
    select * from unbalanced union all select * from balances union all select * from running
    union all select * from feed union all select * from feed_running union all select * from caused
    union all select * from payments_wrong union all select * from batches_wrong union all select * from bills_wrong
    union all select * from invoices_wrong
    union all select * from held union all select * from subscriptions_wrong
    union all select * from deposits_wrong union all select * from swaps_wrong union all select * from adjusted
    union all select * from charges_wrong
    union all select * from elsewhere
  )
  select (select count(*) from entered), (select count(distinct e.transfer_id) from entered e),
    coalesce((select jsonb_agg(jsonb_build_object('check', v.check, 'subject', v.subject))
      from (select * from all_violations order by 1, 2 limit 1000) v), '[]')
$$;
grant execute on function ledger_integrity() to business_finance_app;

-- The proof of all books together: nothing came from nowhere, suspense holds what waits there and nothing else, our own
-- position is what is not covered yet, and nobody who is gone has money.
create or replace function service_integrity() returns table (check_name text, subject text)
language sql stable security definer set search_path = public, pg_temp
  set enable_seqscan = on set enable_bitmapscan = on -- it reads whatever there is
as $$
  with outside as materialized (
    select a.currency, a.kind, sum(e.amount) as amount from ledger_accounts a join ledger_entries e on e.account_id = a.id
    where a.organization_id = '00000000-0000-0000-0000-000000000000' group by 1, 2
  )
  select 'currency_not_zero', currency from (
    select currency, amount from outside
    union all
    select a.currency, a.balance from ledger_accounts a where a.organization_id <> '00000000-0000-0000-0000-000000000000') s
  group by currency having sum(amount) <> 0
  union all
  select 'suspense_differs', currency from (select currency, amount from outside where kind = 'suspense') s
  full join (
    select currency, sum(amount) as amount from (
      select d.currency, d.amount from deposits d where d.status = 'held'
      union all
      select u.currency, u.amount from unmatched_deposits u where u.status in ('unmatched', 'returning')) w group by 1) w using (currency)
  where coalesce(s.amount, 0) <> coalesce(w.amount, 0)
  union all
  -- what nobody owns yet is at the connection that has it
  select distinct 'moved_at_another_connection', t.key from unmatched_deposits u,
    lateral (
      select f.* from ledger_transfers f where f.key in ('unmatched:' || u.id || ':receive', 'unmatched:' || u.id || ':return')) t
    join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id and a.kind ~ '^(bank|custody)(:|$)'
  where a.kind <> clearing_of(u.rail, u.partner)
  union all
  select 'fx_position_open', currency from (select currency, amount from outside where kind = 'fx') p
  full join (
    select o.currency, sum(o.amount) as amount from covers c,
      lateral (values (c.sell_currency, c.sell_amount), (c.buy_currency, -c.buy_amount)) o (currency, amount)
    where c.status = 'open' group by 1) w using (currency)
  where coalesce(p.amount, 0) <> coalesce(w.amount, 0)
  union all
  -- what the rates desk has traded, or operators have dealt, was booked, and nothing else under the name of a cover
  select distinct 'cover_differs', id from (
    select c.id::text as id, l.kind, l.currency, l.amount from (
      select o.*, coalesce(o.sold_amount, o.sell_amount) as sold, coalesce(o.bought_amount, o.buy_amount) as bought,
        case when coalesce(o.connection, 'rates') = 'rates' then 'desk' else 'desk:' || o.connection end as desk
      from covers o where o.status = 'covered') c,
    lateral (values ('fx', c.sell_currency, -c.sell_amount), (c.desk, c.sell_currency, c.sold),
      (c.desk, c.buy_currency, -c.bought), ('fx', c.buy_currency, c.buy_amount),
      ('fx_result', c.sell_currency, c.sell_amount - c.sold), ('fx_result', c.buy_currency, c.bought - c.buy_amount))
      l (kind, currency, amount)
    where l.amount <> 0) traded
  full join (
    select split_part(t.key, ':', 2) as id, b.kind, b.currency, e.amount
    from ledger_transfers t join ledger_entries e on e.transfer_id = t.id join ledger_accounts b on b.id = e.account_id
    where starts_with(t.key, 'cover:')) booked using (id, kind, currency)
  where traded.amount is distinct from booked.amount
  union all
  -- what a desk owes us, and our result, come from covers alone
  select distinct 'desk_of_no_cover', t.key from ledger_accounts b join ledger_entries e on e.account_id = b.id
  join ledger_transfers t on t.id = e.transfer_id
  where (b.kind in ('desk', 'fx_result') or starts_with(b.kind, 'desk:')) and not starts_with(t.key, 'cover:')
  union all
  -- a dealing is the sum of its covers, and they were booked with their shares
  select 'dealing_differs', w.id::text from (
    select coalesce(c.dealing_id, d.dealing_id) as id from (select o.* from covers o where o.dealing_id is not null) c
    full join (
      select s.* from dealt_covers s join covers o on o.id = s.cover_id where s.confirmed and o.status = 'covered') d
      on d.cover_id = c.id
    where (c.dealing_id, c.sold_amount, c.bought_amount) is distinct from (d.dealing_id, d.sold_amount, d.bought_amount)
    union
    select g.id from cover_dealings g
    join dealt_covers d on d.dealing_id = g.id join covers c on c.id = d.cover_id
    where g.confirmed_at is not null
    group by g.id having sum(case c.sell_currency when g.sold_currency then d.sold_amount else -d.bought_amount end)
        <> g.sold_amount
      or sum(case c.sell_currency when g.sold_currency then d.bought_amount else -d.sold_amount end)
        <> g.bought_amount) w
  union all
  select 'transfer_not_zero', t.key from ledger_transfers t
  join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id
  where t.organization_id = '00000000-0000-0000-0000-000000000000'
  group by t.key, a.currency having sum(e.amount) <> 0
  union all
  -- what organizations owe, and what was paid outside for them
  select 'adjustments_differ', currency || ' ' || kind
  from (select currency, kind, amount from outside where kind in ('receivable', 'payable')) s
  full join (
    select a.currency, l.kind, sum(l.amount) as amount
    from adjustments a, lateral (values ('receivable', a.receivable), ('payable', a.payable)) l (kind, amount)
    where a.status = 'confirmed' group by 1, 2) d using (currency, kind)
  where coalesce(s.amount, 0) <> coalesce(d.amount, 0)
  union all
  -- what partners have taken beside what they kept from returns is what the service has borne
  select 'charges_differ', kind || ' ' || currency
  from (select currency, kind, amount from outside where split_part(kind, ':', 1) = 'charges') s
  full join (
    select 'charges:' || c.connection as kind, c.currency, -sum(c.amount) filter (where c.name <> 'kept') as amount
    from partner_charges c group by 1, 2) d using (currency, kind)
  where coalesce(s.amount, 0) <> coalesce(d.amount, 0)
  union all
  -- what came back, or arrived, after the organization was gone: nobody can use it
  select 'money_of_nobody', o.id::text from organizations o
  where o.status = 'deleted' and (exists (select from ledger_accounts a where a.organization_id = o.id and a.balance <> 0)
    or exists (select from deposits d where d.organization_id = o.id and d.status = 'held'))
  union all
  -- delegates prepare: the device of a decision is one of a person
  select 'decided_by_delegate', d.approval_id::text from approval_decisions d join delegates g on g.device_id = d.device_id
  where d.decision in ('approve', 'reject')
  union all
  -- a person counts once for an approval, in whatever capacity
  select distinct 'person_counted_twice', c.approval_id::text from (
    select d.approval_id, p.person from approval_decisions d, lateral (values (d.user_id), (d.on_behalf_of)) p (person)
    where d.decision = 'approve' and p.person is not null
      and not exists (select from voided_approvals v where v.decision_id = d.decision_id)) c
  group by c.approval_id, c.person having count(*) > 1
  union all
  -- the requester approves only where the rule lets them, and never as a substitute
  select distinct 'approved_by_requester', d.approval_id::text from approval_decisions d
  join approvals a on a.id = d.approval_id
  where d.decision = 'approve' and (
    (not (a.policy ->> 'self_approval')::boolean and a.requester_id in (d.user_id, d.on_behalf_of))
    or (d.on_behalf_of is not null and d.user_id = a.requester_id))
  union all
  -- who decided on behalf of another was their substitute then
  select 'decided_without_substitution', d.decision_id::text from approval_decisions d
  where d.on_behalf_of is not null and not exists (
    select from substitutions s
    where s.id = d.substitution_id and s.organization_id = d.organization_id and s.user_id = d.on_behalf_of
      and s.substitute_id = d.user_id and s.starts_at <= d.occurred_at and s.ends_at > d.occurred_at
      and (s.ended_at is null or s.ended_at >= d.occurred_at))
  union all
  -- another person than the one who added an account confirmed it
  select 'confirmed_by_changer', k.destination_id::text from account_callbacks k
  join payment_destinations d on d.id = k.destination_id where k.confirmed_by = d.created_by
  union all
  -- a payment that was sent, or waits for its day, was approved by a person with a proof
  select 'moved_without_person', p.id::text from payments p
  where p.status in ('scheduled', 'submitted', 'processing', 'succeeded', 'reversed') and not exists (
    select from approval_decisions d
    where d.approval_id = coalesce(p.approval_request_id,
        (select b.approval_request_id from payment_batches b where b.id = p.payment_batch_id)) and d.decision = 'approve' and d.step_up_id is not null)
$$;
grant execute on function service_integrity() to business_finance_app;

-- Lists open findings of all organizations for operators, without personal data.
create or replace function open_findings(most integer)
returns table (organization_id uuid, kind text, check_name text, subject text, found_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select f.organization_id, f.kind, f.check_name, f.subject, f.found_at from audit_findings f where f.resolved_at is null
  union all
  select null, s.kind, s.check_name, s.subject, s.found_at from service_findings s where s.resolved_at is null
  order by 5 desc limit most
$$;
grant execute on function open_findings(integer) to business_finance_app;

-- Counts open findings by kind.
create or replace function count_findings()
returns table (kind text, findings bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  select f.kind, count(*) from (
    select a.kind from audit_findings a where a.resolved_at is null
    union all select s.kind from service_findings s where s.resolved_at is null) f group by 1
$$;
grant execute on function count_findings() to business_finance_app;

-- Counts organizations that the audit has stopped.
create or replace function count_stopped_books() returns bigint
language sql stable security definer set search_path = public, pg_temp
as $$ select count(*) from organizations o where o.books_stopped_at is not null $$;
grant execute on function count_stopped_books() to business_finance_app;

-- Lists organizations with open findings of a kind whose check begins with the prefix.
create or replace function organizations_with_findings(of_kind text, prefix text) returns table (id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select distinct f.organization_id from audit_findings f
  where f.kind = of_kind and f.resolved_at is null and starts_with(f.check_name, prefix)
$$;
grant execute on function organizations_with_findings(text, text) to business_finance_app;

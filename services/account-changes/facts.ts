/** Facts about the account that a payee is to be paid at: one expression of SQL, for every place that decides. */
import type { ChangeFacts } from '../../domain/account-changes/change.ts'
import type { BillId } from '../../domain/ids.ts'
import { hasGoneOut, instantText } from '../../db/postgres/fragments.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'
import {
  LONGEST_CHANGE_DAYS,
  NO_SUPPLIER,
  type SupplierKeys,
  isPaid,
  selectPaidSupplier,
  selectSupplierKeys,
  supplierOf,
  usableAt,
} from './suppliers.ts'

/**
 * Selects the destinations that payments name `t` by its looks, each once: a loose scan of the index, which skips from
 * one to the next however many payments there are.
 */
const selectNamed = ({ organizationId }: Pick<Reader, 'organizationId'>): Fragment => {
  const next = (after: Fragment) => sql`
    (select p.destination_id from payments p where p.organization_id = ${organizationId} and p.payee_key = t.name_key
      and p.bill_id is null ${after} order by p.destination_id limit 1)`
  return sql`
    select n.destination_id from t cross join lateral (
      with recursive step (destination_id) as (
        select ${next(sql``)}
        union all
        select ${next(sql`and p.destination_id > step.destination_id`)} from step where step.destination_id is not null)
      select step.destination_id from step where step.destination_id is not null) n
    where t.name_key is not null`
}

/** Selects the accounts that the payee `t` was paid at: of the contact, and of those known by tax id or name alone. */
const selectPaid = ({ organizationId }: Pick<Reader, 'organizationId'>, isOfBill: boolean): Fragment => sql`
  select e.account_id, e.id as destination_id, ${usableAt(sql`e`)} as usable_at, f.inserted_at as first_at,
    l.inserted_at as last_at
  from (select e.id from t join payment_destinations e on e.payment_contact_id = t.contact_id
    union select n.destination_id from (${selectNamed({ organizationId })}) n) own
  join payment_destinations e on e.id = own.id
  cross join t
  cross join lateral (select p.inserted_at from payments p where p.destination_id = e.id and ${isPaid(sql`p`, sql`t`)}
    order by p.inserted_at limit 1) f
  cross join lateral (select p.inserted_at from payments p where p.destination_id = e.id and ${isPaid(sql`p`, sql`t`)}
    order by p.inserted_at desc limit 1) l
  union all
  ${selectPaidSupplier(organizationId, sql`t`, isOfBill)}`

/** Selects what goes to the account of `t` within its hours, paid or not yet: payments, and rows of batches under way. */
const selectWithin = ({ organizationId }: Pick<Reader, 'organizationId'>): Fragment => sql`
  select q.amount, q.currency from t cross join waiting
  join payment_destinations e on e.organization_id = ${organizationId} and e.account_id = t.account_id
  cross join lateral (select p.landing_amount as amount, p.landing_currency as currency from payments p
    where p.destination_id = e.id and not has_ended_unpaid(p.status) and p.inserted_at >= waiting.since
      and p.id is distinct from t.payment_id and ${countsBefore(sql`t`, sql`p`)} offset 0) q
  where waiting.counts
  union all
  select r.amount, r.currency from t cross join waiting
  join payment_batches b on b.organization_id = ${organizationId} and b.id is distinct from t.batch_id
    and b.status = any ('{awaiting_approval,processing}') and ${batchCountsBefore(sql`t`, sql`b`)}
  join payment_batch_rows r on r.payment_batch_id = b.id and r.status = 'valid' and r.payment_id is null
  where r.account_id = t.account_id and waiting.counts`

/**
 * Builds the condition that a payment `p` counts for `t`: it was asked for before it, or is approved. At the last approval
 * each is judged in the order of the requests, so that of too many the first ones can be approved.
 */
const countsBefore = (t: Fragment, p: Fragment): Fragment => sql`
  (${t}.asked_at is null or ${p}.status <> 'awaiting_approval' or ${p}.inserted_at < ${t}.asked_at)`
const batchCountsBefore = (t: Fragment, b: Fragment): Fragment => sql`
  (${t}.asked_at is null or ${b}.status <> 'awaiting_approval' or ${b}.submitted_at < ${t}.asked_at)`

/** Selects the names under which a contact was paid, by their looks: its own then, and those of suppliers of bills. */
export const selectNamesPaid = (contact: Fragment): Fragment => sql`
  select k.name from payment_destinations e join payments p on p.destination_id = e.id and ${hasGoneOut(sql`p`)}
  left join bills b on b.id = p.bill_id cross join lateral (values (p.payee_key), (b.name_key)) k (name)
  where e.payment_contact_id = ${contact} and k.name is not null`

/**
 * Selects the destinations that pay the payee of `t`: those that were paid, those of its contact, or of the contacts
 * that were paid under its name, and those that payments name so within the hours.
 */
const selectDestinations = ({ organizationId }: Pick<Reader, 'organizationId'>): Fragment => sql`
  select p.destination_id as id from paid p
  union select e.id from payment_destinations e where e.payment_contact_id in (select t.contact_id from t
    union select o.payment_contact_id from t cross join paid p join payment_destinations o on o.id = p.destination_id
    where t.contact_id is null)
  union select p.destination_id from names
    cross join waiting
    join payments p on p.organization_id = ${organizationId} and p.payee_key = names.name and p.bill_id is null
      and p.inserted_at > business_now() - waiting.hours`

/**
 * Sums what goes to other new accounts of the payee of `t`, as json by currency. With them is what goes to its account in
 * other currencies: split over several, it is one sum, also if some is paid to its contact and some to its name. The
 * account that was paid before any other is none of them, nor is a confirmed one.
 */
const sumElsewhere = ({ organizationId }: Pick<Reader, 'organizationId'>): Fragment => sql`(
  with names as materialized (
    select t.name_key as name from t where t.name_key is not null
    union select n.name from t cross join lateral (${selectNamesPaid(sql`t.contact_id`)}) n
  ), others as materialized (
    select e.id from t cross join waiting
    join payment_destinations e on e.id in (${selectDestinations({ organizationId })})
    where e.account_id <> t.account_id and ${usableAt(sql`e`)} > business_now() - waiting.hours
      and e.account_id is distinct from (select p.account_id from paid p order by p.first_at limit 1)
      and not exists (select from paid p
        where p.account_id = e.account_id and p.usable_at <= business_now() - waiting.hours)
      and not exists (select from account_callbacks k where k.destination_id = e.id)
  )
  select coalesce(json_agg(json_build_object('amount', x.amount::text, 'currency', x.currency, 'usd', x.usd)), '[]')
  from (select y.currency, sum(y.amount) as amount, ${usdOf(sql`y.currency`)} as usd from (
    select i.amount, i.currency from within_hours i, t where i.currency <> t.currency
    union all
    select q.amount, q.currency from others e cross join t
    cross join lateral (select p.landing_amount as amount, p.landing_currency as currency from payments p
      where p.destination_id = e.id and not has_ended_unpaid(p.status)
        and p.id is distinct from t.payment_id and ${countsBefore(sql`t`, sql`p`)} offset 0) q
    union all
    select r.amount, r.currency from t cross join waiting
    join payment_batches b on b.organization_id = ${organizationId} and b.id is distinct from t.batch_id
      and b.status = any ('{awaiting_approval,processing}') and ${batchCountsBefore(sql`t`, sql`b`)}
    join payment_batch_rows r on r.payment_batch_id = b.id and r.status = 'valid' and r.payment_id is null
    where r.destination_id in (select id from others)
      or (r.destination_id is null and r.name_key in (select name from names) and r.account_id <> t.account_id
        and r.account_seen_at > business_now() - waiting.hours)) y
    group by y.currency) x)`

/** Selects the last stored worth of a currency in US dollars, as text. */
const usdOf = (currency: Fragment): Fragment => sql`(
  select w.usd::text from daily_rates w where w.currency = ${currency} order by w.day desc limit 1)`

/**
 * Selects ChangeFacts as json, for a payee and an account. `of` selects one row: `contact_id`, `destination_id` (null
 * for one that is not written yet), `account_id`, `usable_at`, `currency`, `name_key`, and the keys of `SupplierKeys`
 * (each null unless the payee is known by it), `payment_id` and `batch_id` to leave out, `asked_at` of what waits for
 * its last approval, and `before`, an instant or null. Null without a row. `isOfBill`: it may have keys of a supplier.
 */
export const changeFacts = (reader: Pick<Reader, 'organizationId'>, of: Fragment, isOfBill = true): Fragment => sql`(
  with t as materialized (${of}),
  paid as materialized (${selectPaid(reader, isOfBill)}),
  seen as materialized (
    select min(p.first_at) filter (where p.account_id = t.account_id)
        <= min(p.first_at) filter (where p.account_id <> t.account_id) as own_first,
      max(p.last_at) filter (where p.account_id = t.account_id)
        >= max(p.last_at) filter (where p.account_id <> t.account_id) as own_last,
      coalesce(bool_or(p.account_id <> t.account_id), false) as is_paid_elsewhere,
      least(t.usable_at, min(p.usable_at) filter (where p.account_id = t.account_id)) as since
    from t left join paid p on true group by t.usable_at
  ), waiting as (
    select seen.*, o.account_change_free_amount as free, make_interval(hours => o.account_change_hours) as hours,
      seen.since + make_interval(hours => o.account_change_hours) as until,
      o.account_change_hours > 0
        and seen.since + make_interval(hours => o.account_change_hours) > business_now() as within,
      -- whose account is the only one has no sum that anything is compared with
      is_paid_elsewhere and seen.since + make_interval(hours => o.account_change_hours) > business_now() as counts
    from seen join organizations o on o.id = ${reader.organizationId}
  ), within_hours as (${selectWithin(reader)})
  select json_build_object(
    'other', (select p.destination_id from paid p join t on p.account_id <> t.account_id
      order by p.last_at desc, p.destination_id desc limit 1),
    'own_first', coalesce(waiting.own_first, false), 'own_last', coalesce(waiting.own_last, false),
    'within', waiting.within, 'until', ${instantText(sql`waiting.until`)}, 'destination', t.destination_id,
    'type', coalesce((select d.type from payment_destinations d where d.id = t.destination_id), 'bank'),
    'confirmed', exists (select from account_callbacks k where k.destination_id = t.destination_id),
    'sum', case when waiting.counts then (select coalesce(sum(i.amount), 0)::text from within_hours i
      where i.currency = t.currency) end,
    'elsewhere', case when waiting.counts then ${sumElsewhere(reader)} else '[]' end,
    'currency', t.currency, 'free', waiting.free, 'usd', json_build_object(
      'paid', ${usdOf(sql`t.currency`)}, 'free', ${usdOf(sql`waiting.free ->> 'currency'`)}))
  from t, waiting)`

/** Selects the payee and account of a contact at its destination `d`. */
export const ofDestination = (
  d: Fragment,
  more: {
    readonly nameKey?: Fragment
    /** Keys of the supplier of a bill, beside its name. */
    readonly supplier?: SupplierKeys
    readonly payment?: Fragment
    /** Instant of the request that waits for its last approval. */
    readonly asked?: Fragment
    readonly before?: Fragment
  },
): Fragment => sql`
  select ${d}.payment_contact_id as contact_id, ${d}.id as destination_id, ${d}.account_id, ${usableAt(d)} as usable_at,
    ${d}.currency, ${more.nameKey ?? sql`null::text`} as name_key, ${selectSupplierKeys(more.supplier ?? NO_SUPPLIER)},
    ${more.payment ?? sql`null::uuid`} as payment_id, null::uuid as batch_id,
    ${more.asked ?? sql`null::timestamptz`} as asked_at, ${more.before ?? sql`null::timestamptz`} as before`

/**
 * Selects the name `key` of the contact of `d`, until that was paid for a week. So a second contact of a name is
 * the payee that was paid under this name.
 */
export const nameOfContact = (d: Fragment, key: Fragment, at: Fragment = sql`business_now()`): Fragment => sql`
  case when not exists (select from payment_destinations o where o.payment_contact_id = ${d}.payment_contact_id
    and exists (select from payments q where q.destination_id = o.id and ${hasGoneOut(sql`q`)}
      and q.inserted_at <= ${at} - make_interval(days => ${LONGEST_CHANGE_DAYS})))
  then ${key} end`

/** Selects the keys by which the payee of a payment `p` is known: as the supplier of its bill, or by the contact's name. */
export const payeeOfPayment = (p: Fragment, d: Fragment, at?: Fragment) => {
  const { supplier, nameKey } = supplierOf(sql`${p}.bill_id`)
  const name = sql`case when ${p}.bill_id is null then ${nameOfContact(d, sql`${p}.payee_key`, at)} else ${nameKey} end`
  return { supplier, nameKey: name, payment: sql`${p}.id` }
}

/**
 * Builds the call by which a statement waits for requests before it. These are of an organization with limits, or to an
 * account that is new. Null is an account that no destination has. Facts are read by a later statement, which sees what the lock
 * waited for.
 */
export const lockRequests = ({ organizationId }: Pick<Reader, 'organizationId'>, destination: Fragment): Fragment =>
  sql`lock_requests(${organizationId}, ${destination}),`

/** Tells if the destination `d` is new, or its contact was paid at another account: no other account has changed. */
export const mayBeChanged = (d: Fragment): Fragment => sql`
  (${usableAt(d)} > business_now() - make_interval(days => ${LONGEST_CHANGE_DAYS})
    or exists (select from payment_destinations e where e.payment_contact_id = ${d}.payment_contact_id
      and e.account_id <> ${d}.account_id and exists (select from payments p where p.destination_id = e.id)))`

/** Tells if a payee of no bill may have been paid at another account than the destination's. */
export const mayBePaidElsewhere = (
  { organizationId }: Pick<Reader, 'organizationId'>,
  destination: Fragment,
  nameKey: Fragment,
): Fragment => sql`may_be_paid_elsewhere(${organizationId}, ${destination}, ${nameKey})`

/**
 * Reads the facts of one destination for the name of its contact; null if the payee was never paid at another account:
 * then nothing has changed.
 */
export async function factsIfPaidElsewhere(reader: Reader, id: string, nameKey: string | null) {
  const [row] = await reader<{ may_be: boolean }>(
    sql`select ${mayBePaidElsewhere(reader, sql`${id}::uuid`, sql`${nameKey}::text`)} as may_be`,
  )
  return row?.may_be ? factsOfDestination(reader, id, { nameKey }) : null
}

/** Reads the facts of one destination, for the supplier of a bill or the name of its contact. */
export async function factsOfDestination(
  reader: Reader,
  id: string,
  { billId = null, nameKey = null }: { readonly billId?: BillId | null; readonly nameKey?: string | null } = {},
): Promise<ChangeFacts | null> {
  const known =
    billId === null ? { nameKey: nameOfContact(sql`d`, sql`${nameKey}::text`) } : supplierOf(sql`${billId}::uuid`)
  const [row] = await reader<{ facts: ChangeFacts | null }>(sql`
    select ${changeFacts(reader, ofDestination(sql`d`, known), billId !== null)} as facts from payment_destinations d
    where d.id = ${id} and d.organization_id = ${reader.organizationId}`)
  return row?.facts ?? null
}

/** Sums of what was requested in the present periods of an organization. */
import type { BatchId, ContactId, PaymentId, UserId } from '../../domain/ids.ts'
import type { Counted, Limit, Sums } from '../../domain/limits/limits.ts'
import type { Per, Period } from '../../domain/limits/period.ts'
import type { Money } from '../../domain/money/money.ts'
import { type Fragment, type Reader, first, sql } from '../sql.ts'

/** Request whose limits are counted. It is not among what was requested before. */
export type Counting = {
  readonly requester: UserId
  readonly asked: readonly Money[]
  /** Contact that is paid; without one, limits of payees do not count. */
  readonly contactId?: ContactId | undefined
  /** Batch whose rows are asked for: each has its payee. */
  readonly batchId?: BatchId | undefined
  /** Payment that was requested before, and is counted again. */
  readonly paymentId?: PaymentId | undefined
}

type SumRow = {
  readonly period: Period
  readonly per: Per
  /** Payee within a batch. */
  readonly payee: string | null
  readonly is_asked: boolean
  readonly currency: string
  readonly amount: string
}
type Found = {
  readonly periods: readonly { readonly period: Period; readonly resets_at: string }[]
  readonly sums: readonly SumRow[]
  readonly rates: readonly { readonly currency: string; readonly usd: string; readonly day: string }[]
}

/**
 * Counts by one statement. All money out counts once: payments by the instant of their request, batches as a whole by
 * that of their submission, while they run as they were submitted and then as they were paid.
 */
export async function count(reader: Reader, limits: readonly Limit[], counting: Counting): Promise<Counted> {
  const found = await first(reader<Found>(selectCounts(reader, limits, counting)))
  if (!found) throw new Error('the counts are one row')
  const { periods, sums, rates } = found
  return {
    rates: new Map(rates.map(({ currency, usd, day }) => [currency, { usd, day }])),
    endOf: (period) => new Date(periods.find((one) => one.period === period)?.resets_at ?? '').toISOString(),
    sumsOf: (period, per) => {
      const rows = sums.filter((row) => row.period === period && row.per === per)
      if (per !== 'payee') return [{ before: rows, asked: counting.asked }]
      if (counting.batchId) return byPayee(rows)
      return counting.contactId ? [{ before: rows, asked: counting.asked }] : []
    },
  }
}

function byPayee(rows: readonly SumRow[]): Sums[] {
  const payees = new Map<string | null, { before: SumRow[]; asked: SumRow[] }>()
  for (const row of rows) {
    const sums = payees.get(row.payee) ?? { before: [], asked: [] }
    sums[row.is_asked ? 'asked' : 'before'].push(row)
    payees.set(row.payee, sums)
  }
  return [...payees.values()]
}

function selectCounts({ organizationId }: Reader, limits: readonly Limit[], counting: Counting): Fragment {
  const { requester, asked, batchId = null, paymentId = null } = counting
  const periodsOf = (per: Per) => [...new Set(limits.filter((one) => one.per === per).map(({ period }) => period))]
  const currencies = [...asked, ...limits].flatMap(({ currency }) => currency ?? [])
  const hasPayees = Boolean(counting.contactId ?? batchId)
  const began = sql`(select min(begins_at) from periods where period = any (${limits.map(({ period }) => period)}))`
  return sql`
    with periods as materialized (select * from limit_periods(${organizationId}, business_now())),
    paid_alone as materialized (
      select p.inserted_at as at, p.created_by as requester, p.payment_contact_id as contact_id, p.destination_id,
        p.deducting_amount as amount, p.deducting_currency as currency
      from payments p
      where p.organization_id = ${organizationId} and p.inserted_at >= ${began} and p.payment_batch_id is null
        and not has_ended_unpaid(p.status) and p.id is distinct from ${paymentId}
    ),
    submitted as materialized (
      select b.id, b.submitted_at as at, b.submitted_by as requester, b.totals || b.fees as amounts,
        b.status in ('awaiting_approval', 'processing', 'cancelling') as runs
      from payment_batches b
      where b.organization_id = ${organizationId} and b.submitted_at >= ${began}
        and b.status not in ('draft', 'importing') and b.id is distinct from ${batchId}
    ),
    requested as materialized (
      select at, requester, amount, currency from paid_alone
      union all
      select b.at, b.requester, (m.value ->> 'amount')::numeric, m.value ->> 'currency'
      from submitted b, jsonb_array_elements(b.amounts) m where b.runs
      union all
      select b.at, b.requester, case when b.runs then -p.deducting_amount else p.deducting_amount end,
        p.deducting_currency
      from submitted b join payments p on p.payment_batch_id = b.id and has_ended_unpaid(p.status) = b.runs
    ),
    ${hasPayees ? selectPayees(organizationId, counting) : sql``}
    sums as materialized (
      select s.period, 'person' as per, null as payee, false as is_asked, r.currency, sum(r.amount) as amount
      from periods s join requested r on r.at >= s.begins_at
      where s.period = any (${periodsOf('person')}) and r.requester = ${requester} group by s.period, r.currency
      union all
      select s.period, 'organization', null, false, r.currency, sum(r.amount)
      from periods s join requested r on r.at >= s.begins_at
      where s.period = any (${periodsOf('organization')}) group by s.period, r.currency
      ${
        hasPayees
          ? sql`union all
      select s.period, 'payee', r.payee, r.is_asked, r.currency, sum(r.amount)
      from periods s join of_payees r on r.at >= s.begins_at
      where s.period = any (${periodsOf('payee')}) group by s.period, r.payee, r.is_asked, r.currency`
          : sql``
      }
    )
    select
      (select json_agg(json_build_object('period', period, 'resets_at', resets_at)) from periods) as periods,
      coalesce((select json_agg(json_build_object('period', period, 'per', per, 'payee', payee, 'is_asked', is_asked,
        'currency', currency, 'amount', amount::text)) from sums), '[]') as sums,
      coalesce((select json_agg(r) from (select distinct currency from sums union select unnest(${currencies}::text[])) c
        cross join lateral (select r.currency, r.usd::text, r.day::text from daily_rates r
          where r.currency = c.currency order by r.day desc limit 1) r), '[]') as rates`
}

/** Builds the key of the payee of a destination `d`, as batches have it: their organization, or the account. */
const keyOf = (): Fragment => sql`coalesce(d.payee_organization_id::text, encode(d.fingerprint, 'hex'))`

/**
 * Selects amounts by payee. A payee is all contacts that share an account with the contact that is paid, and all their
 * accounts, those that were deleted too; of a batch, each row has its payee.
 */
const selectPayees = (organizationId: string, { contactId, batchId }: Counting): Fragment => sql`
    payees as materialized (${
      contactId
        ? sql`select 'the one' as payee, ${contactId}::uuid as contact_id, null as key, null::bytea as fingerprint`
        : sql`
      select distinct coalesce(r.payment_contact_id::text, r.payee_key) as payee, r.payment_contact_id as contact_id,
        r.payee_key as key, r.fingerprint
      from payment_batch_rows r where r.payment_batch_id = ${batchId ?? null} and r.status = 'valid'`
    }),
    accounts as materialized (
      select payee, fingerprint from payees where fingerprint is not null
      union select y.payee, d.fingerprint from payees y join payment_destinations d on d.payment_contact_id = y.contact_id
    ),
    kin as materialized (
      select payee, contact_id from payees where contact_id is not null
      union select a.payee, d.payment_contact_id
      from accounts a join payment_destinations d on d.organization_id = ${organizationId} and d.fingerprint = a.fingerprint
    ),
    keys as materialized (
      select payee, key from payees where key is not null
      union select k.payee, ${keyOf()} from kin k join payment_destinations d on d.payment_contact_id = k.contact_id
    ),
    spent as materialized (
      select row_number() over () as n, s.* from (
        select p.at, p.contact_id, ${keyOf()} as key, p.amount, p.currency, false as is_asked
        from paid_alone p join payment_destinations d on d.id = p.destination_id
        union all
        select b.at, r.payment_contact_id, r.payee_key, r.amount + coalesce(r.fee_amount, 0), r.currency, false
        from submitted b join payment_batch_rows r on r.payment_batch_id = b.id and r.status = 'valid'
        left join payments p on p.id = r.payment_id
        where b.runs and not coalesce(has_ended_unpaid(p.status), false)
        union all
        select b.at, p.payment_contact_id, ${keyOf()}, p.deducting_amount, p.deducting_currency, false
        from submitted b join payments p on p.payment_batch_id = b.id and not has_ended_unpaid(p.status)
        join payment_destinations d on d.id = p.destination_id where not b.runs
        union all
        select business_now(), r.payment_contact_id, r.payee_key, r.amount + coalesce(r.fee_amount, 0), r.currency, true
        from payment_batch_rows r where r.payment_batch_id = ${batchId ?? null} and r.status = 'valid'
      ) s
    ),
    of_payees as materialized (
      select m.payee, s.at, s.is_asked, s.currency, s.amount
      from (select k.payee, s.n from kin k join spent s on s.contact_id = k.contact_id
        union select k.payee, s.n from keys k join spent s on s.key = k.key) m
      join spent s on s.n = m.n
    ),`

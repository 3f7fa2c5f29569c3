/** Sums of what was requested in the present periods of an organization. */
import type { BatchId, ContactId, PaymentId, UserId } from '../../domain/ids.ts'
import type { CountedSums, Limit, Sums } from '../../domain/limits/limits.ts'
import type { Per, Period } from '../../domain/period.ts'
import type { Money } from '../../domain/money/money.ts'
import { pipeline } from '../../db/postgres/pipeline.ts'
import { type Fragment, type Reader, type Tx, sql } from '../../db/postgres/sql.ts'

/** Request whose limits are counted. It is not among what was requested before. */
export type CountScope = {
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
type SumResult = {
  readonly periods: readonly { readonly period: Period; readonly resets_at: string }[]
  readonly sums: readonly SumRow[]
  readonly rates: readonly { readonly currency: string; readonly usd: string; readonly day: string }[]
}

/**
 * Counts by one statement. All money out counts once: payments by the instant of their request, batches as a whole by
 * that of their submission, while they run as they were submitted and then as they were paid. What had a date counts by
 * its day once it is executed.
 */
export const count = async (reader: Reader, limits: readonly Limit[], counting: CountScope): Promise<CountedSums> =>
  toCounted(await reader<SumResult>(selectCounts(reader, limits, counting)), counting)

/** Counts under the lock of limits, which is taken unless an earlier statement has it. */
export async function countLocked(tx: Tx, limits: readonly Limit[], counting: CountScope): Promise<CountedSums> {
  const { found } = await pipeline({
    lock: tx`select lock_limits(${tx.organizationId})`,
    found: tx<SumResult[]>`${selectCounts(tx, limits, counting)}`, // sees what the lock waited for
  })
  return toCounted(found, counting)
}

function toCounted([found]: readonly SumResult[], counting: CountScope): CountedSums {
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

function selectCounts(
  { organizationId }: Pick<Reader, 'organizationId'>,
  limits: readonly Limit[],
  counting: CountScope,
): Fragment {
  const { requester, asked, batchId = null, paymentId = null } = counting
  const periodsOf = (per: Per) => [...new Set(limits.filter((one) => one.per === per).map(({ period }) => period))]
  const currencies = [...asked, ...limits].flatMap(({ currency }) => currency ?? [])
  const hasPayees = Boolean(counting.contactId ?? batchId) && periodsOf('payee').length > 0
  const totaled = [...periodsOf('person'), ...periodsOf('organization')]
  return sql`
    with periods as materialized (select * from limit_periods(${organizationId}, business_now())),
    bounds as materialized (
      select max(begins_at) filter (where period = 'day') as day, max(begins_at) filter (where period = 'week') as week,
        max(begins_at) filter (where period = 'month') as month,
        coalesce(min(begins_at) filter (where period = any (${totaled})), 'infinity') as first,
        coalesce(min(begins_at) filter (where period = any (${periodsOf('payee')})), 'infinity') as first_of_payees
      from periods
    ),
    ${selectDated(organizationId, counting)}
    requested as (
      select p.inserted_at as at, p.created_by as requester, p.deducting_amount as amount, p.deducting_currency as currency
      from payments p
      where p.organization_id = ${organizationId} and p.inserted_at >= (select first from bounds)
        and p.payment_batch_id is null and not has_ended_unpaid(p.status) and p.id is distinct from ${paymentId}
      union all
      select m.at, d.created_by, m.sign * d.deducting_amount, d.deducting_currency
      from dated d, ${moveToDay(sql`d`)}
      union all
      select b.at, b.requester, (m.value ->> 'amount')::numeric, m.value ->> 'currency'
      from submitted b, jsonb_array_elements(b.amounts) m where b.runs
      union all
      select b.at, b.requester, case when b.runs then -p.deducting_amount else p.deducting_amount end,
        p.deducting_currency
      from submitted b join payments p on p.payment_batch_id = b.id and has_ended_unpaid(p.status) = b.runs
    ),
    totals as materialized (
      select r.currency, r.requester = ${requester} as is_own, r.at >= b.day as in_day, r.at >= b.week as in_week,
        r.at >= b.month as in_month, sum(r.amount) as amount
      from requested r, bounds b group by 1, 2, 3, 4, 5
    ),
    ${hasPayees ? selectPayees(organizationId, counting) : sql``}
    sums as materialized (
      select s.period, w.per, null as payee, false as is_asked, t.currency, sum(t.amount) as amount
      from periods s join totals t on case s.period when 'day' then t.in_day when 'week' then t.in_week else t.in_month end
      join (values ('person', ${periodsOf('person')}::text[]), ('organization', ${periodsOf('organization')})) w (per, periods)
        on s.period = any (w.periods) and (t.is_own or w.per = 'organization')
      group by s.period, w.per, t.currency
      ${
        hasPayees
          ? sql`union all
      select s.period, 'payee', t.payee, t.is_asked, t.currency, sum(t.amount)
      from periods s
      join totals_of_payees t on case s.period when 'day' then t.in_day when 'week' then t.in_week else t.in_month end
      where s.period = any (${periodsOf('payee')}) group by s.period, t.payee, t.is_asked, t.currency`
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

/** Selects payments whose day has begun, and batches by the instant that counts. */
const selectDated = (organizationId: string, { batchId, paymentId }: CountScope): Fragment => sql`
    days as materialized (
      select s.id, s.starts_at as at from payment_schedules s
      where s.organization_id = ${organizationId} and s.starts_at <= business_now()
        and s.starts_at >= (select least(first, first_of_payees) from bounds)
    ),
    dated as materialized (
      select p.*, d.at from days d join payments p on p.id = d.id
      where p.status not in ('awaiting_approval', 'scheduled') and not has_ended_unpaid(p.status)
        and p.id is distinct from ${paymentId ?? null}
    ),
    submitted as materialized (
      select b.id, b.submitted_by as requester, b.totals || b.fees as amounts,
        coalesce((select d.at from days d where d.id = b.approval_request_id and b.rows_begun > 0), b.submitted_at) as at,
        b.status in ('awaiting_approval', 'processing', 'cancelling') as runs
      from (
        select id from payment_batches
        where organization_id = ${organizationId} and submitted_at >= (select least(first, first_of_payees) from bounds)
        union select a.target_id from days d join approvals a on a.id = d.id
      ) x join payment_batches b on b.id = x.id
      where b.status not in ('draft', 'importing') and b.id is distinct from ${batchId ?? null}
    ),`

/** Builds the move of a dated payment `d` from the instant of its request to its day. */
const moveToDay = (d: Fragment): Fragment => sql`lateral (values (${d}.at, 1), (${d}.inserted_at, -1)) m (at, sign)`

/** Builds the key of the payee of a destination, or of a row of a batch: their organization, or the account. */
const keyOf = (row: 'd' | 'r'): Fragment =>
  sql`coalesce(${sql(row)}.payee_organization_id, ${sql(row)}.account_id)::text`

/**
 * Selects amounts by payee. A payee is all contacts that share an account with the contact that is paid, and all their
 * accounts, those that were deleted too; of a batch, each row has its payee.
 */
const selectPayees = (organizationId: string, { contactId, batchId, paymentId }: CountScope): Fragment => sql`
    payees as materialized (${
      contactId
        ? sql`select 'the one' as payee, ${contactId}::uuid as contact_id, null as key, null::uuid as account_id`
        : sql`
      select distinct coalesce(r.payment_contact_id::text, ${keyOf('r')}) as payee, r.payment_contact_id as contact_id,
        ${keyOf('r')} as key, r.account_id
      from payment_batch_rows r where r.payment_batch_id = ${batchId ?? null} and r.status = 'valid'`
    }),
    accounts as materialized (
      select payee, account_id from payees where account_id is not null
      union select y.payee, d.account_id from payees y join payment_destinations d on d.payment_contact_id = y.contact_id
    ),
    kin as materialized (
      select payee, contact_id from payees where contact_id is not null
      union select a.payee, d.payment_contact_id
      from accounts a join payment_destinations d on d.organization_id = ${organizationId} and d.account_id = a.account_id
    ),
    kin_accounts as materialized (
      select payee, account_id from accounts
      union select k.payee, d.account_id from kin k join payment_destinations d on d.payment_contact_id = k.contact_id
    ),
    destinations as materialized (
      select a.payee, d.id, ${keyOf('d')} as key
      from kin_accounts a join payment_destinations d on d.organization_id = ${organizationId} and d.account_id = a.account_id
      ${
        batchId
          ? sql`union select y.payee, d.id, ${keyOf('d')}
      from payees y join payment_destinations d on d.organization_id = ${organizationId}
        and d.payee_organization_id::text = y.key`
          : sql``
      }
    ),
    keys as materialized (
      select payee, key from payees where key is not null union select payee, key from destinations
    ),
    rows_of_batches as materialized (
      select r.id, coalesce(b.at, business_now()) as at, r.payment_contact_id as contact_id, ${keyOf('r')} as key,
        r.amount + coalesce(r.fee_amount, 0) as amount, r.currency, b.id is null as is_asked
      from (select id from submitted where runs union all select ${batchId ?? null}::uuid) x
      join payment_batch_rows r on r.payment_batch_id = x.id and r.status = 'valid'
      left join submitted b on b.id = x.id
      left join payments p on p.id = r.payment_id
      where not coalesce(has_ended_unpaid(p.status), false)
    ),
    of_payees as (
      select d.payee, coalesce(b.at, p.inserted_at) as at, false as is_asked, p.deducting_currency as currency,
        p.deducting_amount as amount
      from destinations d
      join payments p on p.destination_id = d.id and p.inserted_at >= (select first_of_payees from bounds)
      left join submitted b on b.id = p.payment_batch_id and not b.runs
      where not has_ended_unpaid(p.status) and p.id is distinct from ${paymentId ?? null}
        and (p.payment_batch_id is null or b.id is not null)
      union all
      select x.payee, m.at, false, d.deducting_currency, m.sign * d.deducting_amount
      from destinations x join dated d on d.destination_id = x.id, ${moveToDay(sql`d`)}
      union all
      select m.payee, r.at, r.is_asked, r.currency, r.amount
      from (select k.payee, r.id from kin k join rows_of_batches r on r.contact_id = k.contact_id
        union select k.payee, r.id from keys k join rows_of_batches r on r.key = k.key) m
      join rows_of_batches r on r.id = m.id
    ),
    totals_of_payees as materialized (
      select r.payee, r.is_asked, r.currency, r.at >= b.day as in_day, r.at >= b.week as in_week,
        r.at >= b.month as in_month, sum(r.amount) as amount
      from of_payees r, bounds b group by 1, 2, 3, 4, 5, 6
    ),`

/** Rehearsal of an approval policy against the requests of a span; it reads only. */
import { setImmediate as immediate } from 'node:timers/promises'
import { type PastRequest, type Rehearsal, type NewRehearsal, PolicyRehearsal } from '../../domain/limits/rehearsal.ts'
import {
  type PayeeFacts,
  type RequestOrigin,
  areRouted,
  compareCoding,
  compareMail,
} from '../../domain/approvals/routing.ts'
import type { BatchId } from '../../domain/ids.ts'
import { DAY_MS } from '../../domain/instants.ts'
import { peopleOf } from '../approvals/policies.ts'
import { selectAccounts, selectLabels } from '../coding/bill-lines.ts'
import { payeesOfBatches } from '../batches/rows.ts'
import { type PaidAccount, countryOf, selectAccount, wasSent } from '../routing/payees.ts'
import { type Fragment, type Reader, inSnapshot, sql } from '../../db/postgres/sql.ts'

/** Requests of one page: between two pages other requests of the process have their turn. */
const PAGE = 1000
/** Days before the span whose requests may count for a limit of its first month. */
const DAYS_BEFORE = 31

type Row = Omit<PastRequest, 'facts'> & {
  readonly cursor: string
  readonly is_within: boolean
  readonly is_delegated: boolean
  readonly is_by_mail: boolean
  readonly batch_id: BatchId | null
  readonly contact_id: string | null
  readonly account: PaidAccount | null
  /** Labels and accounts of the payment and its bill; null where no rule compares them. */
  readonly coding: Pick<PayeeFacts, 'labels' | 'account_codes'> | null
}

/** Rehearses rules for the requests of a span, by the members, roles and rates of today. */
export async function rehearse(reader: Reader, { rules, from, to }: NewRehearsal): Promise<Rehearsal> {
  const isRouted = areRouted(rules)
  const isCompared = compareCoding(rules)
  const isMailed = compareMail(rules)
  const hasLimits = rules.some(({ period }) => period !== undefined)
  const [people, rates] = await Promise.all([peopleOf(reader), ratesOfToday(reader)])
  const rehearsal = new PolicyRehearsal(rules, people, rates)
  const begin = { at: hasLimits ? daysBefore(from) : from, id: NO_ID }
  return inSnapshot(reader.organizationId, async (snapshot) => {
    const firsts = isRouted ? await firstPayments(snapshot) : NONE_PAID
    for (let after = begin; ;) {
      const rows = await readPage(snapshot, after, { from, to, isRouted, isCompared, isMailed })
      const payees = isRouted ? await payeesOf(snapshot, rows, firsts, isCompared) : new Map<string, PayeeFacts[]>()
      for (const row of rows) {
        const origins: RequestOrigin[] = [
          row.is_delegated ? 'delegate' : 'page',
          'api',
          ...(row.is_by_mail ? (['mail'] as const) : []),
        ]
        rehearsal.add({ ...row, facts: { origins, payees: payees.get(row.id) ?? [] } }, row.is_within)
      }
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) return rehearsal.result()
      after = { at: last.cursor, id: last.id }
      await immediate()
    }
  })
}

const NO_ID = '00000000-0000-0000-0000-000000000000'
const daysBefore = (from: string): string => new Date(Date.parse(from) - DAYS_BEFORE * DAY_MS).toISOString()

async function ratesOfToday(reader: Reader) {
  const rows = await reader<{ currency: string; usd: string; day: string }>(sql`
    select distinct on (currency) currency, usd::text, day::text from daily_rates order by currency, day desc`)
  return new Map(rows.map(({ currency, usd, day }) => [currency, { usd, day }]))
}

type Place = { readonly at: string; readonly id: string }
type Range = {
  readonly from: string
  readonly to: string
  readonly isRouted: boolean
  readonly isCompared: boolean
  readonly isMailed: boolean
}

const moneyJson = (amount: Fragment, currency: Fragment): Fragment => sql`
  jsonb_build_object('amount', ${amount}::text, 'currency', ${currency})`

/** Reads requests in the order in which they were made. */
const readPage = (reader: Reader, after: Place, { from, to, isRouted, isCompared, isMailed }: Range): Promise<Row[]> =>
  reader<Row>(sql`
    with page as materialized (
      select a.* from approvals a
      where a.organization_id = ${reader.organizationId} and (a.inserted_at, a.id) > (${after.at}::timestamptz, ${after.id}::uuid)
        and a.inserted_at >= ${after.at}::timestamptz and a.inserted_at < ${to}
      order by a.inserted_at, a.id limit ${PAGE}
    )
    select a.id, a.action_type, a.inserted_at as requested_at, a.inserted_at::text as cursor, a.requester_id, a.summary,
      a.policy, a.inserted_at >= ${from}::timestamptz as is_within, a.delegate_id is not null as is_delegated,
      local_date(a.organization_id, a.inserted_at)::text as day, b.id as batch_id, p.payment_contact_id as contact_id,
      coalesce(m.amounts, '[]') as amounts, coalesce(m.asked, '[]') as asked, d.account_id as payee,
      coalesce(not has_ended_unpaid(p.status), b.status not in ('draft', 'cancelled', 'failed'), false) as counts,
      ${isRouted ? sql`case when d.id is not null then ${selectAccount(sql`d`)} end` : sql`null::json`} as account,
      ${isCompared ? selectCoding(sql`p`) : sql`null::json`} as coding,
      ${isCompared ? lacksCoding(sql`p`, sql`b`) : sql`false`} as lacks_coding,
      ${isMailed ? isByMail(sql`p`, sql`b`) : sql`false`} as is_by_mail
    from page a
    left join payments p on a.action_type = 'withdrawal' and p.id = a.target_id
    left join payment_destinations d on d.id = p.destination_id
    left join payment_batches b on a.action_type = 'payment_batch' and b.id = a.target_id
    left join invoices i on a.target_type = 'billing_invoice' and i.id = a.target_id
    left join credit_notes n on a.target_type = 'credit_note' and n.id = a.target_id
    left join invoices c on c.id = n.invoice_id
    cross join lateral (select case
        when p.id is not null then jsonb_build_array(${moneyJson(sql`p.deducting_amount`, sql`p.deducting_currency`)})
        when b.id is not null then b.totals
        when i.id is not null then jsonb_build_array(${moneyJson(sql`i.total`, sql`i.currency`)})
        when n.id is not null then jsonb_build_array(${moneyJson(sql`n.total`, sql`c.currency`)}) end as amounts,
      case when p.id is not null then jsonb_build_array(${moneyJson(sql`p.deducting_amount`, sql`p.deducting_currency`)})
        when b.id is not null then b.totals || b.fees end as asked) m
    order by a.inserted_at, a.id`)

/** Selects labels and accounts of a payment and of its bill, as they are now. */
const selectCoding = (p: Fragment): Fragment => sql`
  case when ${p}.id is not null then json_build_object('labels', ${p}.labels || ${selectLabels(sql`${p}.bill_id`)},
    'account_codes', ${selectAccounts(sql`${p}.bill_id`)}) end`

/** Selects the condition that bills of a payment or batch lack coding. */
const lacksCoding = (
  p: Fragment,
  b: Fragment,
): Fragment => sql`(${p}.bill_id is not null and not is_coded(${p}.bill_id)) or exists (
  select from payment_batch_rows r
  where r.payment_batch_id = ${b}.id and r.bill_id is not null and r.status <> 'skipped' and not is_coded(r.bill_id))`

/** Selects the condition that a bill of a payment or batch came by mail. */
const isByMail = (p: Fragment, b: Fragment): Fragment => sql`exists (
  select from bills m where m.inbound_mail_id is not null and (m.id = ${p}.bill_id or m.id in (
    select r.bill_id from payment_batch_rows r where r.payment_batch_id = ${b}.id and r.status <> 'skipped')))`

type FirstPayments = ReadonlyMap<string, string>
const NONE_PAID: FirstPayments = new Map()

/** Reads when each account was first paid: once for all requests, of which thousands may pay one account. */
async function firstPayments(reader: Reader): Promise<FirstPayments> {
  const rows = await reader<{ account_id: string; at: string }>(sql`
    select e.account_id, min(o.inserted_at) as at
    from payments o join payment_destinations e on e.id = o.destination_id
    where o.organization_id = ${reader.organizationId} and e.account_id is not null
      and ${wasSent(sql`o`)}
    group by e.account_id`)
  return new Map(rows.map(({ account_id: account, at }) => [account, at]))
}

/** Reads the payees of requests that pay: one of a payment, one for each account of a batch. */
async function payeesOf(
  reader: Reader,
  rows: readonly Row[],
  firsts: FirstPayments,
  isCompared: boolean,
): Promise<Map<string, PayeeFacts[]>> {
  const batches = rows.flatMap(({ batch_id: id }) => id ?? [])
  const ofBatches =
    batches.length > 0 ? await payeesOfBatches(reader, batches, isCompared) : new Map<string, PayeeFacts[]>()
  return new Map(rows.map((row) => [row.id, row.batch_id ? (ofBatches.get(row.batch_id) ?? []) : payeeOf(row, firsts)]))
}

function payeeOf(row: Row, firsts: FirstPayments): PayeeFacts[] {
  const { account, coding, contact_id, payee, requested_at: at } = row
  if (!account) return []
  const first = firsts.get(payee ?? '')
  const { account_codes = [], labels = [] } = coding ?? {}
  return [
    { contact_id, country: countryOf(account), is_new: first === undefined || first >= at, labels, account_codes },
  ]
}

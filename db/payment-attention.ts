/** Payments on hold, and differences to what a partner lists, as things that wait for people. */
import type { Viewer } from './approvals.ts'
import type { AttentionFilters, AttentionItem, Count } from './model/attention.ts'
import { LISTED_PER_KIND_MAX } from './model/attention.ts'
import { wordsOf } from './model/audit.ts'
import { moneyOf } from './model/money.ts'
import { type Fragment, type Reader, first, sql } from './sql.ts'

const approvalColumns = (): Fragment => sql`null::jsonb as wait, null::jsonb as policy, null::uuid as requester_id`

/** Since when a payment `p` is on hold: its row is touched whenever the partner is asked again. */
const heldSince = (): Fragment => sql`
  coalesce((select max(e.occurred_at) from events e where e.subject_id = p.id and e.organization_id = p.organization_id
    and e.type = 'payment.held'), p.inserted_at)`

const onHold = (reader: Reader, { ownOnly, userId }: Viewer): Fragment => sql`
  from payments p where p.organization_id = ${reader.organizationId} and p.status = 'on_hold'
  ${ownOnly ? sql`and p.created_by = ${userId}` : sql``}`

/** Payments on hold that the viewer sees, in the columns of attention; `summary` holds amount, currency and the payee's name. */
export const heldPaymentItems = (reader: Reader, viewer: Viewer): Fragment => sql`
  select 'payment_on_hold' as kind, p.id as obligation_id, ${heldSince()} as raised_at, null::timestamptz as due_at,
    null as action_type, p.landing_amount || ' ' || p.landing_currency || ' ' || p.destination_name as summary,
    ${approvalColumns()}
  ${onHold(reader, viewer)}`

const openDifferences = (reader: Reader): Fragment => sql`
  from audit_findings f
  where f.organization_id = ${reader.organizationId} and f.kind = 'reconciliation' and f.resolved_at is null`

/** Open differences, for who sees everything, in the columns of attention; `summary` holds the check and its subject. */
export const differenceItems = (reader: Reader, { ownOnly }: Viewer): Fragment => sql`
  select 'reconciliation_difference' as kind, f.id as obligation_id, f.found_at as raised_at,
    null::timestamptz as due_at, null as action_type, f.check_name || ' ' || f.subject as summary, ${approvalColumns()}
  ${openDifferences(reader)} ${ownOnly ? sql`and false` : sql``}`

const capped = (items: Fragment): Fragment =>
  sql`(${items} order by raised_at desc, obligation_id desc limit ${LISTED_PER_KIND_MAX})`

/** The newest payments on hold that fit the filters; undefined where none can. */
export const listedHeldPayments = (
  reader: Reader,
  { severity, actionable }: AttentionFilters,
  viewer: Viewer,
): Fragment | undefined =>
  (severity && severity !== 'action') || actionable === 'false' ? undefined : capped(heldPaymentItems(reader, viewer))

/** The newest differences that fit the filters; undefined where none can. */
export const listedDifferences = (
  reader: Reader,
  { severity, actionable }: AttentionFilters,
  viewer: Viewer,
): Fragment | undefined =>
  (severity && severity !== 'blocking') || actionable === 'true' ? undefined : capped(differenceItems(reader, viewer))

/** When a payment was put on hold, also where it is not any more. */
export const heldPaymentRaisedAt = (reader: Reader, id: string): Fragment => sql`
  (select ${heldSince()} from payments p where p.id = ${id} and p.organization_id = ${reader.organizationId}
    and exists (select from events e where e.subject_id = p.id and e.type = 'payment.held'))`

/** When a difference was found, also where it is gone. */
export const differenceRaisedAt = (reader: Reader, id: string): Fragment => sql`
  (select f.found_at from audit_findings f
    where f.id = ${id} and f.organization_id = ${reader.organizationId} and f.kind = 'reconciliation')`

/** How many there are of both that the viewer sees, exactly, in one statement. */
export async function countPaymentItems(
  reader: Reader,
  viewer: Viewer,
): Promise<{ payment_on_hold: Count; reconciliation_difference: Count }> {
  const row = await first(
    reader<{ held: number; differences: number }>(sql`
      select (select count(*)::int ${onHold(reader, viewer)}) as held,
        ${viewer.ownOnly ? sql`0` : sql`(select count(*)::int ${openDifferences(reader)})`} as differences`),
  )
  const { held = 0, differences = 0 } = row ?? {}
  return {
    payment_on_hold: { total: held, actionable: held },
    reconciliation_difference: { total: differences, actionable: 0 },
  }
}

/** What a payment on hold says beyond what every item says. `summary` is that of heldPaymentItems(). */
export function describeHeldPayment(reader: Reader, id: string, summary: string) {
  const [, amount = '', currency = '', payee = ''] = /^(\S+) (\S+) (.*)$/s.exec(summary) ?? []
  const money = moneyOf(amount, currency)
  return {
    title: 'A payment is on hold',
    summary: `${money.amount} ${currency} to ${payee} are on hold. The payment says why; the money stays reserved for it.`,
    severity: 'action',
    actionable_by_viewer: true,
    href: `/organizations/${reader.organizationId}/payments/${id}`,
    action: { kind: 'payment_on_hold', payment_id: id },
    subject: { type: 'payment', payment_id: id },
  } satisfies Partial<AttentionItem>
}

/** What a difference says beyond what every item says. `summary` is that of differenceItems(). An operator settles it. */
export function describeDifference(reader: Reader, summary: string) {
  const [check = '', subject = ''] = summary.split(' ')
  const { about, words } = wordsOf(check)
  const at = `/organizations/${reader.organizationId}`
  const named =
    about === 'payment'
      ? { href: `${at}/payments/${subject}`, subject: { type: 'payment' as const, payment_id: subject } }
      : { href: `${at}/deposits/${subject}`, subject: { type: 'deposit' as const, deposit_id: subject } }
  return {
    title: 'The books and a partner differ',
    summary: `${words} An operator looks at it.`,
    severity: 'blocking',
    actionable_by_viewer: false,
    action: { kind: 'reconciliation_difference' },
    ...named,
  } satisfies Partial<AttentionItem>
}

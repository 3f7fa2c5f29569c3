/** Held deposits as things that wait for people: somebody has to say who sent them. */
import type { Viewer } from './approvals.ts'
import { waitsForSender } from './deposits.ts'
import type { AttentionFilters, AttentionItem, Count, Severity } from './model/attention.ts'
import { LISTED_PER_KIND_MAX } from './model/attention.ts'
import { moneyOf } from './model/money.ts'
import { can } from './model/permissions.ts'
import { type Fragment, type Reader, first, sql } from './sql.ts'

/** Held deposits whose sender is not named, in the columns of attention; `summary` is the amount as Postgres writes it. */
export const travelRuleItems = (reader: Reader): Fragment => sql`
  select 'travel_rule' as kind, deposits.id as obligation_id, deposits.inserted_at as raised_at,
    deposits.release_by as due_at, null as action_type, deposits.amount || ' ' || deposits.currency as summary,
    null::jsonb as wait, null::jsonb as policy, null::uuid as requester_id
  from deposits where deposits.organization_id = ${reader.organizationId} and ${waitsForSender()}`

/** The newest of them that fit the filters; undefined where none can. What can be done is the same for all. */
export function listedTravelRules(
  reader: Reader,
  { severity, actionable }: AttentionFilters,
  viewer: Viewer,
): Fragment | undefined {
  if (severity && severity !== severityFor(viewer)) return undefined
  if (actionable && actionable !== String(mayAnswer(viewer))) return undefined
  return sql`(${travelRuleItems(reader)}
    order by deposits.inserted_at desc, deposits.id desc limit ${LISTED_PER_KIND_MAX})`
}

/** When a deposit began to wait, also where it does not any more. */
export const travelRuleRaisedAt = (reader: Reader, id: string): Fragment => sql`
  (select d.inserted_at from deposits d
    where d.id = ${id} and d.organization_id = ${reader.organizationId} and d.release_by is not null)`

/** How many wait, exactly. */
export async function countTravelRules(reader: Reader, viewer: Viewer): Promise<Count> {
  const row = await first(
    reader<{ total: number }>(sql`
      select count(*)::int as total from deposits
      where deposits.organization_id = ${reader.organizationId} and ${waitsForSender()}`),
  )
  const total = row?.total ?? 0
  return { total, actionable: mayAnswer(viewer) ? total : 0 }
}

const mayAnswer = ({ role }: Viewer): boolean => can(role, 'payments.send_fiat')
const severityFor = (viewer: Viewer): Severity => (mayAnswer(viewer) ? 'action' : 'info')

/** What a held deposit says beyond what every item says. `summary` is that of travelRuleItems(). */
export function describeTravelRule(reader: Reader, id: string, summary: string, viewer: Viewer) {
  const [amount = '', currency = ''] = summary.split(' ')
  const money = moneyOf(amount, currency)
  return {
    title: 'Say who sent a deposit',
    summary: `${money.amount} ${currency} wait until it is known who sent them, and go back after that.`,
    severity: severityFor(viewer),
    actionable_by_viewer: mayAnswer(viewer),
    href: `/organizations/${reader.organizationId}/deposits/${id}`,
    action: { kind: 'travel_rule', deposit_id: id },
    subject: { type: 'deposit', deposit_id: id },
  } satisfies Partial<AttentionItem>
}

import type { AwaitingApproval } from '../../domain/approvals/view.ts'
import { type ApprovalRequirements, isSatisfiable, openStep, waitingFor } from '../../domain/approvals/requirements.ts'
import { minuteOf } from '../../domain/instants.ts'
import { membersWithRoles } from '../membership-lock.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'

/** Approval of a row; all is null if it has none. */
export type WaitingRow = {
  remind_at: string | null
  approval_due: 'expiry' | 'reminder' | null
} & ({ since: string; until: string; wait: ApprovalRequirements } | { since: null; until: null; wait: null })

/** Selects the columns of a WaitingRow after joinApproval(). */
export const waitingColumns = (a: Fragment, w: Fragment): Fragment => sql`
  ${a}.inserted_at as since, ${a}.expires_at as until, ${a}.next_reminder_at as remind_at, ${w}.wait,
  case when ${a}.status <> 'pending' then null when ${a}.expires_at <= business_now() then 'expiry'
    when ${a}.next_reminder_at <= business_now() then 'reminder' end as approval_due`

export const joinApproval = (column: Fragment): Fragment => sql`
  left join approvals a on a.id = ${column}
  left join approval_waits w on w.id = a.wait_id`

/** Reads the facts of a row that waits for approval. Throws if it has no approval. */
export async function viewApproval(reader: Reader, row: WaitingRow): Promise<Omit<AwaitingApproval<string>, 'status'>> {
  if (row.since === null) throw new Error('there is no approval to wait for')
  const left = isSatisfiable(row.wait, await membersWithRoles(reader)) ? '' : '; nobody is left who could'
  const reminds = row.remind_at !== null && Date.parse(row.remind_at) < Date.parse(row.until)
  return {
    at_rest: false,
    says: `Waits for approval since ${minuteOf(row.since)}, until ${minuteOf(row.until)}: ${waitingFor(row.wait)}${left}.`,
    step_due: row.approval_due !== null,
    look_at: reminds ? row.remind_at : row.until,
    approval: { due: row.approval_due, open_step: `${openStep(row.wait) + 1} of ${row.wait.steps.length}` },
  }
}

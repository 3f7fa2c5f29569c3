/** The approval that a row waits for, as its run reads it. */
import type { AwaitingApproval } from '../../domain/approvals/view.ts'
import { isSatisfiable, openStep, waitingFor } from '../../domain/approvals/requirements.ts'
import { minuteOf } from '../../domain/instants.ts'
import { membersWithRoles } from '../membership-lock.ts'
import type { Reader } from '../sql.ts'
import type { WaitingRow } from './requirements.ts'

/** Reads what a row that waits for approval decides by. Throws if there is no approval to wait for. */
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

/** What a look finds of a thing that waits for approval, and what it does when the approval's time comes. */
import type { WaitingRow } from './requirements.ts'
import type { TargetType } from '../../domain/approvals/approval.ts'
import { isSatisfiable, waitingFor } from '../../domain/approvals/requirements.ts'
import type { ApprovalId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import type { Found } from '../../domain/process.ts'
import { type Tx, within } from '../sql.ts'
import { membersWithRoles } from '../membership-lock.ts'

type Gated = WaitingRow & { readonly approval_id: ApprovalId | null }

/** Reads a thing; if its approval is due, its approvers are reminded or it expires, and the thing is read again. */
export async function readAttended<Row extends Gated>(
  tx: Tx,
  target: { readonly type: TargetType | ((row: Row) => TargetType); readonly id: string },
  read: () => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const row = await read()
  if (!row?.approval_due || !row.approval_id) return row
  const { expireApproval, remindApprovers } = await import('../decisions/steps.ts') // until views replace looks
  if (row.approval_due === 'expiry') await expireApproval(tx, target.id)
  else await remindApprovers(tx, target.id)
  return read()
}

/** What the loop does while people decide. Throws if there is no approval that somebody could decide. */
export async function waitsForApproval(
  tx: Tx,
  row: Gated,
): Promise<Pick<Found<string>, 'due_now' | 'look_at' | 'says' | 'waits_for'>> {
  if (row.since === null) throw new Error('there is no approval to wait for')
  const left = isSatisfiable(row.wait, await membersWithRoles(within(tx))) ? '' : '; nobody is left who could'
  const since = `since ${minuteOf(row.since)}, until ${minuteOf(row.until)}`
  const reminds = row.remind_at !== null && Date.parse(row.remind_at) < Date.parse(row.until)
  return {
    due_now: false,
    look_at: reminds ? row.remind_at : row.until,
    says: `Waits for approval ${since}: ${waitingFor(row.wait)}${left}.`,
    waits_for: reminds ? 'Reminder of the approvers' : 'Expiry of the approval',
  }
}

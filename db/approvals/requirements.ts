/** What pending approvals wait for: one row for all that wait for the same, and how looks read it. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../model/canonical.ts'
import type { Wait } from '../model/approvals/requirements.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'

/** What waits for the same in an organization has one id: the first half of the SHA-256 of both. */
export const waitId = (tx: Tx, wait: Wait): string =>
  createHash('sha256')
    .update(`${tx.organizationId}:${canonicalJson(wait)}`)
    .digest('hex')
    .slice(0, 32)

/** Writes what approvals wait for, where none waited for it before; before the approval that names it. */
export async function writeWait(tx: Tx, wait: Wait): Promise<void> {
  const roles = [...new Set(wait.steps.flatMap((step) => step.roles))]
  const people = [...new Set(wait.steps.flatMap((step) => step.user_ids))]
  await tx`
    insert into approval_waits (id, organization_id, wait, named_roles, named_user_ids)
    values (${waitId(tx, wait)}, ${tx.organizationId}, ${sql.json(wait)}, ${roles}, ${people}::uuid[])
    on conflict do nothing`
}

/** What a look has to know of the approval that a thing waits for; null where it has none. */
export type WaitingRow = {
  since: string | null
  until: string
  remind_at: string | null
  /** Its time is over, or its approvers are to be reminded. */
  attend: boolean
  wait: Wait
}

/** The columns of a WaitingRow, of what joinApproval() found. */
export const waitingColumns = (): Fragment => sql`
  a.inserted_at as since, a.expires_at as until, a.next_reminder_at as remind_at, w.wait,
  coalesce(a.status = 'pending' and least(a.expires_at, a.next_reminder_at) <= business_now(), false) as attend`

/** Joins the approval `a` that a column names, and its wait. */
export const joinApproval = (column: Fragment): Fragment => sql`
  left join approvals a on a.id = ${column}
  left join approval_waits w on w.id = a.wait_id`

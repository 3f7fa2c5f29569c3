/** What pending approvals wait for: one row for all that wait for the same, and how workflows and operators read it. */
import { createHash } from 'node:crypto'
import type { ApprovalRow } from './approvals.ts'
import type { Waiting } from './model/approval.ts'
import { canonicalJson } from './model/canonical.ts'
import { type Policy, type Wait, initialWait, waitingFor } from './model/consensus.ts'
import type { UserId } from './model/ids.ts'
import { type Fragment, type Tx, sql } from './sql.ts'

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

/** Where an approval stands; one from before waits were kept is open at its first step. */
export const waitOfRow = (row: Pick<ApprovalRow, 'wait' | 'policy'> & { requester: { id: string } }): Wait =>
  row.wait ?? initialWait(row.policy, row.requester.id as UserId) // the id of a person that was read

export type WaitingRow = {
  since: string | null
  until: string
  remind_at: string | null
  wait: Wait
  policy: Policy
  requester_id: string
}

/** What a thing's workflow has to know of the approval that joinApproval() found. */
export const waitingColumns = (): Fragment => sql`
  a.inserted_at as since, a.expires_at as until, a.next_reminder_at as remind_at, w.wait, a.policy, a.requester_id`

/** Joins the approval `a` that a column names, and its wait. */
export const joinApproval = (column: Fragment): Fragment => sql`
  left join approvals a on a.id = ${column}
  left join approval_waits w on w.id = a.wait_id`

/** What the workflow waits for, or null where there is no approval. */
export const toWaiting = (row: WaitingRow): Waiting | null =>
  row.since === null
    ? null
    : {
        since: row.since,
        until: row.until,
        remind_at: row.remind_at,
        waits_for: waitingFor(waitOfRow({ ...row, requester: { id: row.requester_id } })),
      }

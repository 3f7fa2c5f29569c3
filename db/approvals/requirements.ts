/** Requirements of pending approvals: one row for all that have the same, and how views read it. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../domain/canonical.ts'
import { inOrder } from '../in-order.ts'
import { FIRST_NOTICE_MINUTES } from '../../domain/approvals/approval.ts'
import type { ApprovalRequirements } from '../../domain/approvals/requirements.ts'
import type { ApprovalId } from '../../domain/ids.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'

/** Derives the id of requirements in an organization: the first half of the SHA-256 of both. */
export const requirementsId = (tx: Tx, wait: ApprovalRequirements): string =>
  createHash('sha256')
    .update(`${tx.organizationId}:${canonicalJson(wait)}`)
    .digest('hex')
    .slice(0, 32)

/** Writes requirements that no approval had before. Call it before the approval that names them is written. */
export async function writeRequirements(tx: Tx, wait: ApprovalRequirements): Promise<void> {
  const roles = [...new Set(wait.steps.flatMap((step) => step.roles))]
  const people = [...new Set(wait.steps.flatMap((step) => step.user_ids))]
  await tx`
    insert into approval_waits (id, organization_id, wait, named_roles, named_user_ids)
    values (${requirementsId(tx, wait)}, ${tx.organizationId}, ${sql.json(wait)}, ${roles}, ${people}::uuid[])
    on conflict do nothing`
}

/** Plans the first notice to new approvers: soon, unless another one is planned before. */
export const firstNoticeAt = (planned: Fragment): Fragment =>
  sql`least(${planned}, business_now() + make_interval(mins => ${FIRST_NOTICE_MINUTES}))`

/** Writes what a pending approval waits for now, and plans the notice to new approvers. */
export async function setRequirements(
  tx: Tx,
  id: ApprovalId,
  wait: ApprovalRequirements,
  anew: boolean,
): Promise<void> {
  await inOrder(
    () => writeRequirements(tx, wait),
    () => tx`
      update approvals set wait_id = ${requirementsId(tx, wait)}, updated_at = business_now()
        ${anew ? sql`, next_reminder_at = ${firstNoticeAt(sql`next_reminder_at`)}` : sql``}
      where id = ${id}`,
  )
}

/** The approval that a thing waits for, as a view reads it; null if it has none. */
export type WaitingRow = {
  since: string | null
  until: string
  remind_at: string | null
  /** The step whose time has come. */
  approval_due: 'expiry' | 'reminder' | null
  wait: ApprovalRequirements
}

/** The columns of a WaitingRow, of what joinApproval() found. */
export const waitingColumns = (): Fragment => sql`
  a.inserted_at as since, a.expires_at as until, a.next_reminder_at as remind_at, w.wait,
  case when a.status <> 'pending' then null when a.expires_at <= business_now() then 'expiry'
    when a.next_reminder_at <= business_now() then 'reminder' end as approval_due`

/** Joins the approval `a` that a column names, and its wait. */
export const joinApproval = (column: Fragment): Fragment => sql`
  left join approvals a on a.id = ${column}
  left join approval_waits w on w.id = a.wait_id`

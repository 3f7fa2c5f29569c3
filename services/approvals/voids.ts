/** Approvals that count no more, and changes of what waits for them. */
import { type Target, flowOfTarget } from '../../domain/approvals/approval.ts'
import { approvalEvents } from '../../domain/approvals/events.ts'
import type { VoidReason } from '../../domain/approvals/evidence.ts'
import { type ApprovalRequirements, type Policy, requirementsOf } from '../../domain/approvals/requirements.ts'
import { type SignedAttachment, inSubject } from '../../domain/attachments/attachment.ts'
import type { ApprovalId, DecisionId, UserId } from '../../domain/ids.ts'
import { newCause, record, recordAll } from '../events.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { firstNoticeAt, requirementsId, writeRequirements, writeSubject } from './requests.ts'

/** Approval to void, and the requirements that are left without it. */
export type Void = {
  readonly id: ApprovalId
  readonly target: Target
  readonly decision_id: DecisionId
  readonly step: number
  readonly left: ApprovalRequirements
}

/** Writes all voids in a few statements: decisions of the organization wait for the commit. Wakes their targets. */
export async function writeVoids(tx: Tx, voids: readonly Void[], reason: VoidReason): Promise<void> {
  if (voids.length === 0) return
  const ids = voids.map(({ id }) => id)
  const waits = voids.map(({ left }) => requirementsId(tx, left))
  const distinct = new Map(voids.map(({ left }, index) => [waits[index], left]))
  for (const wait of distinct.values()) await writeRequirements(tx, wait)
  await tx`
    insert into voided_approvals (decision_id, organization_id, approval_id, reason)
    select v.decision, ${tx.organizationId}, v.approval, ${reason}
    from unnest(${voids.map((one) => one.decision_id)}::uuid[], ${ids}::uuid[]) v (decision, approval)`
  await tx`
    update approvals set wait_id = v.wait, updated_at = business_now(), next_reminder_at = ${firstNoticeAt()}
    from unnest(${ids}::uuid[], ${waits}::uuid[]) v (approval, wait) where approvals.id = v.approval`
  const events = voids.map(({ id, decision_id, step }) => ({
    id,
    cause: `void:${decision_id}`,
    payload: { decision_id, step, reason },
  }))
  await recordAll(tx, approvalEvents.approval_voided, events)
  for (const { target } of voids) wake(tx, flowOfTarget(target.type), { ids: [target.id], why: 'approval_voided' })
}

type PendingRow = {
  target: Target
  policy: Policy
  requester_id: UserId
  subject_body: string
  subject_hash: string
  given: { decision_id: DecisionId; step: number }[]
}

/** Replaces the attachments in the subject of a locked, pending approval. What was approved before counts no more. */
export async function changeAttachments(tx: Tx, id: ApprovalId, attachments: readonly SignedAttachment[] | null) {
  const [row] = await tx<PendingRow[]>`
    select jsonb_build_object('type', a.target_type, 'id', a.target_id) as target, a.policy, a.requester_id,
      a.subject_body, a.subject_hash,
      (select coalesce(jsonb_agg(jsonb_build_object('decision_id', d.decision_id, 'step', d.step)), '[]')
        from approval_decisions d where d.approval_id = a.id and d.decision = 'approve'
        and not exists (select from voided_approvals v where v.decision_id = d.decision_id)) as given
    from approvals a where a.id = ${id} and a.status = 'pending'`
  if (!row) throw new Error(`the approval ${id} is not locked`)
  const { attachments: _before, ...others } = JSON.parse(row.subject_body) as Record<string, unknown> // as it was written
  const { body, hash } = writeSubject({ ...others, ...inSubject(attachments) })
  if (hash === row.subject_hash) return
  await tx`
    update approvals set subject_body = ${body}, subject_hash = ${hash}, updated_at = business_now() where id = ${id}`
  const payload = { subject_hash: hash, before: row.subject_hash, attachments: [...(attachments ?? [])] }
  await record(tx, approvalEvents.subject_changed, { subjectId: id, cause: newCause(), payload })
  const left = requirementsOf(row.policy, row.requester_id, [])
  const voids = row.given.map((one) => ({ ...one, id, target: row.target, left }))
  await writeVoids(tx, voids, 'subject_changed')
}

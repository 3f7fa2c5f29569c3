/** Steps of a row that waits for approval: mail its approvers, and expire the approval. */
import { flowOfTarget } from '../../domain/approvals/approval.ts'
import { candidates, openStep } from '../../domain/approvals/requirements.ts'
import { expireRequest, lockPending } from '../approvals/requests.ts'
import { membersWithRoles } from '../membership-lock.ts'
import { type Tx, within } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { mailApprovers, planNotices } from './notices.ts'
import { targetOf } from './targets.ts'

/** Expires a row's pending approval whose time is over, and cancels the row. */
export async function expireApproval(tx: Tx, targetId: string): Promise<void> {
  const expired = await expireRequest(tx, targetId)
  if (expired) await targetOf(expired.type).cancel(tx, [targetId], 'expired', () => expired.cause)
}

/** Mails the approvers of the open step who are due to hear of it, and plans the next look. */
export async function remindApprovers(tx: Tx, targetId: string): Promise<void> {
  const row = await lockPending(tx, targetId)
  if (!row?.reminder_due || row.is_over) return
  wake(tx, flowOfTarget(row.type), { ids: [targetId], why: 'reminded' })
  const members = await membersWithRoles(within(tx))
  const approvers = candidates(row.wait, openStep(row.wait), members).map(({ person }) => person)
  const { recipients, next } = await planNotices(tx, { ...row, target_id: targetId }, approvers)
  if (recipients.length > 0) await mailApprovers(tx, row, { recipients, members })
  await tx`
    update approvals set next_reminder_at = case when ${next}::float8 < extract(epoch from expires_at)
      then to_timestamp(${next}::float8) end
    where id = ${row.id}`
}

/** Steps of everything that waits for approval: approvers are reminded, and at last the approval expires. */
import { v5 } from 'uuid'
import { config } from '../../platform/config.ts'
import { mailRequester } from './notices.ts'
import { targetOf } from './target.ts'
import { REMINDER_HOURS, type Target, type TargetType } from '../../domain/approvals/approval.ts'
import { approvalMoves } from '../../domain/approvals/events.ts'
import { type Reviewer, type ApprovalRequirements, candidates, openStep } from '../../domain/approvals/requirements.ts'
import type { ApprovalId, DecisionId, UserId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { quotedInMail, unlinked } from '../../domain/text.ts'
import { sendMessage } from '../messages/messages.ts'
import { membersWithRoles } from '../membership-lock.ts'
import { type Tx, within } from '../sql.ts'
import { transition } from '../transition.ts'
import { wake } from '../wakes.ts'

const EXPIRY_NAMESPACE = 'b6a3f6d8-6c0f-4b43-9a54-1c7f2f6f0b11'
/** However much waits for somebody in an organization, one reminder in this time. */
const REMINDED_ONCE_IN_HOURS = 12

type Row = {
  readonly id: ApprovalId
  readonly target: Target
  readonly is_over: boolean
  readonly reminder_due: boolean
  readonly wait: ApprovalRequirements
  readonly requester_id: UserId
  readonly until: string
  readonly summary: string | null
  readonly organization: string
}

/** Expires the pending approval that a row waits for, if its time is over: what waits is cancelled, and its requester mailed. */
export async function expireApproval(tx: Tx, targetId: string): Promise<void> {
  const row = await lockPending(tx, targetId)
  if (!row?.is_over) return
  // derived, so that a repeat is the same decision
  const decisionId = v5(row.id, EXPIRY_NAMESPACE) as DecisionId
  const cause = `decision:${decisionId}`
  await tx`
    insert into approval_decisions (decision_id, organization_id, approval_id, decision, approval_status)
    values (${decisionId}, ${tx.organizationId}, ${row.id}, 'expire', 'cancelled')`
  await transition(tx, approvalMoves, row.id, { events: ['expire'], cause })
  await targetOf(row.target.type).cancel(tx, [row.target.id], 'expired', () => cause)
  await mailRequester(tx, { requester: row.requester_id, decider: null }, { how: 'expired', summary: row.summary })
}

/** Reminds the approvers of the open step of the pending approval that a row waits for, if that is due. */
export async function remindApprovers(tx: Tx, targetId: string): Promise<void> {
  const row = await lockPending(tx, targetId)
  if (!row?.reminder_due || row.is_over) return
  wake(tx, targetOf(row.target.type).flow, { ids: [targetId], why: 'reminded' })
  await remind(tx, row, candidates(row.wait, openStep(row.wait), await membersWithRoles(within(tx))))
}

/** Locks the pending approval of a row, and reads what is due about it; undefined if it was decided meanwhile. */
async function lockPending(tx: Tx, targetId: string): Promise<Row | undefined> {
  await tx`select id from approvals where target_id = ${targetId} and status = 'pending' for update`
  const [row] = await tx<(Omit<Row, 'target'> & { readonly type: TargetType })[]>`
    select a.id, a.target_type as type, a.expires_at <= business_now() as is_over,
      coalesce(a.next_reminder_at <= business_now(), false) as reminder_due, w.wait, a.requester_id,
      a.expires_at as until, a.summary, o.name as organization
    from approvals a
    join organizations o on o.id = a.organization_id
    join approval_waits w on w.id = a.wait_id
    where a.target_id = ${targetId} and a.status = 'pending'`
  return row && { ...row, target: { type: row.type, id: targetId } }
}

const where = (): string => (config.appUrl === undefined ? '' : `See ${config.appUrl}/approvals.`)

/**
 * Mails those of the approvers of the open step who were not reminded lately: some minutes after it was asked for, a
 * day after, and a day before it expires.
 */
async function remind(tx: Tx, row: Row, approvers: readonly Reviewer[]): Promise<void> {
  const reminded = await tx<{ email: string }[]>`
    with due as (
      insert into approval_reminders as r (organization_id, user_id)
      select ${tx.organizationId}, unnest(${approvers.map(({ userId }) => userId)}::uuid[])
      on conflict (organization_id, user_id) do update set sent_at = excluded.sent_at
        where r.sent_at <= business_now() - make_interval(hours => ${REMINDED_ONCE_IN_HOURS})
      returning user_id)
    select p.email from due join people p on p.id = due.user_id order by p.email`
  for (const { email } of reminded) {
    await sendMessage(tx, {
      recipient: email,
      channel: 'email',
      subject: `A request of ${quotedInMail(row.organization)} waits for your approval`,
      body: `${row.summary ? unlinked(row.summary) : 'A request'} waits for your approval until ${minuteOf(row.until)}. More may wait for you. ${where()}`,
      ...(config.appUrl !== undefined && { url: `${config.appUrl}/approvals` }),
    })
  }
  await tx`
    update approvals set next_reminder_at = (
      select min(at) from (values (inserted_at + make_interval(hours => ${REMINDER_HOURS})),
        (expires_at - make_interval(hours => ${REMINDER_HOURS}))) times (at)
      where at > greatest(business_now(), next_reminder_at) and at < expires_at)
    where id = ${row.id}`
}

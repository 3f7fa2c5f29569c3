/** What happens to an approval when its time comes: approvers are reminded, and at last it expires. */
import { v5 } from 'uuid'
import { config } from '../../platform/config.ts'
import { inOrder } from '../in-order.ts'
import { mailRequester } from './notices.ts'
import { targetOf } from './target.ts'
import { REMINDER_HOURS, type Target } from '../../domain/approvals/approval.ts'
import { approvalMoves } from '../../domain/approvals/events.ts'
import type { ApprovalStatus } from '../../domain/flows/undriven/approval.ts'
import { type Reviewer, type ApprovalRequirements, candidates, openStep } from '../../domain/approvals/requirements.ts'
import { refuse } from '../../domain/errors.ts'
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

export type ApprovalRef = { readonly approvalId: ApprovalId; readonly target: Target }

type Row = {
  status: ApprovalStatus
  due: boolean
  remind: boolean
  wait: ApprovalRequirements
  requester_id: UserId
  until: string
  summary: string | null
  organization: string
}

/**
 * Does what is due about an approval: cancels it if its time is over by business time, or reminds its approvers. Doing
 * it again changes nothing, and nothing happens to one that was decided meanwhile.
 */
export async function checkExpiry(tx: Tx, { approvalId, target }: ApprovalRef): Promise<void> {
  const [, [row]] = await inOrder(
    () => tx`select id from approvals where id = ${approvalId} for update`,
    () => tx<Row[]>`
      select a.status, a.expires_at <= business_now() as due, a.next_reminder_at <= business_now() as remind, w.wait,
        a.requester_id, a.expires_at as until, a.summary, o.name as organization
      from approvals a
      join organizations o on o.id = a.organization_id
      join approval_waits w on w.id = a.wait_id
      where a.id = ${approvalId}`,
  )
  if (!row) refuse('not_found')
  if (row.status !== 'pending') return
  if (row.due) return expire(tx, { approvalId, target }, row)
  if (!row.remind) return
  wake(tx, targetOf(target.type).flow, { ids: [target.id], why: 'reminded' })
  await remind(tx, approvalId, row, candidates(row.wait, openStep(row.wait), await membersWithRoles(within(tx))))
}

async function expire(tx: Tx, { approvalId, target }: ApprovalRef, row: Row): Promise<void> {
  // Derived, so that a repeat is the same decision.
  const decisionId = v5(approvalId, EXPIRY_NAMESPACE) as DecisionId
  const cause = `decision:${decisionId}`
  await inOrder(
    () => tx`
      insert into approval_decisions (decision_id, organization_id, approval_id, decision, approval_status)
      values (${decisionId}, ${tx.organizationId}, ${approvalId}, 'expire', 'cancelled')`,
    () => transition(tx, approvalMoves, approvalId, { events: ['expire'], cause }),
    () => targetOf(target.type).cancel(tx, [target.id], 'expired', () => cause),
  )
  await mailRequester(tx, { requester: row.requester_id, decider: null }, { how: 'expired', summary: row.summary })
}

const where = (): string => (config.appUrl === undefined ? '' : `See ${config.appUrl}/approvals.`)

/**
 * Mails those of the approvers of the open step who were not reminded lately: some minutes after it was asked for, a
 * day after, and a day before it expires.
 */
async function remind(tx: Tx, approvalId: ApprovalId, row: Row, approvers: readonly Reviewer[]): Promise<void> {
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
    where id = ${approvalId}`
}

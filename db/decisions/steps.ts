/** Steps of a row that waits for approval: remind its approvers, and expire the approval. */
import { REMINDER_HOURS, actionOfTarget } from '../../domain/approvals/approval.ts'
import { candidates, openStep } from '../../domain/approvals/requirements.ts'
import { minuteOf } from '../../domain/instants.ts'
import { quoteInMail, unlink } from '../../domain/text.ts'
import { config } from '../../platform/config.ts'
import { expireRequest, lockPending } from '../approvals/requests.ts'
import { membersWithRoles } from '../membership-lock.ts'
import { sendMessage } from '../messages/messages.ts'
import { type Tx, within } from '../sql.ts'
import { wake } from '../wakes.ts'
import { targetOf } from './targets.ts'

/** Hours between two reminders of one approver in one organization. */
const REMINDED_ONCE_IN_HOURS = 12

/** Expires a row's pending approval whose time is over, and cancels the row. */
export async function expireApproval(tx: Tx, targetId: string): Promise<void> {
  const expired = await expireRequest(tx, targetId)
  if (expired) await targetOf(expired.type).cancel(tx, [targetId], 'expired', () => expired.cause)
}

/** Mails the approvers of the open step when due: minutes and a day after the request, a day before its end. */
export async function remindApprovers(tx: Tx, targetId: string): Promise<void> {
  const row = await lockPending(tx, targetId)
  if (!row?.reminder_due || row.is_over) return
  wake(tx, actionOfTarget(row.type).flow, { ids: [targetId], why: 'reminded' })
  const approvers = candidates(row.wait, openStep(row.wait), await membersWithRoles(within(tx)))
  const reminded = await tx<{ email: string }[]>`
    with due as (
      insert into approval_reminders as r (organization_id, user_id)
      select ${tx.organizationId}, unnest(${approvers.map(({ userId }) => userId)}::uuid[])
      on conflict (organization_id, user_id) do update set sent_at = excluded.sent_at
        where r.sent_at <= business_now() - make_interval(hours => ${REMINDED_ONCE_IN_HOURS})
      returning user_id)
    select p.email from due join people p on p.id = due.user_id order by p.email`
  const url = `${config.appUrl}/approvals`
  for (const { email } of reminded) {
    await sendMessage(tx, {
      recipient: email,
      channel: 'email',
      subject: `A request of ${quoteInMail(row.organization)} waits for your approval`,
      body: `${row.summary ? unlink(row.summary) : 'A request'} waits for your approval until ${minuteOf(row.until)}. More may wait for you. See ${url}.`,
      url,
    })
  }
  await tx`
    update approvals set next_reminder_at = (
      select min(at) from (values (inserted_at + make_interval(hours => ${REMINDER_HOURS})),
        (expires_at - make_interval(hours => ${REMINDER_HOURS}))) times (at)
      where at > greatest(business_now(), next_reminder_at) and at < expires_at)
    where id = ${row.id}`
}

/** Steps of a row that waits for approval: remind its approvers, and expire the approval. */
import { REMINDER_HOURS, flowOfTarget } from '../../domain/approvals/approval.ts'
import { candidates, isSubstitute, openStep } from '../../domain/approvals/requirements.ts'
import { minuteOf } from '../../domain/instants.ts'
import { aboutOrganization } from '../../domain/messages/footers.ts'
import { type MailContent, namePerson } from '../../domain/messages/mail.ts'
import { quoteInMail, unlink } from '../../domain/text.ts'
import { type PendingApproval, expireRequest, lockPending } from '../approvals/requests.ts'
import { membersWithRoles } from '../membership-lock.ts'
import { linkApproval } from '../../platform/mail-links.ts'
import { sendMessage } from '../messages/messages.ts'
import { type Tx, within } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
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
  wake(tx, flowOfTarget(row.type), { ids: [targetId], why: 'reminded' })
  const approvers = candidates(row.wait, openStep(row.wait), await membersWithRoles(within(tx)))
  const reminded = await tx<{ user_id: string; email: string }[]>`
    with due as (
      insert into approval_reminders as r (organization_id, user_id)
      select ${tx.organizationId}, unnest(${approvers.map(({ person }) => person.userId)}::uuid[])
      on conflict (organization_id, user_id) do update set sent_at = excluded.sent_at
        where r.sent_at <= business_now() - make_interval(hours => ${REMINDED_ONCE_IN_HOURS})
      returning user_id)
    select due.user_id, p.email from due join people p on p.id = due.user_id order by p.email`
  const acting = new Set(
    approvers.flatMap(({ person: { userId }, capacity }) => (isSubstitute(userId, capacity) ? userId : [])),
  )
  for (const { user_id: userId, email } of reminded) {
    await sendMessage(tx, { recipient: email, channel: 'email', mail: reminderOf(row, acting.has(userId)) })
  }
  await tx`
    update approvals set next_reminder_at = (
      select min(at) from (values (inserted_at + make_interval(hours => ${REMINDER_HOURS})),
        (expires_at - make_interval(hours => ${REMINDER_HOURS}))) times (at)
      where at > greatest(business_now(), next_reminder_at) and at < expires_at)
    where id = ${row.id}`
}

function reminderOf(row: PendingApproval, asSubstitute: boolean): MailContent {
  const { id, organization, requester, summary, until } = row
  const asked = `${namePerson(requester)} asks for your approval. More may wait for you.`
  return {
    subject: `A request of ${quoteInMail(organization)} waits for your approval`,
    paragraphs: asSubstitute ? [asked, 'You may decide it as the substitute of another member.'] : [asked],
    facts: [
      ...(summary ? [['Request', unlink(summary)] as const] : []),
      ['Requested by', namePerson(requester)],
      ['Organization', quoteInMail(organization)],
      ['Until', minuteOf(until)],
    ],
    action: linkApproval(id, 'Review the request'),
    footer: aboutOrganization(organization),
  }
}

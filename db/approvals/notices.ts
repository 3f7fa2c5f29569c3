/** Mails to requesters: the outcome of their request, if another person decided it. */
import { sendMessage } from '../messages/messages.ts'
import type { UserId } from '../../domain/ids.ts'
import { quotedInMail, unlinked } from '../../domain/text.ts'
import type { Tx } from '../sql.ts'

const OUTCOMES = {
  approved: 'was approved',
  rejected: 'was rejected',
  expired: 'expired, because it was not approved in time',
} as const

type Outcome = { how: keyof typeof OUTCOMES; summary: string | null; reason?: string | null }

/** Mails the outcome to the requester, if they are a member still and did not decide it themselves. */
export async function mailRequester(
  tx: Tx,
  { requester, decider }: { requester: UserId; decider: UserId | null },
  { how, summary, reason = null }: Outcome,
): Promise<void> {
  if (requester === decider) return
  const [person] = await tx<{ email: string; organization: string }[]>`
    select p.email, o.name as organization
    from members m join people p on p.id = m.user_id join organizations o on o.id = m.organization_id
    where m.organization_id = ${tx.organizationId} and m.user_id = ${requester}`
  if (!person) return
  await sendMessage(tx, {
    recipient: person.email,
    channel: 'email',
    subject: `Your request in ${quotedInMail(person.organization)} ${OUTCOMES[how].split(',')[0]}`,
    body: `${summary ? unlinked(summary) : 'Your request'} ${OUTCOMES[how]}.${reason ? ` Reason: ${quotedInMail(reason)}.` : ''}`,
  })
}

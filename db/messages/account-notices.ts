/** Mails that tell a person what happened to their account, so that they can object. */
import { sendMessage } from './messages.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Transaction } from '../sql.ts'

/** Mails the person's primary address if the transaction commits. The text holds no secret. */
export async function notify(
  tx: Transaction,
  userId: UserId,
  notice: { readonly subject: string; readonly body: string },
): Promise<void> {
  const [person] = await tx<{ email: string }[]>`select email from people where id = ${userId}`
  if (!person) throw new Error('a notice to nobody')
  await sendMessage(tx, {
    recipient: person.email,
    channel: 'email',
    subject: notice.subject,
    body: `${notice.body} If this was not you, change your password and end your other sessions.`,
  })
}

/** Writes to every address that the person has confirmed, mail and phone, if the transaction commits. */
export async function notifyEverywhere(
  tx: Transaction,
  userId: UserId,
  notice: Pick<NewMessage, 'subject' | 'body' | 'token' | 'url'>,
): Promise<void> {
  const addresses = await tx<Pick<NewMessage, 'recipient' | 'channel'>[]>`
    select email as recipient, 'email' as channel from people where id = ${userId}
    union all
    select e164, 'message' from phone_numbers where user_id = ${userId} and confirmed_at is not null`
  for (const address of addresses) await sendMessage(tx, { ...notice, ...address })
}

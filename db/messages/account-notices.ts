/** Mails that tell a person what happened to their account, so that they can object. */
import { sendMessage } from './messages.ts'
import type { UserId } from '../model/ids.ts'
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

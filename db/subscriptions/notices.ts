/** Mails about a subscription that could not be paid, to those who can do something about it. */
import { managersWith } from '../messages/account-notices.ts'
import { sendMessage } from '../messages/messages.ts'
import { minuteOf } from '../../domain/instants.ts'
import type { Money } from '../../domain/money/money.ts'
import { quotedInMail } from '../../domain/text.ts'
import type { Tx } from '../sql.ts'

/** What was tried in vain, and when it is tried again; null: it was the last time. */
type FailedRenewal = { readonly offer: string; readonly required: Money; readonly again: string | null }

/** Mails everybody who may select a plan, if the transaction commits. */
export async function notifyManagers(tx: Tx, { offer, required, again }: FailedRenewal): Promise<void> {
  const next = again
    ? `It is tried again at ${minuteOf(again)}: add money to the account until then, or select another plan.`
    : 'It was the last time, and the subscription has ended. Select a plan to begin a new one.'
  for (const { email, organization } of await managersWith(tx, 'organization.update')) {
    await sendMessage(tx, {
      recipient: email,
      channel: 'email',
      subject: again ? 'A subscription could not be renewed' : 'A subscription has ended',
      body: `The plan ${quotedInMail(offer)} of ${quotedInMail(organization)} could not be renewed: ${required.amount} ${required.currency} were not available. ${next}`,
    })
  }
}

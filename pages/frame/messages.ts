/** Words for refusals, as people on a page need them. */
import { minuteOf } from '../../domain/instants.ts'
import type { RefusalView } from './viewer.ts'

const WORDS: Readonly<Record<string, string>> = {
  approval_already_processed: 'This was decided meanwhile. The page shows how.',
  approval_expired: 'This request has expired: nobody decided in time.',
  invalid_credentials: 'E-mail address or password is wrong.',
  email_not_confirmed: 'This e-mail address is not confirmed yet. Open the link in the mail that we sent.',
  insufficient_funds: 'The balance does not cover this payment now. It stays here and can be approved later.',
  not_an_approver: 'The policy names others for this step.',
  requester_cannot_approve: 'You asked for this, so another person has to approve it.',
  no_eligible_approver: 'Nobody is left who could give all approvals. An owner has to change the policy.',
  organization_unavailable: 'The organization is paused: nothing can be approved now.',
  rate_limited: 'Too many tries. Wait a little.',
  contact_not_approved: 'The payee has to be approved first.',
  account_cooling_off:
    'The payee was last paid at another account: wait, or have another person confirm this one by a call.',
  payee_mismatch:
    'What the bank says about the name of this account blocks paying it: the payment has to be asked for again.',
  address_required:
    'The bank needs the town and country of the payee: add them to the contact, and ask for the payment again.',
  service_unavailable: 'The service is busy. Nothing was decided; try again.',
  ledger_unbalanced: 'Payments of this organization are stopped until an operator has looked at its books.',
}

/** Fault of one value of a form, as `invalid_request` declares it. */
export type Fault = { readonly path: string; readonly message: string }

/** Says what a session that has proved nothing but a mailbox can do, and until when. */
const sayMailbox = (until: string): string =>
  `Your password was set by a mail, so until ${minuteOf(until)} a mail confirms nothing: you can read, prepare and stop things. To confirm at once, use an authenticator app, a passkey, an approval device or your phone.`

/** Says a refusal in a sentence; of a form, with what is wrong in which field. */
export function messageOf({
  type,
  message,
  details,
}: {
  readonly type: string
  readonly message: string
  readonly details?: RefusalView['details'] | undefined
}): string {
  if (details?.['reason'] === 'mailbox_only') return sayMailbox(String(details['until']))
  const faults = type === 'invalid_request' ? ((details?.['errors'] ?? []) as readonly Fault[]) : [] // as it declares
  const told = faults.map((fault) => `${fault.path.replaceAll('_', ' ')} ${fault.message}`)
  return told.length > 0 ? `Not taken: ${told.join('; ')}.` : (WORDS[type] ?? message)
}

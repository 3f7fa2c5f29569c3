/** The registry: everything a workflow may ask for, by queue. */
import * as approvals from './approvals.ts'
import * as contacts from './payment-contacts.ts'
import * as invitations from './invitations.ts'
import * as messages from './messages.ts'
import { sendMail } from './partners/mail.ts'
import * as payments from './payments.ts'

/** Recording, beside the workflows. */
export const main = { ...approvals, ...contacts, ...invitations, ...messages, ...payments }

/** The outside. */
export const partners = { sendMail }

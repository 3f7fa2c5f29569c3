/** The registry: everything a workflow may ask for, by queue. */
import * as messages from './messages.ts'
import { sendMail } from './partners/mail.ts'
import * as payments from './payments.ts'

/** Recording, beside the workflows. */
export const main = { ...payments, ...messages }

/** The outside. */
export const partners = { sendMail }

/** A payment contact that waits for approval, until somebody decided. */
import type { contactFlow } from '../domain/flows/contact.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { record } from './proxies.ts'

/** Answers the state that the contact ended in. A change of it that waits for approval starts it again. */
export const paymentContact = (ref: ProcessRef) =>
  drive<typeof contactFlow>(ref, record.lookAtContact, { pending_approval: 'waits' })

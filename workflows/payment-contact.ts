/** A payment contact that waits for approval, until somebody decided. It resumes with the ids alone. */
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
} from '@temporalio/workflow'
import type { ContactRef } from '../activities/payment-contacts.ts'
import { type ContactStatus, contactFlow } from '../db/model/contact-flow.ts'
import { driven } from '../db/model/flow.ts'
import { approvalGate, looks } from './approval.ts'
import { businessClock } from './clock.ts'
import { record } from './proxies.ts'

/** Answers the state that the contact ended in. */
export async function paymentContact(ref: ContactRef): Promise<ContactStatus> {
  let row: Awaited<ReturnType<typeof record.contactState>> | undefined
  const clock = businessClock()
  const gate = approvalGate(clock, looks(), () => condition(() => row !== undefined))

  row = await record.contactState(ref)
  clock.learn(row.clock_offset_seconds)
  let { status } = row
  if (driven(contactFlow, status)) {
    const { approval_id: approvalId, waiting } = row
    if (!approvalId || !waiting) throw ApplicationFailure.nonRetryable('the contact has no approval to wait for')
    const target = { type: 'payment_contact', id: ref.contactId } as const
    const reached = await gate.passed({
      ref: { organizationId: ref.organizationId, approvalId, target },
      waiting,
      renew: () => continueAsNew<typeof paymentContact>(ref),
    })
    status = reached as ContactStatus // the verdict's target is this contact
  }
  setCurrentDetails(`The contact is ${status}.`)
  await condition(allHandlersFinished)
  return status
}

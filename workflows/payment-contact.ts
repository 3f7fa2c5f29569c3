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
  const seen = looks()
  const target = { type: 'payment_contact', id: ref.contactId } as const

  let status: ContactStatus
  do {
    const before = row?.approval_id
    // a gate for each approval: what is decided from here on is another one's
    const gate = approvalGate(clock, seen, () => condition(() => row !== undefined))
    seen.asked = false
    row = await record.contactState(ref)
    clock.learn(row.clock_offset_seconds)
    status = row.status
    if (driven(contactFlow, status)) {
      const { approval_id: approvalId, waiting } = row
      if (!approvalId || !waiting) throw ApplicationFailure.nonRetryable('the contact has no approval to wait for')
      // the loop would turn for ever without yielding, and take the whole worker with it
      if (approvalId === before) throw ApplicationFailure.nonRetryable('decided, but the contact still waits for it')
      const reached = await gate.passed({
        ref: { organizationId: ref.organizationId, approvalId, target },
        waiting,
        renew: () => continueAsNew<typeof paymentContact>(ref),
      })
      status = reached as ContactStatus // the verdict's target is this contact
    }
    setCurrentDetails(`The contact is ${status}.`)
    await condition(allHandlersFinished)
    // it may wait again by now, for a change that was asked for while this run was about to end
  } while (seen.asked || driven(contactFlow, status))
  return status
}

/** What a decision does to a payment contact: it may be paid, or it is put away. */
import type { ApprovalTarget } from './approval-targets.ts'
import { type ContactStatus, contactFlow } from './model/contact-flow.ts'
import { refuse } from './model/errors.ts'
import type { ContactId } from './model/ids.ts'
import { transition } from './transition.ts'

type State = { id: ContactId; status: ContactStatus }

export const contactTarget: ApprovalTarget<State> = {
  async read(tx, id) {
    const [contact] = await tx<State[]>`select id, status from payment_contacts where id = ${id}`
    return contact ?? refuse('not_found')
  },
  guard() {},
  async approve(tx, { id }, cause) {
    await transition(tx, contactFlow, id, { events: ['approve'], cause })
    return contactFlow.events.approve.to
  },
  async stop(tx, ids, _how, cause) {
    await transition(tx, contactFlow, ids, { events: ['refuse'], cause })
    return contactFlow.events.refuse.to
  },
}

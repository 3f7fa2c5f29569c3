/** Steps of a payment at its partner: order, poll, cancel. Each records the answer; the partner knows our id. */
import { ApplicationFailure } from '@temporalio/common'
import { refuse } from '../domain/errors.ts'
import type { PaymentId } from '../domain/ids.ts'
import { log } from '../platform/log.ts'
import type { PartnerPayout } from '../domain/partner.ts'
import { isDriven } from '../domain/flow.ts'
import { paymentFlow } from '../domain/payments/flow.ts'
import type { PayoutUpdate, Silence } from '../domain/payments/payout.ts'
import type { ProcessRef } from '../domain/process.ts'
import { callAgain } from '../services/callbacks/callbacks.ts'
import { type Payout, beginOrder, failUnknownPayout, payoutOf, recordAnswer } from '../services/payments/steps.ts'
import { organizationOf } from '../db/processes/views.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { asksToWait, isFinal, isClientError, partnerRefusal } from '../partners/http.ts'
import type { PayoutView, Sought } from '../partners/driver.ts'
import { isAnotherAmount } from '../partners/failures.ts'
import { moneyPartner } from '../partners/money-partners.ts'
import { repeatsAtOnce } from './repeats.ts'

/** Update of a payout that was refused at once: it was never made, and has no version. */
const REFUSED = { status: 'rejected', reference: null, version: 0 } as const

/** Orders a payout, unless its payee is to be asked about first. */
export const orderPayout = (ref: ProcessRef<PaymentId>): Promise<void> =>
  askPartner(ref, ({ status, payeeDue }) => status === 'submitted' && !payeeDue, submit, beginOrder)

/** Polls a payout; orders it again if it never arrived. Skips an ended payment without a new callback. */
export const pollPayout = (ref: ProcessRef<PaymentId>): Promise<void> => askPartner(ref, isPolled, poll)

export const cancelPayout = (ref: ProcessRef<PaymentId>): Promise<void> =>
  askPartner(ref, ({ status }) => status === 'cancelling', cancel)

type Answer = Omit<PayoutUpdate, 'asked'> | Omit<Silence, 'asked'>

/** Calls the partner about a payout that is due; records the answer or its absence, and the next try. */
async function askPartner(
  ref: ProcessRef<PaymentId>,
  isDue: (payout: Payout) => boolean,
  ask: (id: PaymentId, payout: Payout) => Promise<Answer>,
  read: typeof payoutOf = payoutOf,
): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const asked = await asSystem(organizationId, (tx) => read(tx, id))
  if (!isDue(asked)) return
  let answer: Answer
  try {
    answer = await ask(id, asked)
  } catch (error) {
    if (repeatsAtOnce(error)) throw error
    log.warn({ err: error, payment_id: id, partner: asked.partner }, 'a partner gave no clear answer')
    answer = { hopeless: isFinal(error), anotherAmount: isAnotherAmount(error), notBefore: asksToWait(error) }
  }
  await asSystem(organizationId, (tx) => recordAnswer(tx, id, { ...answer, asked }))
}

/** Tells if a payout is polled; one that is submitted is ordered, by the one step that begins an order. */
const isPolled = ({ status, hasUnprocessedCallbacks }: Payout): boolean =>
  status !== 'submitted' && (hasUnprocessedCallbacks || (isDriven(paymentFlow, status) && status !== 'cancelling'))

async function poll(id: PaymentId, payout: Payout): Promise<Answer> {
  const view = await look(id, payout)
  if (view || !isDriven(paymentFlow, payout.status)) return { view }
  // a payout that the partner took and forgot goes to a person; one that never arrived is ordered again
  return payout.accepted ? { hopeless: true } : submit(id, payout)
}

const submit = async (id: PaymentId, payout: Payout): Promise<Answer> => ({ view: await putPayout(id, payout) })

/**
 * Orders the payout, or finds it. A refusal counts, unless the partner knows the payout anyway. Fails for good if there
 * is nothing to send, because the partner took it before.
 */
async function putPayout(id: PaymentId, payout: Payout): Promise<PartnerPayout> {
  const { partner, sendable, amount, reference, beneficiary, payeeAddress } = payout
  if (!sendable) throw ApplicationFailure.nonRetryable('there is nothing to send', 'NothingToSend')
  const driver = moneyPartner(partner)
  try {
    return viewOf(await driver.send(driver.plan({ id, amount, reference, beneficiary, payeeAddress }), id))
  } catch (error) {
    const refusal = partnerRefusal(error)
    if (!refusal) throw error
    return (await look(id, payout)) ?? { ...REFUSED, detail: refusal.message }
  }
}

/** Cancels a payout, which the partner may not know yet. A payout that it does not cancel counts as broadcast. */
async function cancel(id: PaymentId, payout: Payout): Promise<Answer> {
  const driver = moneyPartner(payout.partner)
  const known = (await look(id, payout)) ?? (await putPayout(id, payout))
  if (known.status !== 'pending' && known.status !== 'on_hold') return { view: known }
  try {
    if (driver.cancel) return { view: viewOf(await driver.cancel(soughtOf(id, payout))) }
  } catch (error) {
    if (!partnerRefusal(error) && !isClientError(error)) throw error
  }
  return { view: { ...known, status: 'processing' } }
}

type Terms = Pick<Payout, 'partner' | 'amount'>

async function look(id: PaymentId, payout: Terms): Promise<PartnerPayout | null> {
  const found = await moneyPartner(payout.partner).find(soughtOf(id, payout))
  return found && viewOf(found)
}

const soughtOf = (id: PaymentId, { amount }: Terms): Sought => ({
  id,
  key: id,
  operation: null,
  theirId: null,
  amount,
})

const viewOf = ({ status, detail, reference, version = 0 }: PayoutView): PartnerPayout => ({
  status,
  detail,
  reference,
  version,
})

/**
 * Fails a payment that is on hold or cancelling, for an operator, and releases its money. Refuses `not_found`, and
 * `invalid_state` in another state, or if the partner knows the payout, or never took it.
 */
export async function failHeldPayout(id: PaymentId, reason: string): Promise<void> {
  const { organization_id: organizationId, status } = (await callAgain(id)) ?? refuse('not_found')
  const { partner, amount } = await asSystem(organizationId, (tx) => payoutOf(tx, id))
  const known = await look(id, { partner, amount })
  if (known) refuse('invalid_state', { current: status, partner: known.status })
  await asSystem(organizationId, (tx) => failUnknownPayout(tx, id, reason))
}

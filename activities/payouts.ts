/** Steps of a payment at its partner: order, poll, cancel. Each records the answer; the partner knows our id. */
import { refuse } from '../domain/errors.ts'
import type { OrganizationId, PaymentId } from '../domain/ids.ts'
import { log } from '../platform/log.ts'
import type { ConnectionName } from '../domain/partner.ts'
import { isDriven } from '../domain/flow.ts'
import { paymentFlow } from '../domain/payments/flow.ts'
import type { Silence } from '../domain/payments/payout.ts'
import type { ProcessRef } from '../domain/process.ts'
import { callAgain } from '../services/callbacks/callbacks.ts'
import { type Payout, beginOrder, failUnknownPayout, payoutOf, recordAnswer } from '../services/payments/steps.ts'
import { organizationOf } from '../db/processes/views.ts'
import { asSystem } from '../db/postgres/sql.ts'
import type { PayoutOrder } from '../partners/driver.ts'
import { asksToWait, isFinal } from '../partners/http.ts'
import { isAnotherAmount } from '../partners/failures.ts'
import { moneyPartner } from '../partners/money-partners.ts'
import { type AskedPayout, type PayoutAnswer, PayoutCarrier } from '../partners/payouts.ts'
import { findOrder } from '../services/partner-orders/orders.ts'
import { repeatsAtOnce } from './repeats.ts'

/** Orders a payout, unless its payee is to be asked about first. */
export const orderPayout = (ref: ProcessRef<PaymentId>): Promise<void> =>
  askPartner(ref, isOrdered, (carrier, asked) => carrier.submit(asked), beginOrder)

/** Polls a payout; orders it again if it never arrived. Skips an ended payment without a new callback. */
export const pollPayout = (ref: ProcessRef<PaymentId>): Promise<void> => askPartner(ref, isPolled, poll)

export const cancelPayout = (ref: ProcessRef<PaymentId>): Promise<void> =>
  askPartner(
    ref,
    ({ status }) => status === 'cancelling',
    (carrier, asked) => carrier.cancel(asked),
  )

type Ask = (carrier: PayoutCarrier, asked: AskedPayout, payout: Payout) => Promise<PayoutAnswer>

/** Calls the partner about a payout that is due; records the answer or its absence, and the next try. */
async function askPartner(
  ref: ProcessRef<PaymentId>,
  isDue: (payout: Payout) => boolean,
  ask: Ask,
  read: typeof payoutOf = payoutOf,
): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const {
    payout: asked,
    carrier,
    ...known
  } = await asSystem(organizationId, async (tx) => {
    const payout = await read(tx, id)
    const carrier = carrierOf(organizationId, payout.partner)
    if (!isDue(payout)) return { payout, carrier, isDue: false }
    // written before anything is sent
    if (read === beginOrder)
      return { payout, carrier, isDue: true, begun: await carrier.begin(tx, orderOf(id, payout)) }
    return { payout, carrier, isDue: true, memory: await carrier.recall(tx, id) }
  })
  if (!known.isDue) return
  let answer: PayoutAnswer | Omit<Silence, 'asked'>
  try {
    answer = await ask(carrier, { order: orderOf(id, asked), ...asked, ...known }, asked)
  } catch (error) {
    if (repeatsAtOnce(error)) throw error
    log.warn({ err: error, payment_id: id, partner: asked.partner }, 'a partner gave no clear answer')
    answer = { hopeless: isFinal(error), anotherAmount: isAnotherAmount(error), notBefore: asksToWait(error) }
  }
  const answered = answer
  await asSystem(organizationId, async (tx) => {
    const recorded = 'memory' in answered ? await carrier.record(tx, id, answered) : answered
    if (recorded) await recordAnswer(tx, id, { ...recorded, asked })
  })
}

const carrierOf = (organizationId: OrganizationId, connection: ConnectionName): PayoutCarrier =>
  new PayoutCarrier({
    connection,
    driver: moneyPartner(connection),
    organizationId,
    commit: (work) => asSystem(organizationId, work),
  })

/** Writes the order of a payout: the same each time, also of one that was made before orders named a payer. */
const orderOf = (id: PaymentId, { rail, payer, payeeName, ...payout }: Payout): PayoutOrder => ({
  id,
  amount: payout.amount,
  reference: payout.reference,
  beneficiary: payout.beneficiary,
  payeeAddress: payout.payeeAddress,
  payer,
  payee: payer && rail === 'crypto' ? { name: payeeName } : null,
})

const isOrdered = ({ status, payeeDue }: Payout): boolean => status === 'submitted' && !payeeDue

/** Tells if a payout is polled; one that is submitted is ordered, by the one step that begins an order. */
const isPolled = ({ status, hasUnprocessedCallbacks }: Payout): boolean =>
  status !== 'submitted' && (hasUnprocessedCallbacks || (isDriven(paymentFlow, status) && status !== 'cancelling'))

async function poll(carrier: PayoutCarrier, asked: AskedPayout, payout: Payout): Promise<PayoutAnswer> {
  const { memory } = asked
  const view = await carrier.look(asked)
  if (view || !isDriven(paymentFlow, payout.status)) return { view, memory }
  // a payout that the partner took and forgot goes to a person; one that never arrived is ordered again
  return payout.accepted ? { hopeless: true, memory } : carrier.submit(asked, 'absent')
}

/**
 * Fails a payment that is on hold or cancelling, for an operator, and releases its money. Refuses `not_found`, and
 * `invalid_state` in another state, or if the partner knows the payout, or never took it.
 */
export async function failHeldPayout(id: PaymentId, reason: string): Promise<void> {
  const { organization_id: organizationId, status } = (await callAgain(id)) ?? refuse('not_found')
  const { carrier, asked, isHeld } = await asSystem(organizationId, async (tx) => {
    const payout = await payoutOf(tx, id)
    const memory = await findOrder(tx, { connection: payout.partner, subject: 'payment', subjectId: id })
    const carrier = carrierOf(organizationId, payout.partner)
    return { carrier, asked: { ...payout, order: orderOf(id, payout), memory }, isHeld: memory?.held != null }
  })
  const known = await carrier.look(asked)
  if (known) refuse('invalid_state', { current: status, partner: known.status })
  await asSystem(organizationId, (tx) => failUnknownPayout(tx, id, { reason, isHeld }))
}

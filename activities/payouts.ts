/** Steps of a payment at its partner: order, poll, cancel. Each records the answer; the partner knows our id. */
import { refuse } from '../domain/errors.ts'
import type { OrganizationId, PaymentId } from '../domain/ids.ts'
import { PAUSE_MAX_SECONDS } from '../domain/pauses.ts'
import { config } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import type { ConnectionName } from '../domain/partner.ts'
import { isDriven } from '../domain/flow.ts'
import { paymentFlow } from '../domain/payments/flow.ts'
import { fallbackIdOf } from '../domain/payments/speed.ts'
import type { ProcessRef } from '../domain/process.ts'
import { callAgain } from '../services/callbacks/callbacks.ts'
import { type Payout, beginOrder, lockPayment, lockSendable, payoutOf } from '../services/payments/orders.ts'
import { failUnknownPayout, recordAnswer } from '../services/payments/steps.ts'
import { waitsForPayee } from '../services/screening/payments.ts'
import { waitsForPause } from '../services/connections/pauses.ts'
import { organizationOf } from '../db/processes/views.ts'
import { asSystem } from '../db/postgres/sql.ts'
import type { CheckedDriver } from '../partners/answers.ts'
import type { PayoutOrder } from '../partners/driver.ts'
import { asksToWait, isFinal } from '../partners/http.ts'
import { isAnotherAmount } from '../partners/failures.ts'
import { moneyPartner } from '../partners/money-partners.ts'
import { type AskedPayout, type OtherOrder, type PayoutAnswer, PayoutCarrier } from '../partners/payouts.ts'
import { findOrder } from '../services/partner-orders/orders.ts'
import { repeatsAtOnce } from './repeats.ts'

/** Makes the steps of payments at connections with these drivers. */
export function payoutSteps(driverOf: (connection: ConnectionName) => CheckedDriver) {
  const carrierOf = (organizationId: OrganizationId, id: PaymentId, payout: Payout): PayoutCarrier =>
    new PayoutCarrier({
      connection: payout.partner,
      driver: driverOf(payout.partner),
      organizationId,
      payment: { id, subject: subjectOf(payout) },
      commit: (work) => asSystem(organizationId, work),
      lock: lockPayment,
      lockSendable,
    })

  /** Reads a payout with the memory of its order; one that is to be ordered is remembered here, before it is sent. */
  async function readPayout(organizationId: OrganizationId, id: PaymentId, { isDue, begins }: Asking) {
    return asSystem(organizationId, async (tx) => {
      const payout = await (begins ? beginOrder : payoutOf)(tx, id)
      if (!isDue(payout)) return null
      const carrier = carrierOf(organizationId, id, payout)
      const order = orderOf(id, payout)
      const { sendable, paused, ordered } = payout
      const asked = { order, other: otherOf(id, payout), sendable, paused, ordered }
      if (begins) return { payout, carrier, asked: { ...asked, begun: await carrier.begin(tx, order) } }
      return { payout, carrier, asked: { ...asked, memory: await carrier.recall(tx) } }
    })
  }

  /** Calls the partner about a payout that is due; records the answer or its absence, and the next try. */
  async function askPartner(ref: ProcessRef<PaymentId>, asking: Asking): Promise<void> {
    const organizationId = organizationOf(ref)
    const { id } = ref
    const due = await readPayout(organizationId, id, asking)
    if (!due) return
    const { payout, carrier, asked } = due
    const answer = await asking.ask(carrier, asked, payout).catch((error: unknown) => {
      if (repeatsAtOnce(error)) throw error
      log.warn({ err: error, payment_id: id, partner: payout.partner }, 'a partner gave no clear answer')
      return { hopeless: isFinal(error), anotherAmount: isAnotherAmount(error), notBefore: asksToWait(error) }
    })
    await asSystem(organizationId, async (tx) => {
      const recorded = 'memory' in answer ? await carrier.record(tx, answer) : answer
      const poll = driverOf(payout.partner).describe().callsAlways ? PAUSE_MAX_SECONDS : config.partnerPollSeconds
      if (recorded) await recordAnswer(tx, id, { ...recorded, asked: payout }, poll)
    })
  }

  return {
    /** Orders a payout, unless its payee is to be asked about first, or its connection is paused. */
    orderPayout: (ref: ProcessRef<PaymentId>) => askPartner(ref, ORDER),
    /** Polls a payout; orders it again if it never arrived. Skips an ended payment without a new callback. */
    pollPayout: (ref: ProcessRef<PaymentId>) => askPartner(ref, POLL),
    cancelPayout: (ref: ProcessRef<PaymentId>) => askPartner(ref, CANCEL),

    /**
     * Fails a payment that is on hold or cancelling, for an operator, and releases its money. Refuses `not_found`, and
     * `invalid_state` in another state, or if the partner knows the payout, or never took it and still may be sent it.
     */
    failHeldPayout: async (id: PaymentId, reason: string): Promise<void> => {
      const { organization_id: organizationId, status } = (await callAgain(id)) ?? refuse('not_found')
      const { carrier, asked } = await asSystem(organizationId, async (tx) => {
        const payout = await payoutOf(tx, id)
        const memory = await findOrder(tx, { connection: payout.partner, subject: subjectOf(payout), subjectId: id })
        const { sendable } = payout
        return {
          carrier: carrierOf(organizationId, id, payout),
          asked: { order: orderOf(id, payout), sendable, memory },
        }
      })
      const known = await carrier.look(asked)
      if (known) refuse('invalid_state', { current: status, partner: known.status })
      const isHeld = asked.memory?.held != null
      await asSystem(organizationId, (tx) => failUnknownPayout(tx, id, { reason, isHeld }))
    },
  }
}

/** Question to a partner, and when it is due; `begins`: it begins the order. */
type Asking = {
  readonly isDue: (payout: Payout) => boolean
  readonly ask: (carrier: PayoutCarrier, asked: AskedPayout, payout: Payout) => Promise<PayoutAnswer>
  readonly begins?: true
}

/** Writes the order of a payout: the same each time, also of one that was made before orders named a payer. */
const orderOf = (id: PaymentId, { rail, payer, payeeName, ...payout }: Payout): PayoutOrder => ({
  id: payout.fellBack ? fallbackIdOf(id) : id,
  amount: payout.amount,
  speed: payout.fellBack ? 'standard' : payout.pace.speed,
  reference: payout.reference,
  beneficiary: payout.beneficiary,
  payeeType: payout.payeeType,
  payeeAddress: payout.payeeAddress,
  payer,
  payee: payer && rail === 'crypto' ? { name: payeeName } : null,
})

const subjectOf = ({ fellBack }: Payout) => (fellBack ? 'payment_fallback' : 'payment')

/** Names the other order of an instant payment: the standard one that may follow it, or the instant one before. */
function otherOf(id: PaymentId, { fellBack, pace, amount }: Payout): OtherOrder | undefined {
  if (fellBack) return { id, amount, subject: 'payment' }
  if (pace.speed === 'standard' || pace.fallback === 'none') return undefined
  return { id: fallbackIdOf(id), amount, subject: 'payment_fallback' }
}

const ORDER: Asking = {
  isDue: (payout) =>
    payout.status === 'submitted' && !payout.payeeDue && !waitsForPause(payout) && !waitsForPayee(payout),
  ask: (carrier, asked) => carrier.submit(asked),
  begins: true,
}

/** Poll of a payout; one that is submitted is ordered, by the one step that begins an order. */
const POLL: Asking = {
  isDue: ({ status, hasUnprocessedCallbacks }) =>
    status !== 'submitted' && (hasUnprocessedCallbacks || (isDriven(paymentFlow, status) && status !== 'cancelling')),
  ask: poll,
}

const CANCEL: Asking = {
  isDue: ({ status }) => status === 'cancelling',
  ask: (carrier, asked) => carrier.cancel(asked),
}

async function poll(carrier: PayoutCarrier, asked: AskedPayout, payout: Payout): Promise<PayoutAnswer> {
  const { memory } = asked
  const view = await carrier.look(asked)
  if (view || !isDriven(paymentFlow, payout.status)) return { view, memory }
  // a payout that the partner took and forgot goes to a person; one that never arrived is ordered again
  return payout.accepted ? { hopeless: true, memory } : carrier.submit(asked, 'absent')
}

export const { orderPayout, pollPayout, cancelPayout, failHeldPayout } = payoutSteps(moneyPartner)

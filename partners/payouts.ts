/** Payouts at a connection, with the memory that stands around every driver: none is paid twice. */
import { ApplicationFailure } from '@temporalio/common'
import type { OrganizationId } from '../domain/ids.ts'
import type { PartnerPayout, PayoutStatus } from '../domain/partner.ts'
import { type HoldReason, isKeyOver } from '../domain/partner-orders.ts'
import { log } from '../platform/log.ts'
import type { Transaction } from '../db/postgres/sql.ts'
import {
  type KnownOrder,
  type OrderName,
  type RememberedOrder,
  findOrder,
  holdOrder,
  noteView,
  rememberOrder,
} from '../services/partner-orders/orders.ts'
import { isPaused } from '../services/connections/pauses.ts'
import { secondsUnattended } from '../services/payments/view.ts'
import type { CheckedDriver } from './answers.ts'
import type { Capabilities, Intent, PayoutOrder, PayoutView, Sought } from './driver.ts'
import { isClientError, partnerRefusal } from './http.ts'
import { type Commit, type Trial, tryOrder } from './orders.ts'

/** Connection of an organization whose payouts are carried. */
export type PayoutConnection = {
  readonly connection: string
  readonly driver: CheckedDriver
  readonly organizationId: OrganizationId
  /** Payment, and which of its orders is carried: the standard one in place of an instant one is another. */
  readonly payment: { readonly id: string; readonly subject: 'payment' | 'payment_fallback' }
  readonly commit: Commit
  /** Locks the payment: always before the memory of its order. */
  readonly lock: (tx: Transaction, id: string) => Promise<unknown>
  /** Locks the payment, and tells if it is still to be sent. */
  readonly lockSendable: (tx: Transaction, id: string) => Promise<boolean>
}

/** Payout that is asked about, and the memory of its order, if its driver needs that. */
export type AskedPayout = {
  readonly order: PayoutOrder
  /** Other order of the payment: the partner pays one of both. */
  readonly other?: OtherOrder | undefined
  /** It is still to be sent: it has not ended, and no partner ever took it. */
  readonly sendable: boolean
  /** Reason of the pause of the connection: nothing is sent. */
  readonly paused?: string | null
  /** Under a pause: its order had begun before. */
  readonly ordered?: boolean
  readonly memory?: KnownOrder | undefined
  /** Order that was begun in the transaction before this. */
  readonly begun?: BegunPayout | undefined
}

/** Instant order that was refused, or the standard one that may follow the instant order. */
export type OtherOrder = Pick<PayoutOrder, 'id' | 'amount'> & { readonly subject: 'payment' | 'payment_fallback' }

type PlannedPayout = { readonly intent: Intent; readonly memory: RememberedOrder }

/** Order whose memory is written; `refusal`: the driver cannot carry it. */
export type BegunPayout = PlannedPayout | { readonly refusal: string; readonly memory: KnownOrder | undefined }

/** Answer of a partner before it is recorded. */
export type PayoutAnswer =
  | {
      /** Null: it has no such payout. */
      readonly view: PayoutView | null
      readonly memory: KnownOrder | undefined
      /** Status that counts in place of the view's. */
      readonly as?: PayoutStatus
    }
  | PayoutSilence

/** No view: when to ask again, and whether a person has to look. */
export type PayoutSilence = {
  readonly hopeless: boolean
  readonly held?: HoldReason
  readonly waits?: boolean
  readonly notBefore?: number
  readonly memory: KnownOrder | undefined
}

/** Answer as the payment takes it. */
export type RecordedAnswer = { readonly view: PartnerPayout | null } | Omit<PayoutSilence, 'memory'>

/** Payouts of an organization at a connection. */
export class PayoutCarrier {
  readonly #at: PayoutConnection
  readonly #keeping: Capabilities

  constructor(at: PayoutConnection) {
    this.#at = at
    this.#keeping = at.driver.describe()
  }

  /** Reads the memory of an order, for a driver that needs it. */
  async recall(tx: Transaction): Promise<KnownOrder | undefined> {
    return this.#keeping.givesVersions ? undefined : findOrder(tx, this.#name)
  }

  /** Writes the memory of an order: commit it before `submit`. */
  async begin(tx: Transaction, order: PayoutOrder): Promise<BegunPayout> {
    const name = this.#name
    let intent: Intent
    try {
      intent = this.#at.driver.plan(order)
    } catch (error) {
      const refusal = partnerRefusal(error)
      if (!refusal) throw error
      return { refusal: refusal.message, memory: await findOrder(tx, name) }
    }
    const { operation, content } = intent
    const { organizationId, payment } = this.#at
    const sent = { id: order.id, operation, content }
    const { keysKept } = this.#keeping
    const isUnknowable = async () => keysKept !== 'ever' && isKeyOver(await secondsUnattended(tx, payment.id), keysKept)
    const named = { ...name, organizationId, operation, key: order.id }
    const memory = await rememberOrder(tx, { ...named, content: sent, isUnknowable })
    return { intent, memory }
  }

  /** Finds a payout; null without one. */
  look(asked: AskedPayout): Promise<PayoutView | null> {
    return this.#find(asked.order, asked.begun?.memory ?? asked.memory)
  }

  /** Orders a payout, or finds it. `looked`: whether the partner has just said that it has none. */
  async submit(asked: AskedPayout, looked: 'not_yet' | 'absent' = 'not_yet'): Promise<PayoutAnswer> {
    const { order, sendable, paused } = asked
    if (paused != null) return this.#lookOnly(asked, looked)
    if (!sendable) throw nothingToSend()
    const begun = asked.begun ?? (await this.#at.commit((tx) => this.#beginLate(tx, order)))
    if (begun === 'over') throw nothingToSend()
    if (begun === 'paused') return this.#lookOnly(asked, looked)
    const { memory } = begun
    if ('refusal' in begun) return this.#findUnplanned(order, begun.refusal, memory)
    const barred = asked.other && (await this.#findOther(order, asked.other, memory))
    if (barred) return barred
    try {
      const attempt = await tryOrder(this.#trialOf(order, begun), looked)
      if (attempt.kind === 'answered') return { view: attempt.view, memory }
      if (attempt.kind === 'waits') return { hopeless: false, waits: true, notBefore: attempt.seconds, memory }
      return { hopeless: true, ...(attempt.why !== 'lost' && { held: attempt.why }), memory }
    } catch (error) {
      const refusal = partnerRefusal(error)
      if (!refusal) throw error
      return this.#findRefused(order, refusal.message, memory)
    }
  }

  /** Asks about a payout, and sends nothing: its connection is paused. */
  async #lookOnly(asked: AskedPayout, looked: 'not_yet' | 'absent'): Promise<PayoutAnswer> {
    const memory = asked.begun?.memory ?? asked.memory
    const view = looked === 'absent' ? null : await this.look(asked)
    return view ? { view, memory } : { hopeless: false, waits: true, memory }
  }

  /**
   * Cancels a payout, which the partner may not know yet. One that it does not cancel counts as broadcast. One whose order
   * waits for the end of a pause was never sent, and is not sent any more.
   */
  async cancel(asked: AskedPayout): Promise<PayoutAnswer> {
    const found = await this.look(asked)
    if (!found && asked.paused != null && !asked.ordered)
      return { view: neverMade(asked.order, NEVER_SENT), memory: asked.memory }
    const answer = found ? { view: found, memory: asked.memory } : await this.submit(asked, 'absent')
    if (!('view' in answer) || !answer.view) return answer
    const { view, memory } = answer
    if (view.status !== 'pending' && view.status !== 'on_hold') return answer
    const { cancel } = this.#at.driver
    try {
      const sought = { ...soughtOf(asked.order, memory), theirId: view.theirId }
      if (cancel) return { view: await cancel(sought), memory }
    } catch (error) {
      if (!partnerRefusal(error) && !isClientError(error)) throw error
    }
    return { ...answer, as: 'processing' }
  }

  /** Gives a view its version, or notes that a person has to look; null if another answer was faster. */
  async record(tx: Transaction, answer: PayoutAnswer): Promise<RecordedAnswer | null> {
    if (!('view' in answer)) {
      const { memory: _memory, ...silence } = answer
      if (!silence.held) return silence
      await this.#at.lock(tx, this.#at.payment.id)
      await holdOrder(tx, this.#name, silence.held)
      return silence
    }
    const { view, memory, as } = answer
    if (!view) return { view: null }
    const { theirId, amount: _amount, version = 0, ...shown } = view
    const { status } = shown
    if (this.#keeping.givesVersions || !memory) return { view: { ...shown, status: as ?? status, version } }
    const { connection, payment } = this.#at
    const { id } = payment
    await this.#at.lock(tx, id)
    const noted = await noteView(tx, memory, { theirId, ...shown })
    if (noted.kind === 'overtaken') return null
    if (noted.kind === 'of_another') {
      log.error({ connection, payment_id: id }, 'a partner shows one payout for two orders')
      return { hopeless: true }
    }
    const { view: last, version: count } = noted
    if (noted.kind === 'backward')
      log.error({ connection, payment_id: id, to: status }, 'a payout goes backward at its partner')
    return { view: { ...last, status: as ?? last.status, version: count } }
  }

  get #name(): OrderName {
    const { connection, payment } = this.#at
    return { connection, subject: payment.subject, subjectId: payment.id }
  }

  /**
   * Looks at the other order of the payment, right before this one is sent; undefined if the partner pays nothing for it.
   * A database that was restored has forgotten the standard order of an instant payment: the instant one is not sent
   * then. A standard order is not sent while the instant one is shown as anything but `rejected`.
   */
  async #findOther(
    order: PayoutOrder,
    { id, amount, subject }: OtherOrder,
    memory: KnownOrder | undefined,
  ): Promise<PayoutAnswer | undefined> {
    const { connection, payment, commit, driver } = this.#at
    const name = { connection, subject, subjectId: payment.id }
    const other = await driver.find(soughtOf({ id, amount }, await commit((tx) => findOrder(tx, name))))
    if (!other || (subject === 'payment' && other.status === 'rejected')) return undefined
    if (subject === 'payment_fallback') return this.#findRefused(order, 'its standard order is there', memory)
    log.error({ connection, payment_id: payment.id }, 'a partner shows an instant payout that it refused')
    return { hopeless: true, memory }
  }

  #find(order: PayoutOrder, memory: KnownOrder | undefined): Promise<PayoutView | null> {
    return this.#at.driver.find(soughtOf(order, memory))
  }

  /** Begins an order after a look, which took a while: its payment may be over, or its connection paused. */
  async #beginLate(tx: Transaction, order: PayoutOrder): Promise<BegunPayout | 'over' | 'paused'> {
    if (!(await this.#at.lockSendable(tx, this.#at.payment.id))) return 'over'
    return (await isPaused(tx, this.#at.connection)) ? 'paused' : this.begin(tx, order)
  }

  /** Counts what the driver cannot carry as refused. What may have been sent before is held: it may arrive yet. */
  async #findUnplanned(order: PayoutOrder, detail: string, memory: KnownOrder | undefined): Promise<PayoutAnswer> {
    if (!memory?.isSent) return this.#findRefused(order, detail, memory)
    const view = await this.#find(order, memory)
    return view ? { view, memory } : { hopeless: true, held: 'other_bytes', memory }
  }

  /** Counts a refusal, unless the partner has the payout anyway. */
  async #findRefused(order: PayoutOrder, detail: string, memory: KnownOrder | undefined): Promise<PayoutAnswer> {
    return { view: (await this.#find(order, memory)) ?? neverMade(order, detail), memory }
  }

  #trialOf(order: PayoutOrder, { intent, memory }: PlannedPayout): Trial<PayoutView> {
    const { driver, commit } = this.#at
    return {
      keeping: this.#keeping,
      commit,
      memory,
      find: () => this.#find(order, memory),
      send: () => driver.send(intent, memory.key),
    }
  }
}

/** Makes the view of a payout that the provider has never made. */
const neverMade = ({ amount }: PayoutOrder, detail: string): PayoutView => ({
  theirId: null,
  status: 'rejected',
  detail,
  reference: null,
  amount,
})

const nothingToSend = () => ApplicationFailure.nonRetryable('there is nothing to send', 'NothingToSend')

const NEVER_SENT = 'was never sent'

const soughtOf = ({ id, amount }: Pick<PayoutOrder, 'id' | 'amount'>, memory: KnownOrder | undefined): Sought => ({
  id,
  key: memory?.key ?? id,
  operation: memory?.operation ?? null,
  theirId: memory?.theirId ?? null,
  amount,
})

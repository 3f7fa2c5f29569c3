/** Scene of a situation: one payment in our books and at the provider, and the steps that its run would take. */
import { main } from '../../activities/index.ts'
import { checkPayee } from '../../activities/payee-checks.ts'
import { cancelPayout, orderPayout, pollPayout } from '../../activities/payouts.ts'
import type { PaymentId } from '../../domain/ids.ts'
import type { Speed } from '../../domain/payments/speed.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { now } from '../../platform/clock.ts'
import { act } from './act.ts'
import { exchangeFiles } from './file-rounds.ts'
import {
  type MoveOptions,
  type PayoutWord,
  type Provider,
  type ProviderPayout,
  type Rail,
  mainRailOf,
} from './provider.ts'
import { type KitPayment, type Service, later, owner } from './service.ts'

/** Parts that every situation has. */
export type Kit = { readonly provider: Provider; readonly service: Service }

/** Payment as our books have it. */
export type OwnView = {
  readonly status: string
  readonly statusDetail: string
  /** Money that left by our books: positive, less what came back. */
  readonly booked: number
  /** Money of the payment that is still held. */
  readonly held: number
  readonly findings: readonly string[]
  readonly isCalled: boolean
}

const ENDS = new Set(['succeeded', 'failed', 'cancelled', 'reversed'])
const ROUND_SECONDS = 60
const ROUNDS = 8

export class Scene {
  constructor(
    readonly kit: Kit,
    readonly payment: KitPayment,
    /** Instant of its beginning: what is found about files of the bank from then on is about it. */
    readonly began = new Date(0),
  ) {}

  /** Begins a scene of a new payment of 100.00, which people have approved. */
  static async begin(kit: Kit, rail: Rail = mainRailOf(kit.provider.can), speed?: Speed): Promise<Scene> {
    const began = now()
    return new Scene(kit, await kit.service.pay(rail, undefined, speed), began)
  }

  get provider(): Provider {
    return this.kit.provider
  }

  get ref(): ProcessRef<PaymentId> {
    return { id: this.payment.id as PaymentId, organizationId: this.payment.organizationId }
  }

  /** Orders at the provider; by files, puts the payment into the next one. */
  putOrder = () => act(orderPayout, this.ref)

  async order(): Promise<unknown> {
    const ordered = await this.putOrder()
    await exchangeFiles(this.provider)
    return ordered
  }

  async poll(): Promise<unknown> {
    await exchangeFiles(this.provider)
    return act(pollPayout, this.ref)
  }

  decideCancellation = () => act(cancelPayout, this.ref)

  /** Takes the step that the payment's run would take now. */
  async step(): Promise<void> {
    const view = await act(main.viewPayment, this.ref)
    if (!(view instanceof Error) && 'payee_check_due' in view && view.payee_check_due) await act(checkPayee, this.ref)
    const { status } = await this.look()
    await (status === 'submitted' ? this.order() : status === 'cancelling' ? this.decideCancellation() : this.poll())
  }

  /** Drives the payment as its run does, a minute a round, to its end or for these rounds. */
  async drive(rounds = ROUNDS): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      await this.step()
      const { status, isCalled } = await this.look()
      if (ENDS.has(status) && !isCalled) return
      await later(ROUND_SECONDS)
    }
  }

  /** Lists the payouts that the provider made of this payment. */
  payouts = (): readonly ProviderPayout[] => this.provider.payouts(this.payment.reference)

  /** Names the only payout; throws if there is none, or a second. */
  payout(): ProviderPayout {
    const [first, ...more] = this.payouts()
    if (!first || more.length > 0) throw new Error(`there are ${this.payouts().length} payouts, not one`)
    return first
  }

  /** Moves all payouts of this payment that have not ended. */
  move(to: PayoutWord, change?: MoveOptions): void {
    for (const { handle, status } of this.payouts())
      if (!['rejected', 'cancelled', 'returned'].includes(status)) this.provider.move(handle, to, change)
  }

  /** Has the provider pay, without any fault from now on, and drives the payment to its end. */
  async settle(): Promise<void> {
    this.provider.clear()
    await this.drive(2)
    for (const { handle, status } of this.payouts())
      if (['pending', 'processing', 'on_hold'].includes(status)) this.provider.move(handle, 'settled')
    await this.drive()
  }

  /** Calls back about the payout; answers the status of the service. */
  callBack = (...options: Parameters<Provider['callback']> extends [unknown, unknown, ...infer Rest] ? Rest : never) =>
    this.kit.service.callBack(this.provider.callback('payout', this.payout().handle, ...options))

  async look(): Promise<OwnView> {
    const { id } = this.payment
    const [row] = await owner<OwnView[]>`
      select p.status, coalesce(p.status_detail, '') as "statusDetail",
        p.callbacks_received > p.callbacks_processed as "isCalled",
        coalesce((select sum(e.amount) from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
          join ledger_accounts a on a.id = e.account_id
          where a.kind ~ '^(bank|custody)(:|$)' and (t.key like 'payment:' || p.id || ':%' or t.key in (
            select 'charge:' || c.id from partner_charges c where c.payment_id = p.id and c.name = 'kept'))), 0)::float8 as booked,
        coalesce((select sum(e.amount) from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
          join ledger_accounts a on a.id = e.account_id
          where t.key like 'payment:' || p.id || ':%' and a.kind = 'held'), 0)::float8 as held,
        array(select f.check_name from audit_findings f where f.subject = p.id::text and f.resolved_at is null
          union select s.check_name from service_findings s where s.check_name like 'bank\_file\_%'
            and s.resolved_at is null and s.found_at >= ${this.began}) as findings
      from payments p where p.id = ${id}`
    if (!row) throw new Error(`there is no payment ${id}`)
    return row
  }
}

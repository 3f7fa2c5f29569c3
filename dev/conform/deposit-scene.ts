/** Scene of a deposit: money that arrives at the provider, and the steps that its run would take. */
import { main } from '../../activities/index.ts'
import { askAboutDeposit, bookAnnouncedDeposit, sendDepositBack } from '../../activities/deposits.ts'
import { depositUuid } from '../../services/partner-orders/their-ids.ts'
import { depositIdOf } from '../../domain/deposits/deposit.ts'
import type { DepositId } from '../../domain/ids.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { act } from './act.ts'
import { exchangeFiles } from './file-rounds.ts'
import { type CallbackOptions, type ProviderDeposit, type Rail, mainRailOf } from './provider.ts'
import { PARTNER, findingsAbout } from './reconciling.ts'
import type { Kit } from './scene.ts'
import { later, owner } from './service.ts'
import { type Verdict, say } from './verdict.ts'

export type OwnDeposit = {
  /** Status of the deposit, or of the unmatched one; `nowhere` without either. */
  readonly status: string
  /** Money of it that our books have taken in, less what went back. */
  readonly booked: number
}

/** Pause between the tries of a step; absence is sure by then. */
const PAUSE_SECONDS = 600
const RETURN_AFTER_SECONDS = 31 * 86_400
const ENDS = new Set(['credited', 'returned', 'nowhere', 'unmatched'])

export class DepositScene {
  private constructor(
    readonly kit: Kit,
    readonly deposit: ProviderDeposit,
  ) {}

  /** Lets money arrive for the payer, or for an account that nobody has. */
  static arrive(kit: Kit, { rail = mainRailOf(kit.provider.can), amount = '100.00', currency, account }: Arrival = {}) {
    const money = { amount, currency: currency ?? kit.service.currencies[rail] }
    const at = account ?? kit.service.payer.accounts[rail]
    const arrived = kit.provider.arrive(rail, at, money)
    return new DepositScene(kit, { ...arrived, id: depositUuid(PARTNER[rail], arrived.id) })
  }

  get ref(): ProcessRef<DepositId> {
    const { rail, id: partnerDepositId } = this.deposit
    const partner = PARTNER[rail]
    return { organizationId: null, id: depositIdOf(partner, partnerDepositId), partner, partnerDepositId }
  }

  get ownedRef(): ProcessRef<DepositId> {
    return { organizationId: this.kit.service.payer.organizationId, id: this.ref.id }
  }

  callBack = (options?: CallbackOptions): Promise<number> =>
    this.kit.service.callBack(this.kit.provider.callback('deposit', this.deposit.handle, options))

  async book(): Promise<unknown> {
    await exchangeFiles(this.kit.provider)
    return act(bookAnnouncedDeposit, this.ref)
  }

  /** Calls back, and lets the run look, for as long as it gets no answer. Files that are not there answer nothing. */
  async announce(looks = 4): Promise<void> {
    await this.callBack()
    const isCalled = !this.kit.provider.files
    for (let look = 0; look < looks; look += 1) if (!((await this.book()) instanceof Error) && isCalled) return
  }

  /** Takes the steps of a held deposit. */
  async pursue(rounds = 4): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      await act(askAboutDeposit, this.ownedRef)
      await act(sendDepositBack, this.ownedRef)
      if (ENDS.has((await this.look()).status)) return
      await later(PAUSE_SECONDS)
    }
  }

  /** Lets the time pass in which its sender could be named; its return starts. */
  async startReturn(): Promise<void> {
    await later(RETURN_AFTER_SECONDS)
    await act(main.startReturn, this.ownedRef)
  }

  async look(): Promise<OwnDeposit> {
    const { rail, id } = this.deposit
    const [row] = await owner<{ status: string | null; booked: number }[]>`
      with mine as (
        select d.id, d.status from deposits d where d.partner_deposit_id = ${id} and d.rail = ${rail}
        union all
        select u.id, u.status from unmatched_deposits u
        where u.partner_deposit_id = ${id} and u.partner = ${PARTNER[rail]} and u.status <> 'assigned')
      select (select string_agg(status, ' and ') from mine) as status,
        coalesce((select -sum(e.amount) from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
          join ledger_accounts a on a.id = e.account_id
          where a.kind ~ '^(bank|custody)(:|$)' and exists (select from mine where t.key like '%:' || mine.id || ':%')), 0)::float8 as booked`
    return { status: row?.status ?? 'nowhere', booked: row?.booked ?? 0 }
  }

  /** Judges it: the money that is there is booked once, and named by this status. */
  async judge({ ends, finding }: { readonly ends: string; readonly finding?: string }): Promise<Verdict> {
    const { handle, amount } = this.deposit
    const { status, booked } = await this.look()
    const findings = [...(await findingsAbout(this.ref.id)), ...(await findingsAbout(this.deposit.id))]
    const back = this.kit.provider.movements(handle).length
    const there = back > 0 || status === 'nowhere' ? 0 : Number(amount.amount)
    const money = (one: number) => say({ amount: one.toFixed(2), currency: amount.currency })
    const faults: string[] = []
    if (status !== ends) faults.push(`is ${status}, must be ${ends}: ${money(Number(amount.amount))}`)
    if (back > 1) faults.push(`returned ${back} times: ${money(back * Number(amount.amount))}`)
    if (!finding && booked !== there) faults.push(`the books have ${money(booked)}, the provider ${money(there)}`)
    if (finding && !findings.some((name) => name.endsWith(finding))) faults.push(`no finding ${finding}`)
    const named = findings.length > 0 ? `; finding ${findings.join(', ')}` : ''
    return { happened: `${status}; booked ${money(booked)}, ${back} returns${named}`, faults }
  }
}

type Arrival = {
  readonly rail?: Rail
  readonly amount?: string
  readonly currency?: string
  readonly account?: string
}

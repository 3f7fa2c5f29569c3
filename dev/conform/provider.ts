/**
 * Provider of a driver, as the conformance kit plays it: a ledger of its own, and controls of its bad days.
 *
 * A new driver brings one of these. It speaks the words of the real provider to the driver, and these to the kit.
 */
import type { Fault, ProviderCall } from './planned-faults.ts'

export type Rail = 'fiat' | 'crypto'
export type Amount = { readonly amount: string; readonly currency: string }

/** Status of a payout at the provider: the words of docs/partners.md. */
export type PayoutWord = 'pending' | 'processing' | 'on_hold' | 'settled' | 'rejected' | 'cancelled' | 'returned'

/** Payout at the provider. Two of one reference are two payments to the same payee. */
export type ProviderPayout = {
  /** Name by which the kit moves it. */
  readonly handle: number
  readonly rail: Rail
  /** Key under which the driver sent it. */
  readonly key: string
  /** Words for the payee: the kit gives each payment its own. */
  readonly reference: string
  readonly amount: Amount
  readonly status: PayoutWord
  readonly version: number
}

/** Money that really moved: out to a payee, or back from one. */
export type Movement = { readonly handle: number; readonly direction: 'out' | 'back'; readonly amount: Amount }

export type ProviderDeposit = {
  readonly handle: number
  readonly rail: Rail
  /** Name of the provider; the service makes a UUID of it. */
  readonly id: string
  readonly account: string
  readonly amount: Amount
  readonly status: 'received' | 'returned'
}

/** Callback as the provider sends it. */
export type CallbackMessage = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
export type CallbackOptions = {
  readonly secret?: string
  readonly messageId?: string
  readonly version?: number
  /** Seconds by which its clock is off. */
  readonly clockOff?: number
}

/** Misbehaviour of a list: the same page for ever, a page twice, without its first entry, backward, or unreadable. */
export type ListFault = 'endless' | 'circle' | 'twice' | 'skip' | 'backward' | 'unreadable' | 'huge'

export type Capabilities = {
  readonly rails: readonly Rail[]
  /** Money of each rail in which it pays and is paid. */
  readonly currencies: Readonly<Record<Rail, string>>
  /** Rails whose payouts can be cancelled. */
  readonly cancels: readonly Rail[]
  readonly callbacks: boolean
  /** It is reached by files: orders wait for the next one, and nothing is asked or called back. */
  readonly files?: true
  readonly returnsDeposits: boolean
  readonly opensAccounts: boolean
  /** Pays an instant order by bank, or refuses it for good. */
  readonly instant?: boolean
  /** A payout may come back in part, or with other money than was sent. */
  readonly returnsParts?: boolean
  /** Payouts never come back, as coins do not. */
  readonly paysForGood?: boolean
  /** Its signatures of callbacks name no time: an old one is as good. */
  readonly undatedCallbacks?: boolean
  /** Hours for which the provider knows a key; the provider forgets it by `forgetKeys()`. */
  readonly keepsKeys: 'ever' | number
}

export type Provider = {
  readonly driver: string
  readonly can: Capabilities
  /** Listens; the service's environment names the port. */
  start(): Promise<void>
  stop(): Promise<void>

  /** Ledger: all payouts of a reference, and all movements of a payout. */
  payouts(reference: string): readonly ProviderPayout[]
  movements(handle: number): readonly Movement[]
  deposits(rail: Rail): readonly ProviderDeposit[]
  accountCount(): number
  hasAccount(account: string): boolean

  /** Moves a payout; money leaves with `settled`, and comes back with `returned`, all of it or `back`. */
  move(handle: number, to: PayoutWord, change?: MoveOptions): void
  /**
   * Forgets keys, as after the time for which they are kept: what they made stays, and a repeat makes something new.
   * `looks`: a look by a key finds nothing any more, either.
   */
  forgetKeys(what?: 'repeats' | 'looks'): void
  /** Forgets a payout: no answer and no list names it, though its money may have left. */
  forget(handle: number): void
  /** Lists a payout that no driver has ordered. */
  invent(rail: Rail, amount: Amount): ProviderPayout
  /** Has money arrive on an account; answers the deposit. */
  arrive(rail: Rail, account: string, amount: Amount): ProviderDeposit
  takeBack(handle: number): void
  changeDeposit(handle: number, amount: Amount): void
  /** Sets its clock by hours from ours. */
  setClock(hours: number): void

  /** Answers the next calls of this kind with a fault; `times` calls, or all until `clear()`. It has to come, or may. */
  interfere(call: ProviderCall, fault: Fault, times?: number, mayMiss?: boolean): void
  /** Holds the next call of this kind before it acts, or after; answers when the call waits. */
  hold(call: ProviderCall, when: 'before' | 'after'): CallOnHold
  misbehaveInLists(rail: Rail, list: 'payouts' | 'deposits', fault: ListFault): void
  clear(): void
  /** Takes the faults that were ordered and never came. */
  takeMissed(): readonly string[]
  /** Counts the calls of this kind that arrived since `clear()`. */
  count(call: ProviderCall): number
  /** Counts the calls at the address of a redirect, which no driver may follow. */
  followedRedirects(): number

  callback(subject: 'payout' | 'deposit', handle: number, options?: CallbackOptions): CallbackMessage

  /** Controls of files; left out by a provider that is called. */
  readonly files?: FileControls
}

/** Misbehaviour of files, until `clear()`. */
export type FileFault =
  | 'away'
  | 'late'
  | 'cut'
  | 'twice'
  | 'backward'
  | 'no reports'
  | 'no notifications'
  | 'another account'
  | 'refused whole'

export type FileControls = {
  /** Takes what was uploaded, and writes what it has to say. */
  work(): void
  misbehave(fault: FileFault): void
  /** Writes a statement of what was booked since the last one. */
  closeDay(): void
  /** Says that the file of a payout is a repeat. */
  sayRepeated(handle: number): void
  /** Says the present status of a payout again. */
  sayAgain(handle: number): void
  /** Debits what nobody ordered. */
  takeMoney(amount: string): void
}

export type MoveOptions = {
  readonly back?: Amount
  readonly charges?: Amount
  /** Version of the new view; one more than the last by default. */
  readonly version?: number
  /** Says so without moving money: a contradiction. */
  readonly onlySay?: boolean
  /** Amount that it names from now on. */
  readonly amount?: Amount
}

/** Names the rail on which a provider is played: the first of those that it has. */
export const mainRailOf = ({ rails: [first = 'fiat'] }: Pick<Capabilities, 'rails'>): Rail => first

/** Call that waits at the provider: it goes on, or its connection is cut. */
export type CallOnHold = { readonly waiting: Promise<void>; readonly release: () => void; readonly cut: () => void }

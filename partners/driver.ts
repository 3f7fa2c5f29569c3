/**
 * The port to partners that move money. A driver knows the words of a provider, and nothing of ours: no table, no
 * workflow, no retry. The memory of orders stands around each: it looks before it repeats one, gives versions, lets
 * statuses go forward alone, and compares amounts. docs/partners.md, *Writing a driver*.
 *
 * Units: `Money` has a decimal text at the precision of its currency. Times are ISO 8601 in UTC. Texts of the provider
 * are on one line, 255 characters at most (`sanitize`).
 *
 * Failures: every call but `plan` and `readCallback` goes over the network, once, and fails with one of
 * - `PartnerRefused`: the provider has answered that it does not, and nothing was made. Never for a timeout;
 * - `PartnerUnclear`: anything may have happened, or nothing. `mayHaveExecuted: false` only if no byte was sent;
 *   `retryAfterSeconds` if the provider names a pause;
 * - `PartnerMisused`: our request is wrong, and a repeat gets the same answer.
 * `requestPartner` of http.ts makes them of statuses. Messages quote no body, no name and no account.
 */
import type * as v from 'valibot'
import type { Coordinates } from '../domain/destinations/destination.ts'
import type { SentAddress } from '../domain/destinations/payee-address.ts'
import type { Money } from '../domain/money/money.ts'
import type { DocumentKind } from '../domain/onboarding/document.ts'
import type { LegalEntity } from '../domain/onboarding/entity.ts'
import type { PersonFacts, PersonRole } from '../domain/onboarding/person.ts'
import type { SentPayer } from '../domain/organizations/payer.ts'
import type { PayoutStatus } from '../domain/partner.ts'
import type { PayeeAnswer } from '../domain/payee-checks/payee-check.ts'
import type { Speed } from '../domain/payments/speed.ts'
import type { UnreadableRecord } from './schemas.ts'

/** Abilities of a provider, and how far it remembers. */
export type Capabilities = {
  /** A payout can be cancelled until it is on its way: `cancel` is there. */
  readonly cancels: boolean
  /** It compares the name of a payee with its account: `checkPayee` is there. */
  readonly checksPayees: boolean
  /** It tells what money it holds: `balances` is there. */
  readonly knowsBalances: boolean
  /** Time for which a repeat under the same key makes nothing new: for ever, or hours since the first. */
  readonly keysKept: 'ever' | number
  /** Seconds after a send from which a payout that `find` does not see was never made. Less than `keysKept`. */
  readonly absenceSureAfterSeconds: number
  /** Its payouts have versions that grow with each change; else we count them. */
  readonly givesVersions: boolean
  /** It calls about every change of its payouts: they are polled seldom. */
  readonly callsAlways?: boolean
  /** Its balances are less as soon as a payout is sent, not when it is settled; then `changedAt` is the instant of that. */
  readonly debitsSent?: boolean
  /** Currencies of orders of the speed `instant`; without them it has none. */
  readonly instant?: 'all' | readonly string[]
  /** Coins in which it pays fees of networks: of these it may hold more than the books say, which is the operator's. */
  readonly feeCoins?: readonly string[]
}

/** Payout as it is to be ordered. It has personal data: never in a log or a history. */
export type PayoutOrder = {
  /**
   * Our id, a UUID: that of the payment. After an instant order that came to nothing, the standard order in its place has
   * an id of its own: for the driver these are two payouts.
   */
  readonly id: string
  readonly amount: Money
  /** An instant order is never carried otherwise: it is refused, by `plan` or by `send`, or its payout `rejected`. */
  readonly speed: Speed
  /** Shown to the payee. */
  readonly reference: string
  /** Coordinates of an account or a wallet, with the name of its holder. */
  readonly beneficiary: Coordinates
  /** Kind of payee, as the contact says. */
  readonly payeeType?: 'business' | 'individual'
  /** Address of the payee in the letters of banks; null for a coin, and if none is known. */
  readonly payeeAddress: SentAddress | null
  /** Payer in the letters of banks, with its account as `openAccount` answered it; null of a former payment. */
  readonly payer: (SentPayer & { readonly account?: string }) | null
  /** Payee of a coin, whose wallet has no name; null at a bank, and of a former payment. */
  readonly payee: { readonly name: string } | null
}

/** Order in the provider's words. Plain data, which JSON holds: its hash tells if a repeat is the same. */
export type Intent = {
  readonly id: string
  /** Operation of the provider, as `ach` or `wire`, at most 40 characters: `find` looks among those. */
  readonly operation: string
  readonly amount: Money
  /** All that is sent beside the key. */
  readonly content: object
}

/** Order that is looked for: it was sent, or may have been. */
export type Sought = {
  readonly id: string
  readonly key: string
  /** Operation that it was sent as; null if that is forgotten: look into all. */
  readonly operation: string | null
  /** Id of the provider; null before its first answer is recorded. */
  readonly theirId: string | null
  readonly amount: Money
}

/** Payout as the provider shows it. */
export type PayoutView = {
  /** Id of the provider by which `find` and `cancel` name it; null if that is ours. */
  readonly theirId: string | null
  readonly status: PayoutStatus
  /** In the provider's words, for people; may be empty. */
  readonly detail: string
  /** Name by which the payee can find it, as a hash on chain; null until there is one. */
  readonly reference: string | null
  readonly amount: Money
  /** Part of a returned payout that came back; all of it without. Zero if charges took all. */
  readonly returned?: Money
  /** Charges for the payout at this status, once it is final: kept from a return, or taken beside. */
  readonly charges?: Money
  /** Charges that were taken beside a returned payout when it was settled: both may be heard of at once. */
  readonly settledCharges?: Money
  /** From 0, one more at least with each change; only with `givesVersions`. */
  readonly version?: number
}

/** Payout of the list; `id` is ours if the provider tells it. One of neither id goes to `odd`. */
export type ListedPayout = Omit<PayoutView, 'detail' | 'reference' | 'settledCharges'> & {
  readonly id: string | null
  /** Instant of its present status, by the clock of the balances: it says if a balance counts the payout. */
  readonly changedAt?: string
}

/** Deposit at the provider. It names people: it must not enter a workflow history. */
export type DepositView = {
  /** Id of the provider, at most 255 characters; what is no UUID gets one of ours. */
  readonly id: string
  /** Receiving account, as `openAccount` answered it. */
  readonly account: string
  readonly amount: Money
  readonly sender: {
    readonly name: string | null
    readonly reference: string | null
    readonly account_reference: string | null
    readonly country: string | null
  }
  /** `returned` also if the provider, or the sender, took it back. */
  readonly status: 'received' | 'returned'
  readonly reference: string | null
  readonly receivedAt: string
}

/** Page of a list, oldest first; `next` is the `after` of the next page, null at the end. */
export type PartnerPage<Entry> = {
  readonly data: readonly Entry[]
  /** Entries that cannot be read: they are reported, and stop nothing. */
  readonly odd: readonly UnreadableRecord[]
  readonly next: string | null
  /** The page has what is not listed yet, and will be: it is read again. */
  readonly isUnfinished?: boolean
}

/** Deposit that goes back to its sender. */
export type ReturnOrder = { readonly id: string; readonly amount: Money; readonly reason: string }

/** Account to open: a currency at a bank, a coin on a network at a custodian. `id` is the receiving account's. */
export type AccountOrder =
  | { readonly id: string; readonly currency: string; readonly holder: string }
  | { readonly id: string; readonly network: string; readonly coin: string }

/** Account that was opened; `details` are what a payer needs, by name. */
export type OpenedAccount = { readonly account: string; readonly details: Readonly<Record<string, string>> }

export type PayeeQuestion = { readonly name: string; readonly account: Coordinates }

/** Money at the provider at an instant; `network` of a coin. */
export type Balance = {
  readonly currency: string
  readonly network: string | null
  readonly amount: string
  readonly asOf: string
}

/** Organization to verify, as it was submitted. It names people: never in a log or a history. */
export type EntityOrder = {
  /** Our id, the same for the organization for ever: a UUID. */
  readonly id: string
  /** Number of the submission, from 1: a later one replaces an earlier one. */
  readonly round: number
  readonly entity: LegalEntity
  readonly people: readonly EntityPerson[]
  readonly documents: readonly EntityDocument[]
}

/** Organization whose verdict is looked for. */
export type EntityQuestion = Omit<EntityOrder, 'documents'>

export type EntityPerson = PersonFacts & { readonly id: string; readonly roles: readonly PersonRole[] }

export type EntityDocument = {
  readonly id: string
  readonly kind: DocumentKind
  /** Person of an `identity`. */
  readonly person_id: string | null
  readonly file_name: string
  readonly content_type: string
  /** Reads its bytes; fails if storage has lost them. */
  readonly read: () => Promise<Uint8Array>
}

/** Verdict of the provider; `asks` of `needs_more` are paths of our requirements, such as `documents.articles`. */
export type EntityView = {
  readonly status: 'in_review' | 'needs_more' | 'verified' | 'rejected'
  readonly asks: readonly { readonly field: string; readonly reason: string }[]
}

/** Callback as it was sent. */
export type SentCallback = {
  readonly headers: Headers
  readonly raw: Uint8Array
  /** Parses the body as JSON of a schema; refuses another media type, what is no JSON, and another shape. */
  readonly read: <Schema extends v.GenericSchema>(schema: Schema) => v.InferOutput<Schema>
}

/** Subject of a callback, to look at. Nothing in it is believed, and nothing is booked by it. */
export type Hint = {
  /** Id of the message: a repeat is known by it. */
  readonly messageId: string
  readonly subject: 'payout' | 'deposit'
  /** Id of a payout of ours, or of the provider's; of a deposit always the provider's. */
  readonly named: { readonly id: string } | { readonly theirId: string }
  readonly version?: number
}

/** Driver of one connection. Methods without their capability are left out. */
export type MoneyDriver = {
  readonly describe: () => Capabilities
  /**
   * Plans an order: pure, and the same for the same order for ever. Throws `PartnerRefused` for what it cannot carry:
   * then the payment fails, without a call.
   */
  readonly plan: (order: PayoutOrder) => Intent
  /** Orders a payout, by one call. `key` is ours, the same for ever; the provider makes one payout for it. */
  readonly send: (intent: Intent, key: string) => Promise<PayoutView>
  /** Finds a payout by its id, its key or its reference; null if the provider answers that there is none. */
  readonly find: (sought: Sought) => Promise<PayoutView | null>
  /** Requests the cancellation; answers the payout, which is not `cancelled` if it was too late. */
  readonly cancel?: (sought: Sought) => Promise<PayoutView>
  readonly payouts: (after?: string) => Promise<PartnerPage<ListedPayout>>
  readonly deposits: (after?: string) => Promise<PartnerPage<DepositView>>
  /**
   * Finds a deposit; null without such a deposit, or if it is of zero. Fails for good (`isUnknownMoney`) for money that
   * the books do not have.
   */
  readonly deposit: (id: string) => Promise<DepositView | null>
  /** Sends the money of a deposit back; a repeat under the key does nothing new. Answers it as it is then. */
  readonly returnDeposit?: (order: ReturnOrder, key: string) => Promise<DepositView>
  /** Opens an account, or answers the one of this key. */
  readonly openAccount?: (order: AccountOrder, key: string) => Promise<OpenedAccount>
  /** Finds the account that was opened under a key; needed where keys are not kept for ever. */
  readonly findAccount?: (key: string) => Promise<OpenedAccount | null>
  /** Compares a name with its account, within seconds: a person waits. */
  readonly checkPayee?: (question: PayeeQuestion) => Promise<PayeeAnswer>
  /**
   * Tells if an instant payment reaches an account, within seconds: a person waits. Left out, each account is reached. It
   * promises nothing: the order may be refused.
   */
  readonly reachesInstantly?: (account: Coordinates, amount: Money) => Promise<boolean>
  /** Lists what it holds for us; null if the provider has no such list. */
  readonly balances?: () => Promise<readonly Balance[] | null>
  /**
   * Moves what has arrived to the place that pays. It stays with the provider, and no balance of an organization changes.
   * Safe to repeat at any time; answers how many moves it ordered.
   */
  readonly sweep?: () => Promise<number>
  /**
   * Hands an organization over to be verified, or what it has submitted since; a repeat of a round does nothing new.
   * Left out by a provider that verifies nobody: then operators decide.
   */
  readonly verifyEntity?: (order: EntityOrder) => Promise<EntityView>
  /** Finds the verdict on what was submitted, without its papers; null if it was not handed over. */
  readonly findEntity?: (order: EntityQuestion) => Promise<EntityView | null>
  /** Verifies a callback, then lists what it names. Refuses `not_authenticated` for what is not the provider's. */
  readonly readCallback: (callback: SentCallback) => readonly Hint[]
}

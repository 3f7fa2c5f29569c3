/** Deposits: incoming transactions that are completed, and their returns, which are transactions of their own. */
import type { Money } from '../../domain/money/money.ts'
import type { DepositView, ReturnOrder } from '../driver.ts'
import { unknownMoney } from '../failures.ts'
import { type PartnerEndpoint, partnerRefusal, refusalOf, requestOrNull, requestPartner, unclear } from '../http.ts'
import { isZeroAmount } from '../schemas.ts'
import { type Asset, canonicalAddress } from './assets.ts'
import { isIdTaken } from './requests.ts'
import {
  Created,
  Transaction,
  type Transaction as Incoming,
  detailOf,
  moneyOfAsset,
  ofExternalId,
  referenceOf,
  statusOf,
  timeOf,
} from './transactions.ts'

/** Sources that are ours: coins that move between vault accounts, and fuel. */
const OWN_SOURCES = new Set(['VAULT_ACCOUNT', 'GAS_STATION'])
/** Reasons for which coins are there and must not be paid out. */
const FROZEN = new Set(['AUTO_FREEZE', 'FROZEN_MANUALLY', 'REJECTED_AML_SCREENING'])
const RETURN = 'return-'
/** Questions at once. */
const AT_ONCE = 5

/** Makes our id of the transaction that returns a deposit. */
const returnIdOf = (depositId: string): string => `${RETURN}${depositId}`

export const isReturn = ({ externalTxId }: Incoming): boolean => externalTxId?.startsWith(RETURN) ?? false

/** Names the deposit that a transaction returns; null if it returns none. */
export const depositIdOf = (externalTxId: string): string | null =>
  externalTxId.startsWith(RETURN) ? externalTxId.slice(RETURN.length) : null

/** Tells whether coins come, or came, from outside to a vault account. */
export const isIncoming = ({ source, destination }: Incoming): boolean =>
  destination?.type === 'VAULT_ACCOUNT' && !OWN_SOURCES.has(source?.type ?? '')

/** Reads an incoming transaction: a deposit, `zero`, or `odd` for money that the books do not have. */
export function depositOf(incoming: Incoming, assets: readonly Asset[]): DepositView | 'odd' | 'zero' | null {
  if (!isIncoming(incoming) || incoming.status !== 'COMPLETED' || FROZEN.has(incoming.subStatus ?? '')) return null
  const arrived = incoming.amountInfo.netAmount ?? incoming.amountInfo.amount
  if (isZeroAmount({ amount: { amount: arrived } })) return 'zero'
  const asset = assets.find(({ assetId }) => assetId === incoming.assetId)
  const amount = moneyOfAsset(asset, arrived)
  if (!asset || !amount || !incoming.destinationAddress) return 'odd'
  return {
    id: incoming.id,
    account: canonicalAddress(asset, incoming.destinationAddress),
    amount,
    sender: {
      name: incoming.source?.name || null,
      reference: null,
      account_reference: incoming.sourceAddress || null,
      country: null,
    },
    status: 'received',
    reference: referenceOf(incoming),
    receivedAt: timeOf(incoming.lastUpdated),
  }
}

/** Deposits of a vault, one by one. */
export class VaultDeposits {
  readonly #at: PartnerEndpoint
  readonly #assets: readonly Asset[]

  constructor(endpoint: PartnerEndpoint, assets: readonly Asset[]) {
    this.#at = endpoint
    this.#assets = assets
  }

  /** Finds a deposit as it is now. */
  async find(id: string): Promise<DepositView | null> {
    const incoming = await this.#findIncoming(id)
    const view = incoming && depositOf(incoming, this.#assets)
    if (view === 'odd') throw unknownMoney(this.#at.party)
    return view === 'zero' || !view ? null : this.withReturn(view)
  }

  /** Adds to each whether its coins have gone back, a few at a time. */
  async withReturns(views: readonly DepositView[]): Promise<readonly DepositView[]> {
    const all: DepositView[] = []
    for (let from = 0; from < views.length; from += AT_ONCE)
      all.push(...(await Promise.all(views.slice(from, from + AT_ONCE).map((one) => this.withReturn(one)))))
    return all
  }

  /** Adds whether the coins have gone back. */
  async withReturn(view: DepositView): Promise<DepositView> {
    const back = await this.#findReturn(view.id)
    return back && statusOf(back) === 'settled' ? { ...view, status: 'returned' } : view
  }

  /**
   * Sends the coins back to the address that they came from, once. Refuses without one. Fails as unclear until the
   * return is completed: one that fails has returned nothing.
   */
  async sendBack({ id, amount, reason }: ReturnOrder, vault: string): Promise<DepositView> {
    const incoming = await this.#findIncoming(id)
    const view = incoming && depositOf(incoming, this.#assets)
    if (!incoming || !view || view === 'odd' || view === 'zero')
      throw unclear(this.#at, 'it shows no such deposit', true)
    if (!incoming.sourceAddress) throw refusalOf(this.#at, { code: 'no_sender_address', message: NO_SENDER })
    const sent = await this.#findReturn(id)
    if (!sent) await this.#order(incoming, incoming.sourceAddress, { amount, reason, vault })
    const back = sent ?? (await this.#findReturn(id))
    const status = back && statusOf(back)
    if (status === 'settled') return { ...view, status: 'returned' }
    if (back && (status === 'rejected' || status === 'cancelled'))
      throw refusalOf(this.#at, { code: 'return_failed', message: detailOf(back) })
    throw unclear(this.#at, 'the return is on its way', true)
  }

  async #order({ id, assetId }: Incoming, address: string, { amount, reason, vault }: Terms): Promise<void> {
    const body = {
      operation: 'TRANSFER',
      externalTxId: returnIdOf(id),
      assetId,
      source: { type: 'VAULT_ACCOUNT', id: vault },
      destination: { type: 'ONE_TIME_ADDRESS', oneTimeAddress: { address } },
      amount: amount.amount,
      treatAsGrossAmount: false,
      note: reason,
    }
    try {
      await requestPartner(this.#at, { method: 'POST', path: '/v1/transactions', body, answer: Created })
    } catch (error) {
      if (!isIdTaken(partnerRefusal(error))) throw error
    }
  }

  #findIncoming(id: string): Promise<Incoming | null> {
    const path = `/v1/transactions/${encodeURIComponent(id)}`
    return requestOrNull(this.#at, { method: 'GET', path, answer: Transaction })
  }

  #findReturn(id: string): Promise<Incoming | null> {
    const wanted = returnIdOf(id)
    const path = `/v1/transactions/external_tx_id/${encodeURIComponent(wanted)}`
    return requestOrNull(this.#at, { method: 'GET', path, answer: ofExternalId(wanted) })
  }
}

type Terms = { readonly amount: Money; readonly reason: string; readonly vault: string }

const NO_SENDER = 'the address that it came from is not known'

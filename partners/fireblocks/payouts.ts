/** Payouts: transactions from the vault to addresses of others, under our ids, which Fireblocks keeps for ever. */
import * as v from 'valibot'
import { compareDecimals } from '../../domain/money/decimal.ts'
import type { FireblocksSettings } from '../../platform/drivers/fireblocks.ts'
import type { Intent, ListedPayout, PartnerPage, PayoutOrder, PayoutView } from '../driver.ts'
import { type PartnerEndpoint, partnerRefusal, refusalOf, requestOrNull, requestPartner, unclear } from '../http.ts'
import type { Asset } from './assets.ts'
import { isReturn } from './deposits.ts'
import { pageOf, readHistory } from './lists.ts'
import { isIdTaken } from './requests.ts'
import {
  Created,
  type Transaction,
  chargesOf,
  moneyOfAsset,
  ofExternalId,
  payoutIdOf,
  statusOf,
  timeOf,
  viewOf,
} from './transactions.ts'
import { travelRuleOf } from './travel-rule.ts'

/** Networks that have levels of fees. */
const WITH_FEE_LEVELS: ReadonlySet<string> = new Set(['ethereum', 'bitcoin'])
/** Destinations that are ours: coins only change the account. */
const OWN_DESTINATIONS: ReadonlySet<string> = new Set(['VAULT_ACCOUNT', 'GAS_STATION'])

const Cancelled = v.object({ success: v.boolean() })
const OfAsset = v.object({ assetId: v.string() })

/** Payouts of a vault. */
export class VaultPayouts {
  readonly #at: PartnerEndpoint
  readonly #assets: readonly Asset[]
  readonly #settings: FireblocksSettings

  constructor(endpoint: PartnerEndpoint, assets: readonly Asset[], settings: FireblocksSettings) {
    this.#at = endpoint
    this.#assets = assets
    this.#settings = settings
  }

  /** Plans an order; refuses a coin that has no asset, and what is to arrive at once. */
  plan(order: PayoutOrder): Intent {
    const { id, amount, beneficiary, speed } = order
    const asset = this.#assets.find((one) => one.currency === amount.currency && one.network === beneficiary['network'])
    if (!asset) throw refusalOf(this.#at, NO_ASSET)
    if (speed === 'instant') throw refusalOf(this.#at, { code: 'not_instant', message: 'a chain takes its time' })
    return { id, operation: 'TRANSFER', amount, content: bodyOf(order, asset, this.#settings) }
  }

  /** Orders a transaction; the one that has its id already is found. */
  async send({ id, content, amount }: Intent, key: string): Promise<PayoutView> {
    const body = { ...content, ...this.#feeLevelOf(content), externalTxId: key }
    try {
      const path = '/v1/transactions'
      const made = await requestPartner(this.#at, { method: 'POST', path, body, answer: Created })
      return { theirId: null, status: statusOf(made), detail: made.status, reference: null, amount }
    } catch (error) {
      if (!isIdTaken(partnerRefusal(error))) throw error
      const known = await this.find(id)
      if (known) return known
      throw unclear(this.#at, 'it has our id, and does not show it', true)
    }
  }

  async find(id: string): Promise<PayoutView | null> {
    const found = await this.#findTransaction(id)
    return found && this.#viewOf(found)
  }

  /** Cancels a transaction, once; refuses one that is too late. */
  async cancel(id: string): Promise<PayoutView> {
    const found = await this.#findTransaction(id)
    if (!found) throw unclear(this.#at, 'it does not show what is to be cancelled', true)
    if (found.status === 'CANCELLING' || found.status === 'CANCELLED') return this.#viewOf(found)
    const path = `/v1/transactions/${encodeURIComponent(found.id)}/cancel`
    const { success } = await requestPartner(this.#at, { method: 'POST', path, body: {}, answer: Cancelled })
    if (!success) throw refusalOf(this.#at, { code: 'not_cancelled', message: 'it is too late' })
    const view = await this.find(id)
    if (view) return view
    throw unclear(this.#at, 'it does not show what it cancelled', true)
  }

  async list(after?: string): Promise<PartnerPage<ListedPayout>> {
    return pageOf(await readHistory(this.#at, 'sourceType', after), (transaction) => this.#listed(transaction))
  }

  #listed(transaction: Transaction): ListedPayout | 'odd' | null {
    if (isReturn(transaction) || OWN_DESTINATIONS.has(transaction.destination?.type ?? '')) return null
    const amount = moneyOfAsset(this.#assetOf(transaction), transaction.amountInfo.amount)
    if (!amount) return 'odd'
    const charges = chargesOf(transaction, this.#assets)
    return {
      id: payoutIdOf(transaction),
      theirId: null,
      status: statusOf(transaction),
      amount,
      changedAt: timeOf(transaction.lastUpdated),
      ...(charges && { charges }),
    }
  }

  #findTransaction(id: string): Promise<Transaction | null> {
    const path = `/v1/transactions/external_tx_id/${encodeURIComponent(id)}`
    return requestOrNull(this.#at, { method: 'GET', path, answer: ofExternalId(id) })
  }

  #viewOf(transaction: Transaction): PayoutView {
    const { assetId, amountInfo } = transaction
    // money that we do not know is no money that was ordered
    const unknown = { amount: amountInfo.amount, currency: assetId }
    return viewOf(transaction, moneyOfAsset(this.#assetOf(transaction), amountInfo.amount) ?? unknown, this.#assets)
  }

  readonly #assetOf = ({ assetId }: Pick<Transaction, 'assetId'>): Asset | undefined =>
    this.#assets.find((one) => one.assetId === assetId)

  /** Adds the level of fees: no part of an order, as it may be set otherwise before a repeat. */
  #feeLevelOf(content: object): { feeLevel?: string } {
    const asset = v.is(OfAsset, content) ? this.#assetOf(content) : undefined
    return asset && WITH_FEE_LEVELS.has(asset.network) ? { feeLevel: this.#settings.feeLevel } : {}
  }
}

export const NO_ASSET = { code: 'unsupported_coin', message: 'no asset is named for this coin' }

/** Tells whether an order names payer and payee: where the travel rule asks for it, above its floor. */
function namesPeople(
  { amount }: PayoutOrder,
  { currency, network }: Asset,
  { travelRule, travelRuleFloors }: FireblocksSettings,
): boolean {
  const floor = travelRuleFloors[`${currency}/${network}`]
  return travelRule && (floor === undefined || compareDecimals(amount.amount, floor) > 0)
}

/** Writes the transaction of an order, the same for ever. */
function bodyOf(order: PayoutOrder, asset: Asset, settings: FireblocksSettings): object {
  const { address, memo } = order.beneficiary
  const message = namesPeople(order, asset, settings) ? travelRuleOf(order) : undefined
  return {
    operation: 'TRANSFER',
    assetId: asset.assetId,
    source: { type: 'VAULT_ACCOUNT', id: settings.vault },
    destination: { type: 'ONE_TIME_ADDRESS', oneTimeAddress: { address, ...(memo && { tag: memo }) } },
    amount: order.amount.amount,
    treatAsGrossAmount: false,
    note: order.reference,
    ...(message && { travelRuleMessage: message }),
  }
}

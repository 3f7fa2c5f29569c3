/** Transactions of Fireblocks, and what they are to us. */
import * as v from 'valibot'
import { Reference } from '../../domain/callbacks/reference.ts'
import { isUuid } from '../../domain/ids.ts'
import type { Money } from '../../domain/money/money.ts'
import type { PayoutStatus } from '../../domain/partner.ts'
import type { PayoutView } from '../driver.ts'
import { sanitize } from '../http.ts'
import { PartnerCharges, PartnerMoney } from '../schemas.ts'
import { type Asset, feeCurrencyOf } from './assets.ts'

/**
 * Statuses of the document, and what each is as a payout. CANCELLING is pending: it was not broadcast, and ends as
 * CANCELLED. TIMEOUT is of older workspaces.
 */
const STATUSES = {
  SUBMITTED: 'pending',
  PENDING_AML_SCREENING: 'pending',
  PENDING_ENRICHMENT: 'pending',
  PENDING_AUTHORIZATION: 'pending',
  QUEUED: 'pending',
  PENDING_SIGNATURE: 'pending',
  PENDING_3RD_PARTY_MANUAL_APPROVAL: 'on_hold',
  PENDING_3RD_PARTY: 'pending',
  BROADCASTING: 'processing',
  CONFIRMING: 'processing',
  COMPLETED: 'settled',
  CANCELLING: 'pending',
  CANCELLED: 'cancelled',
  BLOCKED: 'rejected',
  REJECTED: 'rejected',
  FAILED: 'rejected',
  TIMEOUT: 'on_hold',
} as const satisfies Record<string, PayoutStatus>
type Status = keyof typeof STATUSES
const Status = v.picklist(Object.keys(STATUSES) as readonly Status[]) // the keys are the statuses

/** Reasons of FAILED after which coins that were broadcast may leave yet: a person has to look at the chain. */
const UNSURE = new Set([
  'DROPPED_BY_BLOCKCHAIN',
  'DOUBLE_SPENDING',
  'PARTIALLY_FAILED',
  'CONNECTIVITY_ERROR',
  'INTERNAL_ERROR',
  'TIMEOUT',
  'TX_OUTDATED',
  'UNKNOWN_ERROR',
])
/** Days for which an incoming transaction may be expected to end: a later end is seen once a day. */
const OPEN_DAYS = 14
/** Statuses after which an incoming transaction has ended. */
const ENDED: ReadonlySet<Status> = new Set(['COMPLETED', 'CANCELLED', 'BLOCKED', 'REJECTED', 'FAILED', 'TIMEOUT'])

const text = v.nullish(v.string(), '')
const Decimal = v.pipe(v.string(), v.regex(/^(0|[1-9]\d{0,30})(\.\d{1,30})?$/))
const Peer = v.object({ type: v.string(), id: text, name: text })
const Milliseconds = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15))

/** Transaction, as much of it as we read. Amounts are texts: its numbers are deprecated, and lose digits. */
export const Transaction = v.object({
  id: Reference,
  externalTxId: text,
  status: Status,
  subStatus: text,
  txHash: text,
  assetId: v.string(),
  source: v.nullish(Peer, { type: 'UNKNOWN' }),
  sourceAddress: text,
  destination: v.nullish(Peer, { type: 'UNKNOWN' }),
  destinationAddress: text,
  amountInfo: v.object({ amount: v.string(), netAmount: v.nullish(v.string()) }),
  feeInfo: v.nullish(
    v.object({ networkFee: v.nullish(v.string()), paidByRelay: v.nullish(v.boolean()), relayType: text }),
  ),
  feeCurrency: text,
  createdAt: Milliseconds,
  lastUpdated: Milliseconds,
})
export type Transaction = v.InferOutput<typeof Transaction>

/** Answer to a new transaction, which does not say its amount. */
export const Created = v.object({ id: Reference, status: Status })

/** Makes the schema of the transaction that has our id: of another it is no answer. */
export const ofExternalId = (id: string) =>
  v.pipe(
    Transaction,
    v.check(({ externalTxId }) => externalTxId === id, 'must have the id that was asked for'),
  )

/** Answers the money of a transaction in our words; null for what the books do not have. */
export function moneyOfAsset(asset: Asset | undefined, amount: string): Money | null {
  const read = v.safeParse(PartnerMoney, { amount, currency: asset?.currency ?? '' })
  return read.success ? read.output : null
}

/** Answers what a status is as a payout. */
export function statusOf({ status, subStatus = '', txHash = '' }: Pick<Transaction, 'status'> & Partial<Transaction>) {
  return status === 'FAILED' && txHash && UNSURE.has(subStatus ?? '') ? 'on_hold' : STATUSES[status]
}

/** Tells whether a transaction stays as it is. */
export const hasEnded = ({ status }: Transaction): boolean => ENDED.has(status)

/** Tells whether an incoming transaction may soon become a deposit. */
export const isOpen = ({ status, createdAt }: Transaction): boolean =>
  !ENDED.has(status) && createdAt > Date.now() - OPEN_DAYS * 86_400_000

/** Says a status in the provider's words. */
export const detailOf = ({ status, subStatus }: Transaction): string =>
  sanitize([...new Set([status, subStatus])].filter(Boolean).join(', '), 255)

/** Reads a transaction as the view of a payout of this money. */
export function viewOf(transaction: Transaction, amount: Money, assets: readonly Asset[]): PayoutView {
  const charges = chargesOf(transaction, assets)
  return {
    theirId: null, // our own id finds it for ever
    status: statusOf(transaction),
    detail: detailOf(transaction),
    reference: referenceOf(transaction),
    amount,
    ...(charges && { charges }),
  }
}

export const referenceOf = ({ txHash }: Transaction): string | null => (v.is(Reference, txHash) ? txHash : null)

/** Answers the network's fee of a final transaction, if we have paid it. */
export function chargesOf(transaction: Transaction, assets: readonly Asset[]): Money | null {
  const { feeInfo, feeCurrency } = transaction
  const isOurs = feeInfo?.paidByRelay !== true || feeInfo.relayType === 'LOCAL'
  const status = statusOf(transaction)
  if (!isOurs || !v.is(Decimal, feeInfo?.networkFee) || (status !== 'settled' && status !== 'rejected')) return null
  const currency = feeCurrencyOf(assets, feeCurrency ?? '')
  const read = v.safeParse(PartnerCharges, { amount: feeInfo?.networkFee, currency: currency ?? '' })
  return read.success ? read.output : null
}

export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** Names the payout that a transaction is: our id, or the provider's for one that nobody here has ordered. */
export const payoutIdOf = ({ id, externalTxId }: Transaction): string =>
  externalTxId && isUuid(externalTxId) ? externalTxId.toLowerCase() : id

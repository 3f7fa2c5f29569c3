/** Transactions in Fireblocks' words: each state of the books, with confirmations, amounts and fees. */
import { config } from '../../../platform/config.ts'
import { CONFIRM_SECONDS, type TransactionRow } from '../../db/fireblocks/transactions.ts'
import { cryptoAccount } from '../accounts.ts'
import { type Asset, type Workspace, findAsset } from './assets.ts'
import { otherId } from './ids.ts'

/** Seconds of each step of a payout by itself, as the books have it. */
const STEP_SECONDS = Math.max(config.sandboxSettleMs, 1) / 2000

type StateWords = { readonly status: string; readonly subStatus: string; readonly confirmations: number }
const state = (status: string, subStatus = '', confirmations = 0): StateWords => ({ status, subStatus, confirmations })

/** Steps before the chain has it: it can be cancelled until the last one. */
const WALK = ['SUBMITTED', 'QUEUED', 'PENDING_SIGNATURE', 'BROADCASTING'] as const

/** Counts the parts of a time that are over. */
const partOf = (age: number, seconds: number, parts: number): number =>
  Math.min(parts - 1, Math.max(0, Math.floor((age / seconds) * parts)))

/** Shows a state of the books; one that moves by itself goes on with its age. */
export function showState(row: TransactionRow, { type, confirmations }: Asset): StateWords {
  switch (row.status) {
    case 'pending':
      if (row.cancel_asked) return state('CANCELLING')
      if (row.manual) return state('PENDING_AUTHORIZATION')
      return state(WALK[partOf(row.age, STEP_SECONDS, WALK.length)] ?? 'SUBMITTED')
    case 'processing':
      return row.manual ? seenBy(1) : seenBy(partOf(row.age, STEP_SECONDS, confirmations))
    case 'on_hold':
      return state('PENDING_3RD_PARTY_MANUAL_APPROVAL', 'PENDING_3RD_PARTY_MANUAL_APPROVAL')
    case 'cancelled':
      return state('CANCELLED', 'CANCELLED_BY_USER_REQUEST')
    case 'rejected':
      if (row.document?.blocked) return state('BLOCKED', 'BLOCKED_BY_POLICY')
      return row.reference === null
        ? state('REJECTED', 'REJECTED_BY_USER')
        : state('FAILED', type === 'BASE_ASSET' ? 'REJECTED_BY_BLOCKCHAIN' : 'SMART_CONTRACT_EXECUTION_FAILED', 1)
    case 'returned':
      return state('FAILED', 'DROPPED_BY_BLOCKCHAIN')
    default:
      return row.direction === 'in' && row.age < CONFIRM_SECONDS
        ? seenBy(partOf(row.age, CONFIRM_SECONDS, confirmations))
        : state('COMPLETED', 'CONFIRMED', confirmations)
  }
}

const seenBy = (count: number): StateWords => state('CONFIRMING', 'PENDING_BLOCKCHAIN_CONFIRMATIONS', count)

/** Answers the fee of a transaction, in the coin of its network; null if it is not on chain, and of a deposit. */
function feeOf({ status, reference, document, charges }: TransactionRow): string | null {
  if (reference === null || document === null || status === 'returned') return null
  return charges?.currency === document.fee.coin ? charges.amount : document.fee.amount
}

export function assetOf(workspace: Workspace, row: TransactionRow): Asset | undefined {
  const id = row.document?.assetId ?? row.asset ?? workspace.assetsOf[row.currency]?.[0]
  return id === undefined ? undefined : findAsset(workspace, id)
}

const UNKNOWN_FEE = -1

/** Shows a transaction as the published document has it. */
export function toTransaction(workspace: Workspace, row: TransactionRow): object {
  const asset = assetOf(workspace, row)
  if (!asset) throw new Error('the books have a coin that the workspace has not')
  const { status, subStatus, confirmations } = showState(row, asset)
  const fee = feeOf(row)
  const amount = Number(row.amount)
  return {
    id: row.direction === 'in' ? row.id : otherId(row.id),
    status,
    subStatus,
    ...(row.direction === 'in' ? incoming(workspace, row, asset) : outgoing(row)),
    txHash: row.reference ?? '',
    operation: 'TRANSFER',
    assetId: asset.id,
    assetType: asset.type,
    amountInfo: { amount: row.amount, requestedAmount: row.amount, netAmount: row.amount },
    feeInfo: fee === null ? {} : { networkFee: fee },
    feeCurrency: asset.native,
    createdAt: row.made_ms,
    lastUpdated: row.updated_ms,
    numOfConfirmations: confirmations,
    blockInfo: confirmations > 0 ? blockOf(row) : {},
    amount,
    requestedAmount: amount,
    netAmount: amount,
    amountUSD: null,
    networkFee: fee === null ? UNKNOWN_FEE : Number(fee),
    fee: fee === null ? UNKNOWN_FEE : Number(fee),
    exchangeTxId: '',
    destinationTag: row.document?.destination.tag ?? '',
    signedBy: [],
    rejectedBy: '',
    destinations: [],
    signedMessages: [],
  }
}

function outgoing({ document, status, reference, detail }: TransactionRow): object {
  if (!document) throw new Error('a payout of this stand-in has its order')
  const { externalTxId, destination, note, customerRefId, sourceVault } = document
  return {
    ...(externalTxId !== undefined && { externalTxId }),
    ...(customerRefId !== undefined && { customerRefId }),
    note: note ?? '',
    source: vaultPeer(sourceVault),
    sourceAddress: '',
    destination:
      destination.type === 'VAULT_ACCOUNT'
        ? vaultPeer(Number(destination.id))
        : { type: destination.type, id: null, name: 'N/A', subType: '' },
    destinationAddress: destination.address ?? '',
    addressType: destination.type === 'ONE_TIME_ADDRESS' ? 'ONE_TIME' : '',
    ...(status === 'rejected' && reference !== null && { errorDescription: detail }),
  }
}

function incoming(workspace: Workspace, row: TransactionRow, asset: Asset): object {
  return {
    note: '',
    source: { type: 'UNKNOWN', id: '', name: 'External', subType: '' },
    // coins of Bitcoin have no one sender
    sourceAddress: asset.network === 'bitcoin' ? '' : senderOf(row, asset),
    destination: vaultPeer(row.vault ?? workspace.main),
    destinationAddress: row.account ?? '',
    addressType: '',
  }
}

/** Answers the address of a sender, or makes one up: on a chain of accounts there is always one. */
function senderOf({ id, sender }: TransactionRow, { network, coin }: Asset): string {
  return sender?.account_reference ?? cryptoAccount(`sender:${id}`, { network, coin })?.account ?? ''
}

const vaultPeer = (id: number): object => ({
  type: 'VAULT_ACCOUNT',
  id: String(id),
  name: `Vault ${id}`,
  subType: '',
})

/** Makes up the block of a transaction. */
const blockOf = ({ updated_ms: at, reference }: TransactionRow): object => ({
  blockHeight: String(Math.floor(at / 12_000)),
  blockHash: (reference ?? '').split('').toReversed().join(''),
})

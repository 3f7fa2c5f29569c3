/** Coins in all vault accounts of the workspace, as our books count them: what is completed. */
import * as v from 'valibot'
import { addDecimals } from '../../domain/money/decimal.ts'
import type { Balance } from '../driver.ts'
import { type PartnerEndpoint, requestPartner } from '../http.ts'
import type { Asset } from './assets.ts'
import { Transaction } from './transactions.ts'

const BYTES_MAX = 4 * 1024 * 1024
const Amount = v.pipe(v.string(), v.regex(/^-?(0|[1-9]\d{0,30})(\.\d{1,30})?$/))
const Wallet = v.object({ id: v.string(), total: Amount, pending: Amount })
const Confirming = v.array(Transaction)

/**
 * Answers what is there: the total on chain, less what comes and is not confirmed, and with what leaves and is not
 * confirmed, which the chain has taken off already.
 */
export async function readBalances(at: PartnerEndpoint, assets: readonly Asset[]): Promise<readonly Balance[]> {
  const endpoint = { ...at, answerBytesMax: BYTES_MAX }
  const asOf = new Date().toISOString()
  const wallets = await requestPartner(endpoint, {
    method: 'GET',
    path: '/v1/vault/assets',
    answer: v.array(Wallet),
  })
  const leaving = await requestPartner(endpoint, {
    method: 'GET',
    path: '/v1/transactions?after=0&status=CONFIRMING&sourceType=VAULT_ACCOUNT&limit=500',
    answer: Confirming,
  })
  return assets.map(({ assetId, currency, network }) => {
    const wallet = wallets.find(({ id }) => id === assetId)
    const held = wallet ? [wallet.total, negate(wallet.pending)] : []
    return { currency, network, amount: addDecimals(['0', ...held, ...leavingOf(assetId, leaving)]), asOf }
  })
}

const negate = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`)

/** Lists what leaves of an asset: amounts to others, and fees. */
const leavingOf = (assetId: string, transactions: v.InferOutput<typeof Confirming>): readonly string[] =>
  transactions.flatMap((one) => [
    ...(one.assetId === assetId && one.destination?.type !== 'VAULT_ACCOUNT' ? [one.amountInfo.amount] : []),
    ...(one.feeCurrency === assetId && one.feeInfo?.networkFee ? [one.feeInfo.networkFee] : []),
  ])

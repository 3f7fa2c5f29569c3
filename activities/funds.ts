/** Proof of funds: connections are asked what they hold, which is compared with the books, and signed. */
import type { FundsOutcome, ProofLook } from '../domain/funds/look.ts'
import { isCurrency } from '../domain/money/currencies.ts'
import type { ConnectionName } from '../domain/partner.ts'
import { log } from '../platform/log.ts'
import { findMoneyPartner } from '../partners/money-partners.ts'
import { MONEY_CONNECTIONS } from '../services/connections/connections.ts'
import { syncServiceFindings } from '../services/audit/findings.ts'
import {
  type ConnectionBalance,
  beginAsking,
  isComparable,
  recordNoAnswer,
  storeBalances,
} from '../services/funds/balances.ts'
import type { Comparison } from '../services/funds/comparison.ts'
import { proveFunds, storeProofs } from '../services/funds/proofs.ts'

const LOGGED_MAX = 10

/** Lists the connections that move money. */
export const listFundsConnections = (): Promise<ConnectionName[]> =>
  Promise.resolve(MONEY_CONNECTIONS.map(({ name }) => name))

/** Asks a connection what it holds. No answer is noted, and proves nothing. */
export async function askBalances({ connection }: { readonly connection: ConnectionName }): Promise<void> {
  const askedAt = await beginAsking()
  const driver = findMoneyPartner(connection)
  if (!driver?.balances || !driver.describe().knowsBalances) return storeBalances(connection, askedAt, null)
  try {
    const stated = await driver.balances()
    const balances = stated && stated.map(({ asOf: as_of, ...one }): ConnectionBalance => ({ ...one, as_of }))
    const known = balances?.filter(({ currency }) => isCurrency(currency)) ?? null
    const others = balances?.filter((one) => !known?.includes(one)) ?? []
    if (others.length > 0) log.info({ connection, others }, 'a connection holds what the books have no currency for')
    const odd = known?.find((one) => !isComparable(one))
    if (odd) throw new Error(`a balance cannot be read: ${odd.amount} ${odd.currency} at ${odd.as_of}`)
    await storeBalances(connection, askedAt, known)
  } catch (error) {
    log.warn({ err: error, connection }, 'a connection did not say what it holds')
    await recordNoAnswer(connection, askedAt)
  }
}

/**
 * Compares what was asked with the books, and signs what is equal. What differs is a finding only in the last look:
 * until then it may be on its way.
 */
export async function proveBalances({ isLast }: ProofLook): Promise<FundsOutcome> {
  const held = (await listFundsConnections()).map((name) => {
    const { debitsSent = false, feeCoins = [] } = findMoneyPartner(name)?.describe() ?? {}
    return { name, debitsSent, isMover: true, feeCoins }
  })
  const { comparisons, signed, unbalanced } = await proveFunds(held)
  const open = comparisons.filter(({ outcome }) => outcome === 'differs' || outcome === 'not_asked')
  const count = open.length + unbalanced.length
  if (count === 0 || isLast) {
    const faults = unbalanced.map((currency) => ({ check: 'balance_of_books_not_zero', subject: currency }))
    await syncServiceFindings('reconciliation', [...open.map(findingOf), ...faults], ['balance_'])
  }
  if (count > 0 && isLast) {
    const balances = open.slice(0, LOGGED_MAX).map(toLine)
    log.error({ balances, unbalanced, count }, 'what partners hold is not what the books say')
  }
  await storeProofs()
  return { signed: signed.length, open: count }
}

const toLine = ({ connection, currency, outcome, balance, clearing, difference, nearest }: Comparison) => ({
  connection,
  currency,
  outcome,
  balance,
  clearing,
  difference,
  nearest,
})

/** Names connection, currency and amount: above zero there is more than the books say. */
const findingOf = ({ connection, currency, outcome, difference }: Comparison) =>
  outcome === 'differs'
    ? { check: 'balance_differs', subject: `${connection}:${currency}:${difference}` }
    : { check: 'balance_not_asked', subject: connection }

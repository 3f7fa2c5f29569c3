/** Compares what connections hold with our books, in one snapshot: every sum and every item is of one instant. */
import {
  type FundsComparison,
  type Movement,
  type Nearest,
  compareFunds,
  nearestTo,
} from '../../domain/funds/comparison.ts'
import { fromMinor, moneyOf, toMinor } from '../../domain/money/money.ts'
import { type Rows, type Transaction, rowsOf, sql } from '../../db/postgres/sql.ts'
import type { BalanceAnswer } from './balances.ts'

/** An answer that is older was not renewed: the connection was not asked, or its worker died with the question. */
const ANSWER_HOURS = 2
/** Movements that are looked through for what explains a difference. */
const LATE_DAYS = 3
const LATE_MAX = 2000

/** Sum of the accounts of a kind; a credit of the service is above zero, money outside below. */
export type AccountSum = { readonly currency: string; readonly kind: string; readonly amount: string }

export type Comparison = Pick<FundsComparison, 'clearing' | 'items'> & {
  readonly connection: string
  readonly currency: string
  /** `not_asked`: it did not answer, or its lists were not read since. `own`: money that our books never had. */
  readonly outcome: 'equal' | 'differs' | 'not_known' | 'not_asked' | 'own'
  readonly balance: string | null
  readonly difference: string | null
  /** Instant of the balance, by the connection's clock. */
  readonly as_of: string | null
  readonly nearest: Nearest | null
}

/** Connection whose money is proved. */
export type ProvedConnection = {
  readonly name: string
  /** Its balance is less as soon as a payout is sent, not when it is settled. */
  readonly debitsSent: boolean
  /** It has lists of payouts and deposits. */
  readonly isMover: boolean
  /** Coins of which it may hold more than our books say: the rest is the operator's, for fees of networks. */
  readonly feeCoins?: readonly string[]
}

export const readAccounts = (rows: Rows): Promise<AccountSum[]> =>
  rows<AccountSum>(sql`select currency, kind, amount from funds_accounts() order by 1, 2`)

/** Names of the accounts that are a connection's: those that were there before connections had names have none. */
const UNNAMED: Readonly<Record<string, string>> = { bank: 'bank', custody: 'custodian', desk: 'rates' }

/** Finds the connection of an account of the service; null if it stands for no money outside. */
export function connectionOfKind(kind: string): string | null {
  const [side = '', name] = kind.split(':')
  const former = UNNAMED[side]
  return former === undefined ? null : (name ?? former)
}

/** Compares all currencies of all connections. `accounts` are of the same snapshot. */
export async function compareAll(
  tx: Transaction,
  connections: readonly ProvedConnection[],
  accounts: readonly AccountSum[],
): Promise<Comparison[]> {
  const named = new Set(connections.map(({ name }) => name))
  const others = accounts.flatMap(({ kind }) => connectionOfKind(kind) ?? []).filter((name) => !named.has(name))
  const all = [...connections, ...[...new Set(others)].map((name) => ({ name, debitsSent: false, isMover: false }))]
  const compared: Comparison[] = []
  for (const connection of all) compared.push(...(await compareOne(rowsOf(tx), connection, accounts)))
  return compared
}

async function compareOne(rows: Rows, held: ProvedConnection, accounts: readonly AccountSum[]): Promise<Comparison[]> {
  const own = accounts.filter(({ kind }) => connectionOfKind(kind) === held.name)
  const asked = held.isMover ? await readAsked(rows, held.name) : { balances: null, asked_at: '', isRead: true }
  const stated = new Map(byCurrency(asked?.balances ?? []))
  const movements = asked?.balances && asked.isRead ? await readMovements(rows, held, own, asked, stated) : []
  const currencies = new Set([...own, ...movements].map(({ currency }) => currency).concat(...stated.keys()))
  const compared: Comparison[] = []
  for (const currency of [...currencies].toSorted()) {
    const clearing = sumOf(
      currency,
      own.filter((one) => one.currency === currency).map(({ amount }) => negate(amount)),
    )
    const facts = { connection: held.name, currency, clearing, items: [], balance: null, difference: null }
    const unknown = { ...facts, as_of: null, nearest: null }
    const balance = stated.get(currency)
    if (!asked || (asked.balances && !asked.isRead)) compared.push({ ...unknown, outcome: 'not_asked' })
    else if (!asked.balances) compared.push({ ...unknown, outcome: 'not_known' })
    else {
      const moved = movements.filter((one) => one.currency === currency)
      const isOwn = moved.every(isCharge) && isTreasury(currency, held.name, accounts)
      compared.push({ ...facts, ...(await judge(rows, held, { currency, clearing, balance, moved, isOwn })) })
    }
  }
  return compared
}

const isCharge = ({ kind, name }: Movement): boolean => kind === 'charge' || name.startsWith('charge:')

/**
 * Tells if our books have nothing of a currency but what a connection charged in it: money of the operator, such as coins
 * for network fees.
 */
const isTreasury = (currency: string, connection: string, accounts: readonly AccountSum[]): boolean =>
  accounts.every((one) => {
    if (one.currency !== currency || toMinor({ amount: one.amount, currency }) === 0n) return true
    return one.kind === `charges:${connection}` || connectionOfKind(one.kind) === connection
  })

type Question = {
  readonly currency: string
  readonly clearing: string
  readonly balance: { readonly amount: string; readonly as_of: string } | undefined
  readonly moved: readonly Movement[]
  /** No organization has any of it: the rest is the operator's. */
  readonly isOwn: boolean
}

async function judge(rows: Rows, held: ProvedConnection, { currency, clearing, balance, moved, isOwn }: Question) {
  // a currency that is left out of the answer is one of which nothing is there
  const { amount, as_of } = balance ?? { amount: sumOf(currency, []), as_of: null }
  const movements = moved.filter(({ kind }) => held.debitsSent || kind !== 'payout_sent')
  const compared = compareFunds(currency, { clearing, balance: amount, movements })
  const isEqual = toMinor({ amount: compared.difference, currency }) === 0n
  if (isEqual) return { ...compared, as_of, nearest: null, outcome: 'equal' as const }
  const isMore = toMinor({ amount: compared.difference, currency }) > 0n
  if (isMore && held.feeCoins?.includes(currency)) {
    const items = [...compared.items, { kind: 'treasury', name: 'fees', amount: compared.difference } as const]
    const difference = sumOf(currency, [])
    return { ...compared, items, difference, as_of, nearest: null, outcome: 'equal' as const }
  }
  if (isOwn && isMore) return { ...compared, as_of, nearest: null, outcome: 'own' as const }
  const late = await rows<Movement>(sql`
    select kind, name, amount, true as in_balance from funds_moved_lately(${held.name}, ${currency},
      business_now() - make_interval(days => ${LATE_DAYS}), ${LATE_MAX})`)
  const known = [...moved, ...late].map((one) => ({ ...one, amount: moneyOf(one.amount, currency).amount }))
  return { ...compared, as_of, nearest: nearestTo(currency, compared.difference, known), outcome: 'differs' as const }
}

type ReadAnswer = BalanceAnswer & { readonly isRead: boolean }

/** Reads the last answer if it is still good. `isRead`: both lists were read to their ends after it. */
async function readAsked(rows: Rows, connection: string): Promise<ReadAnswer | undefined> {
  const [asked] = await rows<ReadAnswer>(sql`
    select b.balances, b.asked_at::text as asked_at, (select count(*) = 2 from partner_lists l
      where l.partner = b.connection and l.list in ('payouts', 'deposits') and l.read_at >= b.asked_at) as "isRead"
    from partner_balances b where b.connection = ${connection} and b.failed_at is null
      and b.asked_at > business_now() - make_interval(hours => ${ANSWER_HOURS})`)
  return asked
}

/** Sums balances by currency: our books know no networks. The earliest instant counts. */
function byCurrency(balances: NonNullable<BalanceAnswer['balances']>) {
  const currencies = [...new Set(balances.map(({ currency }) => currency))]
  return currencies.map((currency) => {
    const of = balances.filter((one) => one.currency === currency)
    const [as_of = ''] = of.map((one) => one.as_of).toSorted((a, b) => Date.parse(a) - Date.parse(b))
    return [currency, { as_of, amount: sumOf(currency, of.map(({ amount }) => amount)) }] as const // prettier-ignore
  })
}

type CurrencyMovement = Movement & { readonly currency: string }

async function readMovements(
  rows: Rows,
  { name, debitsSent }: ProvedConnection,
  own: readonly AccountSum[],
  { asked_at: askedAt }: BalanceAnswer,
  stated: ReadonlyMap<string, { readonly as_of: string }>,
): Promise<CurrencyMovement[]> {
  const instants = Object.fromEntries([...stated].map(([currency, { as_of }]) => [currency, as_of]))
  const kinds = [...new Set(own.map(({ kind }) => kind))]
  const found = await rows<CurrencyMovement>(sql`
    select kind, name, currency, amount, in_balance from funds_movements(${name}, ${kinds}::text[],
      ${askedAt}::text::timestamptz, ${sql.json(instants)}, ${debitsSent})
    order by currency, kind, name`)
  return found.map((one) => ({ ...one, amount: moneyOf(one.amount, one.currency).amount }))
}

const negate = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`)

/** Adds amounts of a currency, also numerics of Postgres. */
export const sumOf = (currency: string, amounts: readonly string[]): string =>
  fromMinor(
    amounts.reduce((sum, amount) => sum + toMinor({ amount, currency }), 0n),
    currency,
  ).amount

/** Keeps the last comparison for operators. */
export async function storeComparisons(tx: Transaction, compared: readonly Comparison[]): Promise<void> {
  await tx`delete from funds_comparisons`
  for (const { connection, currency, outcome, clearing, balance, difference, items, nearest } of compared) {
    await tx`
      insert into funds_comparisons
        (connection, currency, outcome, clearing, balance, difference, items, nearest, compared_at)
      values (${connection}, ${currency}, ${outcome}, ${clearing}, ${balance}, ${difference}, ${tx.json([...items])},
        ${nearest && tx.json(nearest)}, business_now())`
  }
}

type KeptRow = Pick<Comparison, 'connection' | 'currency' | 'outcome' | 'clearing' | 'balance' | 'difference'> &
  Pick<Comparison, 'items' | 'nearest'> & { readonly compared_at: string }

export type KeptComparison = KeptRow & { readonly in_flight: string }

/** Lists what was compared last. */
export async function lastComparisons(): Promise<KeptComparison[]> {
  const rows = await sql<KeptRow[]>`
    select connection, currency, outcome, clearing, balance, difference, items, nearest, compared_at
    from funds_comparisons order by connection, currency`
  return rows.map((one) => ({ ...one, in_flight: sumOf(one.currency, amountsOf(one.items)) }))
}

export const amountsOf = (items: Comparison['items']): string[] => items.map(({ amount }) => amount)

/** Comparison of a partner's balance with our books: equal but for items in flight, each of which is named. */
import { decimalsOf, fromMinor, toMinor } from '../money/money.ts'

/** Movements that one side has, and the other is about to have. */
const IN_FLIGHT = [
  /** In our books since the partner was asked, and not in its answer. */
  'booked_since',
  /** Left the partner before it is settled there; only of a partner that debits what is sent. */
  'payout_sent',
  'payout_settled',
  'payout_returned',
  /** Taken for a payout, and not booked yet. */
  'charge',
  'deposit_received',
  'deposit_returned',
  /** Booked with a desk that settles at this connection, and not settled yet. */
  'trade',
  /** The operator's own coins for fees of networks, among those of customers. */
  'treasury',
] as const
export type InFlight = (typeof IN_FLIGHT)[number]

const isInFlight = (kind: string): kind is InFlight => IN_FLIGHT.some((one) => one === kind)

/** Movement of money at a partner. One of another kind is a contradiction, which explains and excuses nothing. */
export type Movement = {
  readonly kind: string
  /** `payment:<id>`, `deposit:<id>` or another key of the books. */
  readonly name: string
  /** Effect on the partner's balance, signed. */
  readonly amount: string
  /** The partner's answer counts it. */
  readonly in_balance: boolean
}

export type FlightItem = { readonly kind: InFlight; readonly name: string; readonly amount: string }

export type FundsComparison = {
  readonly clearing: string
  readonly balance: string
  /** Balance less clearing and items: zero if all of it is there. */
  readonly difference: string
  readonly items: readonly FlightItem[]
}

/** Compares the balance at a partner with the books; `clearing` is what they say it holds. */
export function compareFunds(
  currency: string,
  { clearing, balance, movements }: { clearing: string; balance: string; movements: readonly Movement[] },
): FundsComparison {
  const units = unitsOf(currency)
  const items = movements.flatMap(({ kind, name, amount, in_balance: counts }): FlightItem[] => {
    if (!isInFlight(kind)) return []
    // what only our books have is taken off, what only the partner has is added
    if (kind === 'booked_since') return counts ? [] : [{ kind, name, amount: units.write(-units.read(amount)) }]
    return counts ? [{ kind, name, amount }] : []
  })
  const expected = items.reduce((sum, { amount }) => sum + units.read(amount), units.read(clearing))
  return { clearing, balance, difference: units.write(units.read(balance) - expected), items }
}

export type Nearest = {
  readonly explains: boolean
  readonly items: readonly Pick<Movement, 'kind' | 'name' | 'amount'>[]
}

/** Movements that are looked through in pairs. */
const PAIRED_MAX = 5000
const NEAREST_MAX = 3

/**
 * Finds what explains a difference: one movement that counts wrongly, or two; else the nearest by amount. A movement
 * may have counted when it should not, or twice, or not at all: its sign says nothing.
 */
export function nearestTo(currency: string, difference: string, movements: readonly Movement[]): Nearest {
  const units = unitsOf(currency)
  const wanted = magnitude(units.read(difference))
  const known = movements.map(({ kind, name, amount }) => ({ kind, name, amount, size: magnitude(units.read(amount)) }))
  const plain = ({ kind, name, amount }: (typeof known)[number]) => ({ kind, name, amount })
  const one = known.find(({ size }) => size === wanted)
  if (one) return { explains: true, items: [plain(one)] }
  const two = pairOf(known.slice(0, PAIRED_MAX), units, wanted)
  if (two) return { explains: true, items: two.map(plain) }
  const nearest = known.toSorted((a, b) => compareSizes(magnitude(a.size - wanted), magnitude(b.size - wanted)))
  return { explains: false, items: nearest.slice(0, NEAREST_MAX).map(plain) }
}

type SizedMovement = Pick<Movement, 'kind' | 'name' | 'amount'> & { readonly size: bigint }

function pairOf(known: readonly SizedMovement[], units: Units, wanted: bigint): SizedMovement[] | undefined {
  const byAmount = new Map<bigint, SizedMovement>()
  for (const other of known) {
    const amount = units.read(other.amount)
    const first = byAmount.get(wanted - amount) ?? byAmount.get(-wanted - amount)
    if (first) return [first, other]
    byAmount.set(amount, other)
  }
  return undefined
}

type Units = { readonly read: (amount: string) => bigint; readonly write: (minor: bigint) => string }

const unitsOf = (currency: string): Units => {
  decimalsOf(currency) // an unknown currency throws here
  return { read: (amount) => toMinor({ amount, currency }), write: (minor) => fromMinor(minor, currency).amount }
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)
const compareSizes = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b))

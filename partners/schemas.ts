import * as v from 'valibot'
import { id } from '../domain/ids.ts'
import { Money, canonicalMoney, moneyBlockers, moneyOf } from '../domain/money/money.ts'
import { Reference } from '../domain/callbacks/reference.ts'
import { sanitize } from './http.ts'

/** Page size: the longest entries fit into the bytes that are read. */
export const PAGE = 50

export const PartnerMoney = v.pipe(
  Money,
  v.check((money) => {
    try {
      canonicalMoney(money)
      return true
    } catch {
      return false
    }
  }, 'must be in a known currency'),
  v.transform(canonicalMoney),
)

const PLAIN = v.pipe(v.string(), v.regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/))
const AnyMoney = v.object({ amount: PLAIN, currency: v.pipe(v.string(), v.maxLength(16)) })

/** Money of a return or charge, which may be zero. */
export const PartnerPart = v.pipe(
  AnyMoney,
  v.check((money) => moneyBlockers(money).length === 0, 'must be in a known currency'),
  v.transform(({ amount, currency }) => moneyOf(amount, currency)),
)

/** Charges; null if they are zero, or in money that the books do not have. */
export const PartnerCharges = v.pipe(
  AnyMoney,
  v.transform(({ amount, currency }) => {
    const isBookable = /[1-9]/.test(amount) && moneyBlockers({ amount, currency }).length === 0
    return isBookable ? moneyOf(amount, currency) : null
  }),
)

/** Tells whether both are equal money; the first is written at its precision. */
export const isSame = (answered: Money, asked: Money): boolean =>
  answered.currency === asked.currency && answered.amount === canonicalMoney(asked).amount

export const FreeText = v.pipe(
  v.string(),
  v.transform((words) => sanitize(words, 255)),
)

/** Makes the schema of an id: the requested one, or any in a list. */
export const idOf = (asked?: string) =>
  v.pipe(
    id(),
    v.check((answered) => asked === undefined || answered === asked.toLowerCase(), 'must be the id that was asked for'),
  )

export type UnreadableRecord = {
  readonly id: string | null
  /** Position in its page, from zero. */
  readonly position: number
  readonly isZeroAmount: boolean
}

/** Makes the schema of a page, oldest first. Unreadable entries, which senders of money may cause, go to `odd`. */
export const pageOf = <Schema extends v.GenericSchema>(entry: Schema, most = PAGE) =>
  v.pipe(
    v.object({ data: v.pipe(v.array(v.unknown()), v.maxLength(most)), next: v.nullable(Reference) }),
    v.transform(({ data: entries, next }) => {
      const [data, odd]: [v.InferOutput<Schema>[], UnreadableRecord[]] = [[], []]
      for (const [position, one] of entries.entries()) {
        const read = v.safeParse(entry, one)
        if (read.success) data.push(read.output)
        else odd.push({ id: idIn(one), position, isZeroAmount: isZeroAmount(one) })
      }
      return { data, odd, next }
    }),
  )

const Identified = v.object({ id: id() })
const idIn = (entry: unknown): string | null => {
  const read = v.safeParse(Identified, entry)
  return read.success ? read.output.id : null
}

/** Tells whether an entry is of zero: such transfers cost their sender nothing. */
export const isZeroAmount = (entry: unknown): boolean => v.is(OfNothing, entry)
const OfNothing = v.object({ amount: v.object({ amount: v.pipe(v.string(), v.regex(/^0+(\.0+)?$/)) }) })

/** Tells whether the books lack the entry's currency or precision. */
export const isOfUnknownMoney = (entry: unknown): boolean => v.is(OfMoney, entry) && !v.is(OfPartnerMoney, entry)
const OfMoney = v.object({ amount: v.object({ amount: v.pipe(v.string(), v.decimal()), currency: v.string() }) })
const OfPartnerMoney = v.object({ amount: PartnerMoney })

export const pageQuery = (after: string | undefined, most = PAGE): string =>
  `?limit=${most}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`

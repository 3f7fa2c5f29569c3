/** A dealing: operators traded for covers of one pair of currencies, net of opposite ones; each cover has a share. */
import { refuse } from '../errors.ts'
import { type Money, add, allocate, fromMinor, isZero, subtract, toMinor } from '../money/money.ts'
import { DEALT_MAX_BP, type OpenPosition, type Trade, isWithin } from './trade.ts'

/** Amounts that operators have dealt for all covers together. */
export type DealtAmounts = Pick<Trade, 'sold' | 'bought'>

/** Side of covers in one currency: what each has to deal, and whether it is in the direction of the dealing. */
type Side = { readonly amounts: readonly Money[]; readonly isForward: readonly boolean[] }

/**
 * Shares a dealing among covers, exactly: each counts as dealt at what it was quoted, and the difference of all is
 * shared by their amounts. Refuses `unprocessable_entity` for covers of another pair (`other_pair`) and for amounts that
 * nobody could have dealt for these covers (`too_far_from_quotes`).
 */
export function shareDealing(covers: readonly OpenPosition[], { sold, bought }: DealtAmounts): DealtAmounts[] {
  const isForward = covers.map(({ sell }) => sell.currency === sold.currency)
  const isPair = ({ sell, buy }: OpenPosition, forward: boolean) =>
    (forward ? [sell, buy] : [buy, sell]).every(({ currency }, side) => currency === [sold, bought][side]?.currency)
  if (covers.length === 0 || !covers.every((cover, place) => isPair(cover, isForward[place] ?? false))) {
    refuse('unprocessable_entity', { reason: 'other_pair' })
  }
  const given = covers.map(({ sell, buy }, place) => (isForward[place] ? sell : buy))
  const taken = covers.map(({ sell, buy }, place) => (isForward[place] ? buy : sell))
  const [ofSold, ofBought] = [share({ amounts: given, isForward }, sold), share({ amounts: taken, isForward }, bought)]
  return covers.map((_, place) => {
    const [one, other] = [ofSold[place], ofBought[place]]
    if (!one || !other) throw new Error('each cover has a share')
    return isForward[place] ? { sold: one, bought: other } : { sold: other, bought: one }
  })
}

/** Shares what was dealt in one currency. */
function share({ amounts, isForward }: Side, dealt: Money): Money[] {
  const none = fromMinor(0n, dealt.currency)
  const net = amounts.reduce(
    (sum, amount, place) => (isForward[place] ? add(sum, amount) : subtract(sum, amount)),
    none,
  )
  const gross = amounts.reduce(add, none)
  const difference = subtract(net, dealt)
  if (!isWithin(difference, gross, DEALT_MAX_BP)) refuse('unprocessable_entity', { reason: 'too_far_from_quotes' })
  if (isZero(difference)) return [...amounts]
  const parts = allocate(difference, amounts.map(toMinor))
  return amounts.map((amount, place) =>
    isForward[place] ? subtract(amount, parts[place] ?? none) : add(amount, parts[place] ?? none),
  )
}

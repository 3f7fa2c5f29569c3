/** A dealing as operators type it. */
import type { Argument } from '../../platform/commands.ts'
import { type CoverId, isUuid } from '../../domain/ids.ts'
import type { Money } from '../../domain/money/money.ts'
import { line } from '../../domain/text.ts'
import * as v from 'valibot'
import type { NewDealing } from './dealings.ts'

const WORDS = line(1, 255)
const TYPED =
  /^(?<covers>[0-9a-f -]+?) --sold (?<sold>\S+ \S+) --bought (?<bought>\S+ \S+)(?: --settles-on (?<day>\d{4}-\d\d-\d\d))? --reason (?<reason>.+)$/i

/** Reads covers, both amounts, the day of settlement if it is later, and the reason. */
export const dealing: Argument<NewDealing> = {
  name: '<cover id …> --sold <amount> <currency> --bought <amount> <currency> [--settles-on <day>] --reason <reason>',
  rest: true,
  read: (given) => {
    const { covers = '', sold, bought, day = null, reason } = TYPED.exec(given)?.groups ?? {}
    const ids = covers.toLowerCase().split(' ')
    const [one, other] = [moneyIn(sold), moneyIn(bought)]
    if (!ids.every(isUuid) || !one || !other || !v.is(WORDS, reason)) return undefined
    // checked uuids are what the brand stands for
    return { covers: ids as readonly string[] as readonly CoverId[], sold: one, bought: other, settlesOn: day, reason }
  },
}

function moneyIn(typed: string | undefined): Money | undefined {
  const [, amount, currency] = /^(\d{1,15}(?:\.\d+)?) ([A-Z]{3,16})$/.exec(typed ?? '') ?? []
  return amount && currency ? { amount, currency } : undefined
}

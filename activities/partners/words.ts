/** Words that several partners use in their replies, as schemas. */
import * as v from 'valibot'
import { id } from '../../db/model/ids.ts'
import { Money, canonicalMoney } from '../../db/model/money.ts'
import { text } from '../../db/model/text.ts'
import { said } from './http.ts'

/** Entries of a page of a list, so many that the longest stay below what is read of an answer. */
export const PAGE = 50

/** An amount in a currency that the books know, written at its precision. */
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

/** Whether both are the same amount of the same currency; the first is written at its precision. */
export const isSame = (answered: Money, asked: Money): boolean =>
  answered.currency === asked.currency && answered.amount === canonicalMoney(asked).amount

/** A name of the partner's for something: taken as it is, or not at all. */
export const Reference = v.pipe(text(1, 255), v.regex(/^[^\p{Cc}\p{Surrogate}]*$/u))

/** Free text, cut where it is long. */
export const Said = v.pipe(
  v.string(),
  v.transform((words) => said(words, 255)),
)

/** The id that was asked for and no other; in a list, any. */
export const idOf = (asked?: string) =>
  v.pipe(
    id(),
    v.check((answered) => asked === undefined || answered === asked.toLowerCase(), 'must be the id that was asked for'),
  )

/** A page of a list in the order in which its entries were made; `next` is the `after` of the next one. */
export const pageOf = <Schema extends v.GenericSchema>(entry: Schema, most = PAGE) =>
  v.object({ data: v.pipe(v.array(entry), v.maxLength(most)), next: v.nullable(Reference) })

/** The query of a page. */
export const pageQuery = (after: string | undefined, most = PAGE): string =>
  `?limit=${most}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`

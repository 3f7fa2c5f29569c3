/** Feeds of any movements, and what they add up to. */
import fc from 'fast-check'
import type { Section } from '../../../domain/exports/report.ts'
import { fromMinor, toMinor } from '../../../domain/money/money.ts'
import { type Movement, account } from './reports.ts'

/** Any text that Postgres stores: no NUL, no lone surrogate. */
const anyText = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...Array.from('=+-@\t\r\n",\'\u001f\u0001<&]東😀')),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  })
  .filter((text) => !text.includes('\0') && !/\p{Cs}/u.test(text))
const movement = fc.record({
  minor: fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }).filter((minor) => minor !== 0n),
  counterparty: anyText,
  description: anyText,
})
export const feed = fc.array(
  fc.record({ currency: fc.constantFrom('EUR', 'USD', 'JPY', 'BHD'), moved: fc.array(movement, { maxLength: 7 }) }),
  { minLength: 1, maxLength: 3 },
)

export type Feed = readonly { readonly currency: string; readonly moved: readonly Movement[] }[]
/** Builds the sections again each time: pages can be read only once. */
export const sectionsOf = (made: Feed): Section[] =>
  made.map(({ currency, moved }, index) =>
    account(currency, fromMinor(BigInt(index * 1000), currency).amount, moved, index * 100),
  )

export type Sums = { currency: string; opening: bigint; in: bigint; out: bigint; closing: bigint }[]
export const sum = (parts: readonly bigint[]) => parts.reduce((all, one) => all + one, 0n)

export const expected = (made: Feed): Sums =>
  sectionsOf(made).map(({ account: own }, index) => {
    const { currency = '', opening = '', closing = '' } = own ?? {}
    const minors = made[index]?.moved.map(({ minor }) => minor) ?? []
    const [opened, closed] = [opening, closing].map((amount) => toMinor({ amount, currency }))
    const [into, out] = [minors.filter((minor) => minor > 0n), minors.filter((minor) => minor < 0n)]
    return { currency, opening: opened ?? 0n, in: sum(into), out: -sum(out), closing: closed ?? 0n }
  })

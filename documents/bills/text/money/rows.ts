/** Amounts of a row: its cells say which number is one, and in which currency. */
import { digitsOf } from '../../../../domain/money/currencies.ts'
import { currencyOf } from '../labels/currencies.ts'
import type { Cell, Line } from '../words.ts'
import { type Amount, type Notation, amountsIn } from './amounts.ts'

export type RowAmount = { readonly amount: Amount; readonly cell: Cell }

const [YEAR_MIN, YEAR_MAX] = [1_900_000n, 2_100_000n]

/**
 * Finds the amounts of cells in a row. A number without signs is none before an amount with decimals if it could be a
 * year, or lends that amount its currency.
 */
export function amountsInRow(line: Line, cells: readonly Cell[], notation: Notation): RowAmount[] {
  const alone = line.cells.map(({ words }) => currencyOf(words.at(-1)?.text)).find((one) => typeof one === 'string')
  const own = alone ? { ...notation, digits: digitsOf(alone) ?? notation.digits } : notation
  const found = line.cells.flatMap((cell, column) => {
    const [before, behind] = [line.cells[column - 1], line.cells[column + 1]].map(
      (one) => typeof currencyOf(one?.text.trim()) === 'string',
    )
    // a currency in a cell of its own is that of the number next to it
    return amountsIn(cell.text, own).map((amount, index, { length }) => {
      const isFirst = before && index === 0 && /^-?\d/.test(cell.text)
      const isLast = behind && index === length - 1 && /\d$/.test(cell.text)
      return { amount: isFirst || isLast ? { ...amount, isMoney: true } : amount, cell }
    })
  })
  const lent = new Set<RowAmount>()
  for (const [index, one] of found.entries()) {
    const next = found.slice(index + 1).find(({ amount }) => amount.decimals > 0 && amount.isMoney)
    const { units, isBare, currency } = one.amount
    const isYear = units >= YEAR_MIN && units <= YEAR_MAX
    if (next && isBare && (isYear || (currency !== null && next.amount.currency === null))) lent.add(one)
  }
  const [spare] = [...lent].flatMap(({ amount: { currency } }) => (currency === null ? [] : [currency]))
  return found.flatMap((one): RowAmount[] => {
    if (lent.has(one) || !cells.includes(one.cell)) return []
    const currency = one.amount.currency ?? alone ?? spare ?? null
    return [{ cell: one.cell, amount: { ...one.amount, currency } }]
  })
}

/** Finds the amounts of money in a row: with a currency, or written with its decimals. */
export function moneyInRow(line: Line, cells: readonly Cell[], notation: Notation): RowAmount[] {
  const found = amountsInRow(line, cells, notation).filter(({ amount }) => !amount.isUnclear)
  return found.filter(({ amount }) => amount.isMoney)
}

/** Tells whether cells of a row look like money that was not parsed. */
export const hasUnparsed = (line: Line, cells: readonly Cell[], notation: Notation): boolean =>
  amountsInRow(line, cells, notation).some(({ amount }) => amount.isUnclear) ||
  cells.some(({ text }) => LETTERS_WITHIN.test(text))
/** Digits with letters that recognition takes for them: `l19,00`, `12O.00`. */
const LETTERS_WITHIN =
  /(?<![\p{L}\d])(?=[\dOolI|]*\d)(?=[\d.,]*[OolI|])[\dOolI|][\dOolI|.,]*[.,][\dOolI|]{2}(?![\p{L}\d])/u

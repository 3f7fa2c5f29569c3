import { type Amount, amountsIn, currencyOf } from './amounts.ts'
import { fold } from './labels/fold.ts'
import { LABELS } from './labels/labels.ts'
import type { Cell, Line } from './words.ts'

export type Kind = 'payable' | 'gross' | 'net' | 'total'
export type Sum = { readonly amount: Amount; readonly cell: Cell; readonly at: number; readonly kind: Kind }
type Decimal = '.' | ',' | null

/** Lines from a heading to the last row of its table, at most. */
const HEADING_LINES = 12

/** Finds all sums; those under headings only if no row has a label. */
export function sumsIn(lines: readonly Line[], decimal: Decimal): Sum[] {
  const found = lines.flatMap((_, at) => inRow(lines, at, decimal))
  return found.length > 0 ? found : lines.flatMap((_, at) => underHeadings(lines, at, decimal))
}

/** Finds the strongest label: "total net" is a net amount, "amount due" more than a total. */
export function kindOf(text: string): Kind | undefined {
  if (LABELS.net.test(text) && !/brutto|ttc|a payer|a pagare|zu zahlen/.test(text)) return 'net'
  const plain = text.replace(/\b(?:mwst|vat|tax|tva|iva|btw)-?(?:betrag|total|amount|bedrag|summe)\b/, 'vat')
  if (LABELS.payable.test(plain)) return 'payable'
  if (LABELS.paid.test(plain)) return undefined
  if (LABELS.gross.test(plain)) return 'gross'
  const ofTax = LABELS.tax.test(plain) && !/in[ck]l|inclus|con iva|ivato/.test(plain)
  return LABELS.total.test(plain) && !ofTax ? 'total' : undefined
}

export const moneyIn = (text: string, decimal: Decimal): Amount[] =>
  amountsIn(text, decimal).filter(({ text: written, currency }) => currency !== null || /[.,]\d\d\)?\D*$/.test(written))

const sizeOf = ({ cents }: Amount): bigint => (cents < 0n ? -cents : cents)

/** Reads the sums of a row: each label has the amounts up to the next one, each amount its column's kind. */
function inRow(lines: readonly Line[], at: number, decimal: Decimal): Sum[] {
  const line = lines[at]
  if (!line) return []
  const labelled = line.cells.flatMap(({ text }, column) => {
    const kind = kindOf(fold(text))
    return kind === undefined ? [] : [{ kind, column }]
  })
  return labelled.flatMap(({ kind, column }, index): Sum[] => {
    const cells = line.cells.slice(column, labelled[index + 1]?.column)
    const sums = cells.flatMap((cell) =>
      moneyIn(cell.text, decimal).map((amount) => ({ kind, amount: withCurrency(amount, line), cell, at })),
    )
    if (new Set(sums.map(({ cell }) => cell)).size > 1) {
      const headed = sums.map((sum) => ({ ...sum, kind: headingOf(lines, at, sum.cell, decimal) }))
      const known = headed.flatMap(({ kind, ...sum }) => (kind && kind !== 'tax' ? [{ ...sum, kind }] : []))
      if (headed.some((sum) => sum.kind !== undefined)) return known
    }
    const last = kind === 'net' ? sums.at(-1) : largestOf(sums)
    return last ? [last] : []
  })
}

/** Chooses the largest amount of a total that lists its taxes too; the last of equal ones. */
const largestOf = (sums: readonly Sum[]): Sum | undefined =>
  sums.reduce<Sum | undefined>(
    (largest, sum) => (largest && sizeOf(largest.amount) > sizeOf(sum.amount) ? largest : sum),
    undefined,
  )

/** Finds the kind of a cell's column, by the nearest heading. */
function headingOf(lines: readonly Line[], at: number, cell: Cell, decimal: Decimal): Kind | 'tax' | undefined {
  for (const above of lines.slice(Math.max(0, at - HEADING_LINES), at).toReversed()) {
    if (above.page !== cell.page) return undefined
    const over = above.cells.find((other) => overlap(other, cell))
    if (!over || moneyIn(over.text, decimal).length > 0) continue
    const text = fold(over.text)
    return kindOf(text) ?? (LABELS.tax.test(text) ? 'tax' : undefined)
  }
  return undefined
}

const overlap = ({ box: [x, , w] }: Cell, { box: [left, , width] }: Cell): boolean => x < left + width && x + w > left

/** Reads sums beneath headings: in the only row, or in the last one if it sums up the others. */
function underHeadings(lines: readonly Line[], at: number, decimal: Decimal): Sum[] {
  const line = lines[at]
  if (!line) return []
  const headings = line.cells.map((cell) => ({ cell, kind: kindOf(fold(cell.text)) }))
  // the heading of a table of items has no sums
  const isOfSums = headings.some(({ cell, kind }) => kind === 'net' || LABELS.tax.test(fold(cell.text)))
  return headings.flatMap(({ cell: heading, kind }): Sum[] => {
    if (!kind || (kind === 'total' && !isOfSums)) return []
    const rows = rowsBeneath(lines, at, heading, decimal)
    const last = rows.at(-1)
    const before = rows.slice(0, -1).reduce((sum, { amount }) => sum + amount.cents, 0n)
    if (!last || (rows.length > 1 && last.amount.cents !== before)) return []
    return [{ kind, ...last }]
  })
}

/** Reads the amounts beneath a heading, while rows have as many as the first. */
function rowsBeneath(lines: readonly Line[], at: number, heading: Cell, decimal: Decimal): Omit<Sum, 'kind'>[] {
  const rows: Omit<Sum, 'kind'>[] = []
  let width = 0
  for (const [index, line] of lines.entries()) {
    if (index <= at) continue
    const cell = line.cells.find((one) => overlap(one, heading))
    const amount = cell && moneyIn(cell.text, decimal).at(-1)
    const isWide = line.cells.filter(({ text }) => moneyIn(text, decimal).length > 0).length
    if (!amount || line.page !== heading.page || isWide < width || (rows.length > 0 && width < 2)) break
    width ||= isWide
    rows.push({ amount: withCurrency(amount, line), cell, at: index })
  }
  return rows
}

function withCurrency(amount: Amount, line: Line): Amount {
  if (amount.currency !== null) return amount
  const alone = line.cells.map(({ text }) => currencyOf(text.trim())).find((one) => typeof one === 'string')
  return alone ? { ...amount, currency: alone } : amount
}

/** Tax of a bill: labelled in a row or in a heading, and proven by the other sums. */
import { fold } from '../labels/fold.ts'
import { LABELS } from '../labels/labels.ts'
import type { Cell, Line } from '../words.ts'
import { type Amount, type Notation, moneyIn } from './amounts.ts'
import { type Sum, kindOf } from './sums.ts'

export type Tax = { readonly amount: Amount; readonly cell: Cell }

/** Lines from a heading to the last row of its table, at most. */
const HEADING_LINES = 8
/** Two hundredths: a tax is rounded once, or in each row. */
const ROUNDING = 20n

/** Finds the tax between net and total. `isProven` tells that the sums of the page add up. */
export function taxIn(
  lines: readonly Line[],
  sums: readonly Sum[],
  notation: Notation,
  isProven: boolean,
): Tax | undefined {
  const grosses = sums.filter(({ kind }) => kind === 'gross' || kind === 'total')
  const totals = grosses.length > 0 ? grosses : sums.filter(({ kind }) => kind === 'payable')
  const nets = sums.filter(({ kind }) => kind === 'net')
  const between = new Set(totals.flatMap((total) => nets.map((net) => total.amount.units - net.amount.units)))
  const inRows = isProven ? taxesInRows(lines, notation).filter(({ amount }) => between.has(amount.units)) : []
  if (inRows.length > 0) return onlyOne(inRows)
  const wholes = new Set(totals.map(({ amount }) => amount.units))
  const headed = taxesUnderHeadings(lines, wholes, notation)
  return headed.length > 0 ? onlyOne(headed) : taxByRate(lines, wholes, notation)
}

const onlyOne = (found: readonly Tax[]): Tax | undefined =>
  new Set(found.map(({ amount }) => amount.units)).size === 1 ? found[0] : undefined

const isTaxLabel = (text: string): boolean => LABELS.tax.test(text) && kindOf(text) === undefined

function taxesInRows(lines: readonly Line[], notation: Notation): (Tax & { readonly label: string })[] {
  return lines.flatMap((line) =>
    line.cells.flatMap((label, column) => {
      const text = fold(label.text)
      if (!isTaxLabel(text)) return []
      const cell = line.cells.slice(column).find((one) => moneyIn(one.text, notation).length > 0)
      const amount = cell && moneyIn(cell.text, notation).at(-1)
      return amount && amount.units !== 0n ? [{ amount, cell, label: text }] : []
    }),
  )
}

/** Finds taxes beneath their heading. The net amount of the row makes the total with it. */
function taxesUnderHeadings(lines: readonly Line[], totals: ReadonlySet<bigint>, notation: Notation): Tax[] {
  return lines.flatMap((line, at) => {
    const headings = line.cells.filter(({ text }) => isTaxLabel(fold(text)) && moneyIn(text, notation).length === 0)
    return headings.flatMap(({ box: [left, , width] }) =>
      lines.slice(at + 1, at + 1 + HEADING_LINES).flatMap((row): Tax[] => {
        const under =
          row.page === line.page ? row.cells.filter(({ box: [x, , w] }) => x < left + width && x + w > left) : []
        const [cell, ...others] = under.filter(({ text }) => moneyIn(text, notation).length > 0)
        const [amount, ...more] = cell ? moneyIn(cell.text, notation) : []
        if (!cell || !amount || others.length > 0 || more.length > 0 || amount.units === 0n) return []
        const beside = row.cells.filter((one) => one !== cell).flatMap(({ text }) => moneyIn(text, notation))
        const isBetween = beside.some(({ units }) => units !== 0n && totals.has(units + amount.units))
        return isBetween ? [{ amount, cell }] : []
      }),
    )
  })
}

/** Finds the only tax of a page that its rate makes out of the total: "of which VAT 19 %". */
function taxByRate(lines: readonly Line[], totals: ReadonlySet<bigint>, notation: Notation): Tax | undefined {
  const [tax, ...others] = taxesInRows(lines, notation)
  const [total, ...further] = totals
  const [, written] = /(\d{1,2}(?:[.,]\d{1,2})?) ?%/.exec(tax?.label ?? '') ?? []
  if (!tax || others.length > 0 || total === undefined || further.length > 0 || written === undefined) return undefined
  const rate = BigInt(Math.round(Number(written.replace(',', '.')) * 100))
  const off = tax.amount.units - (total * rate) / (rate + 10_000n)
  return rate > 0n && (off < 0n ? -off : off) <= ROUNDING ? { amount: tax.amount, cell: tax.cell } : undefined
}

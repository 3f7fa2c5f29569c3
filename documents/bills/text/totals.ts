/** Total of a bill, if the other amounts add up to it. */
import { type Amount, CURRENCY_WORDS, DOLLARS, currencyOf } from './amounts.ts'
import { isPaidAtOnce } from '../payable/till.ts'
import { fold } from './labels/fold.ts'
import { LABELS } from './labels/labels.ts'
import { isOfCustomer } from './parties.ts'
import { type Sum, kindOf, moneyIn, sumsIn } from './sums.ts'
import { type Cell, type Line, cellOf } from './words.ts'

export type Total = { readonly amount: Amount; readonly cell: Cell; readonly at: number }
export type Totals = {
  readonly total: Total | undefined
  /** Whether the parts make it to the cent, so that no digit can be misread. */
  readonly proven: boolean
  readonly currency: { readonly code: string; readonly cell: Cell } | undefined
  readonly wrong: 'does_not_add_up' | 'contradicted' | undefined
  /** Payable amount besides the total: null without one, `total` if equal. */
  readonly owes: 'total' | 'unread' | null
  /** Tax, if its row says that it lies between net and total. */
  readonly tax: { readonly amount: Amount; readonly cell: Cell } | undefined
  readonly isPaid: boolean
}

const ROUNDING_CENTS = 2n
const WAYS_MAX = 4096

export function totalsOf(lines: readonly Line[], decimal: '.' | ',' | null): Totals {
  const all = sumsIn(lines, decimal)
  const of = (kind: Sum['kind']) => all.filter((one) => one.kind === kind)
  const nets = of('net')
  const owed = of('payable').length > 0 || isPromised(lines) ? 'unread' : null
  const currency = currencyIn(lines, decimal, undefined)
  const nothing: Totals = {
    total: undefined,
    proven: false,
    currency,
    wrong: undefined,
    owes: owed,
    tax: undefined,
    isPaid: false,
  }
  for (const kind of ['payable', 'gross', 'total'] as const) {
    const candidates = of(kind)
    if (candidates.length === 0) {
      // the payable amount was not recognized: it is another than the total
      if (kind === 'payable' && isPromised(lines)) return { ...nothing, wrong: 'does_not_add_up' }
      continue
    }
    const right = candidates.filter((one) => nets.length === 0 || addsUp(lines, nets, one, decimal, ROUNDING_CENTS))
    const values = new Set(right.map(({ amount }) => amount.cents))
    const [value] = values
    const wholes = values.size === 1 ? right.filter(({ amount }) => amount.cents === value) : []
    if (wholes.length > 0) {
      const lefts = wholes.map((whole) => (kind === 'payable' ? whole : leftOf(lines, whole, decimal)))
      const other = lefts.findIndex((left, index) => left !== wholes[index])
      const total = lefts[Math.max(0, other)]
      if (!total) return { ...nothing, wrong: 'does_not_add_up' }
      const proven = right.some((one) => addsUp(lines, nets, one, decimal, 0n))
      const isPaid = wholes.some((whole) => isSettled(lines, all, whole, decimal))
      const tax = proven ? taxIn(lines, all, decimal) : undefined
      const currency = currencyIn(lines, decimal, total)
      return { ...nothing, total, proven, currency, owes: owed && 'total', tax, isPaid }
    }
    return { ...nothing, wrong: values.size === 0 ? 'does_not_add_up' : 'contradicted' }
  }
  return nothing
}

/** Tells whether a recognized cell is a label of a payable amount. */
const isPromised = (lines: readonly Line[]): boolean =>
  lines.some(({ cells }) =>
    cells.some(
      ({ text, words, confidence }) =>
        confidence !== null && words.length <= LABEL_WORDS_MAX && LABELS.payable.exec(fold(text))?.index === 0,
    ),
  )
const LABEL_WORDS_MAX = 4

function taxIn(lines: readonly Line[], sums: readonly Sum[], decimal: '.' | ',' | null): Totals['tax'] {
  const grosses = sums.filter(({ kind }) => kind === 'gross' || kind === 'total')
  const totals = grosses.length > 0 ? grosses : sums.filter(({ kind }) => kind === 'payable')
  const nets = sums.filter(({ kind }) => kind === 'net')
  const taxes = new Set(totals.flatMap((total) => nets.map((net) => total.amount.cents - net.amount.cents)))
  const found = lines.flatMap((line) =>
    line.cells.flatMap((label, column) => {
      const text = fold(label.text)
      if (!LABELS.tax.test(text) || kindOf(text) !== undefined) return []
      const cell = line.cells.slice(column).find((one) => moneyIn(one.text, decimal).length > 0)
      const amount = cell && moneyIn(cell.text, decimal).at(-1)
      return amount && amount.cents !== 0n && taxes.has(amount.cents) ? [{ amount, cell }] : []
    }),
  )
  return new Set(found.map(({ amount }) => amount.cents)).size === 1 ? found[0] : undefined
}

/** Lines beneath a total that may state what was paid, and the rest. */
const LEFT_WITHIN = 8

/** Finds the rest of a partly paid total: the total if nothing or all was paid; undefined if it is not stated. */
function leftOf(lines: readonly Line[], total: Sum, decimal: '.' | ',' | null): Sum | undefined {
  const beneath = lines.slice(total.at + 1, total.at + 1 + LEFT_WITHIN).filter(({ page }) => page === total.cell.page)
  const paid = findPaid(beneath, decimal)
  const last = paid.at(-1)
  const left = total.amount.cents - paid.reduce((sum, { cents }) => sum + cents, 0n)
  if (!last || left === 0n) return total
  for (const [index, line] of beneath.entries()) {
    if (index <= last.index) continue
    for (const cell of line.cells) {
      const amount = moneyIn(cell.text, decimal).find(({ cents }) => cents === left)
      if (amount) return { kind: 'payable', amount, cell, at: total.at + 1 + index }
    }
  }
  return undefined
}
const PAID_WORDS_MAX = 6

const findPaid = (lines: readonly Line[], decimal: '.' | ',' | null): { index: number; cents: bigint }[] =>
  lines.flatMap((line, index) => {
    const isSaid = line.cells.some(
      ({ text, words }) => words.length <= PAID_WORDS_MAX && LABELS.paid.test(fold(text)) && !kindOf(fold(text)),
    )
    const cents = isSaid ? (moneyIn(line.text, decimal).at(-1)?.cents ?? 0n) : 0n
    return cents === 0n ? [] : [{ index, cents: cents < 0n ? -cents : cents }]
  })

/** Tells whether nothing is left to pay: nothing is owed, or all was paid. */
function isSettled(lines: readonly Line[], sums: readonly Sum[], total: Sum, decimal: '.' | ',' | null): boolean {
  if (total.amount.cents === 0n) return sums.some(({ kind, amount }) => kind !== 'net' && amount.cents > 0n)
  if (total.kind === 'payable') return false
  const beneath = lines.slice(total.at + 1, total.at + 1 + LEFT_WITHIN).filter(({ page }) => page === total.cell.page)
  const paid = findPaid(beneath, decimal).reduce((sum, { cents }) => sum + cents, 0n)
  return paid === total.amount.cents || isPaidAtOnce(lines, total, decimal)
}

/** Tells whether net, taxes, additions and deductions between the two lines make this total. */
function addsUp(
  lines: readonly Line[],
  nets: readonly Sum[],
  total: Total,
  decimal: '.' | ',' | null,
  rounding: bigint,
): boolean {
  return nets.some((net) => {
    const from = Math.min(net.at, total.at)
    const between = lines.slice(from, Math.max(net.at, total.at) + 1).flatMap((line, index): bigint[][] => {
      if (from + index === net.at || from + index === total.at) {
        // amounts may be in a row
        const beside = line.cells.filter((cell) => cell !== net.cell && cell !== total.cell)
        return beside.map(({ text }) => moneyIn(text, decimal).map(({ cents }) => cents))
      }
      const text = fold(line.text)
      if (kindOf(text) !== undefined) return []
      const less = LABELS.less.test(text) || LABELS.paid.test(text)
      const values = moneyIn(line.text, decimal).map(({ cents }) => (less && cents > 0n ? -cents : cents))
      // a recognized amount may lack its separator: it proves a sum, but is never taken itself
      const bare = line.text.match(/(?<![\d.,])\d[\d.,]{1,10}\d(?![\d.,%])/g) ?? []
      return [values.length > 0 ? values : bare.map((digits) => BigInt(digits.replaceAll(/\D/g, '')))]
    })
    const wanted = total.amount.cents - net.amount.cents
    const last = between.map((values) => values.slice(-1))
    return reaches(wanted, [last], rounding) || reaches(wanted, [between], rounding)
  })
}

/** Tells whether at most one value of each line can sum up to the wanted one. */
function reaches(wanted: bigint, [lines = []]: readonly (readonly (readonly bigint[])[])[], rounding: bigint): boolean {
  let sums = new Set([0n])
  for (const values of lines) {
    const more = new Set(sums)
    for (const sum of sums) for (const value of values) more.add(sum + value)
    if (more.size > WAYS_MAX) break
    sums = more
  }
  return [...sums].some((sum) => (sum > wanted ? sum - wanted : wanted - sum) <= rounding)
}

/** Finds the currency of the total, else the only one anywhere. */
function currencyIn(lines: readonly Line[], decimal: '.' | ',' | null, total: Total | undefined): Totals['currency'] {
  if (total?.amount.currency) return { code: total.amount.currency, cell: total.cell }
  const seen = new Map<string, Cell>()
  for (const { cells } of lines) {
    for (const [column, cell] of cells.entries()) {
      const text = fold(cell.text)
      const isNamed = LABELS.currency.test(text) || /\((?:in )?[a-z]{3}\)|\bin [a-z]{3}$/.test(text)
      const named = isNamed ? [cell, ...cells.slice(column + 1, column + 2)].flatMap(codesIn) : []
      const amounts = moneyIn(cell.text, decimal).map(({ currency }) => ({ code: currency, cell }))
      for (const one of [...named, ...amounts, { code: currencyOf(cell.text.trim()), cell }]) {
        if (typeof one.code === 'string' && !seen.has(one.code)) seen.set(one.code, one.cell)
      }
    }
  }
  if (seen.size === 0) return currencyInWords(lines) ?? dollarIn(lines)
  const [only] = seen
  return seen.size === 1 && only ? { code: only[0], cell: only[1] } : undefined
}

const codesIn = (cell: Cell): { code: string; cell: Cell }[] =>
  cell.words.flatMap((word) =>
    word.text
      .split(/[^\p{L}\p{Sc}]+/u)
      .map(currencyOf)
      .flatMap((code) => (typeof code === 'string' ? [{ code, cell: cellOf([word], cell.page) }] : [])),
  )

function currencyInWords(lines: readonly Line[]): Totals['currency'] {
  const found = lines.flatMap(({ cells }) =>
    cells.flatMap((cell) =>
      Object.entries(CURRENCY_WORDS).flatMap(([code, words]) => (words.test(fold(cell.text)) ? [{ code, cell }] : [])),
    ),
  )
  return new Set(found.map(({ code }) => code)).size === 1 ? found[0] : undefined
}

/** Reads a dollar sign as that of the only such country that the bill is from. */
function dollarIn(lines: readonly Line[]): Totals['currency'] {
  const cell = dollarAt(lines)
  if (!cell) return undefined
  const own = lines.flatMap((line) => line.cells.filter((one) => !isOfCustomer(lines, line, one)))
  const codes = Object.entries(DOLLARS).filter(([, signs]) => own.some(({ text }) => signs.test(text)))
  return codes.length === 1 && codes[0] ? { code: codes[0][0], cell } : undefined
}

/** Finds the first amount with an ambiguous sign. */
export const dollarAt = (lines: readonly Line[]): Cell | undefined =>
  lines.flatMap(({ cells }) => cells).find(({ text }) => /(?<![A-Z])\$ ?\d|\d ?\$/.test(text))

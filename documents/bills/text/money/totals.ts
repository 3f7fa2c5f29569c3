/** Total of a bill, if the other amounts add up to it. */
import { BRITISH, SHARED_SIGNS } from '../labels/currencies.ts'
import { fold } from '../labels/fold.ts'
import { LABELS } from '../labels/labels.ts'
import { isPaidAtOnce } from '../../payable/till.ts'
import { isOfCustomer } from '../../parties/customer.ts'
import type { Cell, Line } from '../words.ts'
import { type Amount, type Notation, moneyIn } from './amounts.ts'
import { currenciesIn } from './notation.ts'
import { moneyInRow } from './rows.ts'
import { type Sum, kindOf, sumsIn } from './sums.ts'
import { type Tax, taxIn } from './tax.ts'

export type Total = { readonly amount: Amount; readonly cell: Cell; readonly at: number }
export type Totals = {
  readonly total: Total | undefined
  /** Whether the parts make it to the cent, so that no digit can be misread. */
  readonly proven: boolean
  readonly currency: { readonly code: string; readonly cell: Cell } | undefined
  readonly wrong: 'does_not_add_up' | 'contradicted' | 'ambiguous_amount' | undefined
  /** Payable amount besides the total: null without one, `total` if equal. */
  readonly owes: 'total' | 'unread' | null
  /** Tax, if its row says that it lies between net and total. */
  readonly tax: Tax | undefined
  readonly isPaid: boolean
}

/** Two hundredths. */
const ROUNDING = 20n
const WAYS_MAX = 4096

export function totalsOf(lines: readonly Line[], notation: Notation): Totals {
  const all = sumsIn(lines, notation)
  const of = (kind: Sum['kind']) => all.filter((one) => one.kind === kind)
  const nets = of('net').filter(({ amount }) => !amount.isUnclear)
  const owed = of('payable').length > 0 || isPromised(lines) ? 'unread' : null
  const currency = currencyIn(lines, undefined)
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
    const found = of(kind)
    const candidates = found.filter(({ amount }) => !amount.isUnclear)
    const isUnread = candidates.length < found.length
    if (candidates.length === 0 && isUnread) return { ...nothing, wrong: 'ambiguous_amount' }
    if (candidates.length === 0) {
      // the payable amount was not recognized: it is another than the total
      if (kind === 'payable' && isPromised(lines)) return { ...nothing, wrong: 'does_not_add_up' }
      continue
    }
    const right = candidates.filter((one) => nets.length === 0 || addsUp(lines, nets, one, notation, ROUNDING))
    const values = new Set(right.map(({ amount }) => amount.units))
    const [value] = values
    const wholes = values.size === 1 ? right.filter(({ amount }) => amount.units === value) : []
    if (wholes.length > 0) {
      const lefts = wholes.map((whole) => (kind === 'payable' ? whole : leftOf(lines, whole, notation)))
      const other = lefts.findIndex((left, index) => left !== wholes[index])
      const total = lefts[Math.max(0, other)]
      if (!total) return { ...nothing, wrong: 'does_not_add_up' }
      const proven = right.some((one) => addsUp(lines, nets, one, notation, 0n))
      // a second total that was not recognized may be another than this one
      if (!proven && hasUnreadTotal(lines, all, notation)) return { ...nothing, wrong: 'does_not_add_up' }
      const doubtful = proven ? null : isUnread ? 'ambiguous_amount' : doubtOf(total, all)
      if (doubtful) return { ...nothing, wrong: doubtful }
      const isPaid = wholes.some((whole) => isSettled(lines, all, whole, notation))
      const tax = taxIn(lines, all, notation, proven)
      const currency = currencyIn(lines, total)
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

/** Tells whether a recognized line has the label of a total, and no amount. */
const hasUnreadTotal = (lines: readonly Line[], sums: readonly Sum[], notation: Notation): boolean =>
  lines.some(({ cells, text }, at) => {
    const isTotal = cells.some(({ text: label, words, confidence }) => {
      const isShort = confidence !== null && words.length <= LABEL_WORDS_MAX && !/\d/.test(label)
      return isShort && [LABELS.gross, LABELS.total].some((one) => one.exec(fold(label))?.index === 0)
    })
    if (!isTotal || cells.length > 2 || sums.some((sum) => sum.at === at)) return false
    const beneath = lines[at + 1]
    return ![text, beneath?.text ?? ''].some((one) => moneyIn(one, notation).length > 0)
  })

/** Finds why a total is in doubt that nothing proves: not if a sum without doubt says the same. */
function doubtOf(total: Sum, sums: readonly Sum[]): Sum['doubt'] {
  const isSaid = sums.some(({ kind, doubt, amount }) => kind !== 'net' && !doubt && amount.units === total.amount.units)
  return isSaid ? null : total.doubt
}

/** Lines beneath a total that may state what was paid, and the rest. */
const LEFT_WITHIN = 8

/** Finds the rest of a partly paid total: the total if nothing or all was paid; undefined if it is not stated. */
function leftOf(lines: readonly Line[], total: Sum, notation: Notation): Sum | undefined {
  const beneath = lines.slice(total.at + 1, total.at + 1 + LEFT_WITHIN).filter(({ page }) => page === total.cell.page)
  const paid = findPaid(beneath, notation)
  const last = paid.at(-1)
  const left = total.amount.units - paid.reduce((sum, { units }) => sum + units, 0n)
  if (!last || left === 0n) return total
  for (const [index, line] of beneath.entries()) {
    if (index <= last.index) continue
    for (const cell of line.cells) {
      const amount = moneyIn(cell.text, notation).find(({ units }) => units === left)
      if (amount) return { kind: 'payable', amount, cell, at: total.at + 1 + index, doubt: null }
    }
  }
  return undefined
}
const PAID_WORDS_MAX = 6

const findPaid = (lines: readonly Line[], notation: Notation): { index: number; units: bigint }[] =>
  lines.flatMap((line, index) => {
    const isSaid = line.cells.some(
      ({ text, words }) => words.length <= PAID_WORDS_MAX && LABELS.paid.test(fold(text)) && !kindOf(fold(text)),
    )
    const units = isSaid ? (moneyIn(line.text, notation).at(-1)?.units ?? 0n) : 0n
    return units === 0n ? [] : [{ index, units: units < 0n ? -units : units }]
  })

/** Tells whether nothing is left to pay: nothing is owed, or all was paid. */
function isSettled(lines: readonly Line[], sums: readonly Sum[], total: Sum, notation: Notation): boolean {
  if (total.amount.units === 0n) return sums.some(({ kind, amount }) => kind !== 'net' && amount.units > 0n)
  if (total.kind === 'payable') return false
  const beneath = lines.slice(total.at + 1, total.at + 1 + LEFT_WITHIN).filter(({ page }) => page === total.cell.page)
  const paid = findPaid(beneath, notation).reduce((sum, { units }) => sum + units, 0n)
  return paid === total.amount.units || isPaidAtOnce(lines, total, notation)
}

/** Tells whether net, taxes, additions and deductions between the two lines make this total. */
function addsUp(
  lines: readonly Line[],
  nets: readonly Sum[],
  total: Total,
  notation: Notation,
  rounding: bigint,
): boolean {
  return nets.some((net) => {
    const from = Math.min(net.at, total.at)
    const between = lines.slice(from, Math.max(net.at, total.at) + 1).flatMap((line, index): bigint[][] => {
      if (from + index === net.at || from + index === total.at) {
        // amounts may be in a row
        const beside = line.cells.filter((cell) => cell !== net.cell && cell !== total.cell)
        return beside.map(({ text }) => moneyIn(text, notation).map(({ units }) => units))
      }
      const text = fold(line.text)
      if (kindOf(text) !== undefined) return []
      const less = LABELS.less.test(text) || LABELS.paid.test(text)
      const values = moneyInRow(line, line.cells, notation)
        .map(({ amount }) => amount)
        .map(({ units }) => (less && units > 0n ? -units : units))
      // a recognized amount may lack its separator: it proves a sum, but is never taken itself
      const bare = line.text.match(/(?<![\d.,])\d[\d.,]{1,10}\d(?![\d.,%])/g) ?? []
      return [values.length > 0 ? values : bare.map((digits) => 10n * BigInt(digits.replaceAll(/\D/g, '')))]
    })
    const wanted = total.amount.units - net.amount.units
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

/** Finds the currency of the total, else the only one anywhere. Pounds that may be dollars are none. */
function currencyIn(lines: readonly Line[], total: Total | undefined): Totals['currency'] {
  const found = currencySaidIn(lines, total)
  return found?.code === 'GBP' && mayBeDollars(lines) ? undefined : found
}

/** Tells whether a recognized `£` may be a dollar sign: nothing else of the supplier is British. */
export const mayBeDollars = (lines: readonly Line[]): boolean =>
  lines.some(({ cells }) => cells.some(({ text, confidence }) => confidence !== null && text.includes('£'))) &&
  !suppliersCells(lines).some(({ text }) => BRITISH.test(text))

const suppliersCells = (lines: readonly Line[]): Cell[] =>
  lines.flatMap((line) => line.cells.filter((one) => !isOfCustomer(lines, line, one)))

function currencySaidIn(lines: readonly Line[], total: Total | undefined): Totals['currency'] {
  if (total?.amount.currency) return { code: total.amount.currency, cell: total.cell }
  const seen = currenciesIn(lines)
  if (seen.length === 0) return currencyBySign(lines)
  return new Set(seen.map(({ code }) => code)).size === 1 ? seen[0] : undefined
}

/** Reads a shared sign as that of the only such country that the bill is from. */
function currencyBySign(lines: readonly Line[]): Totals['currency'] {
  const cell = findSharedSign(lines)
  const countries = SHARED_SIGNS.find(([sign]) => sign.test(cell?.text ?? ''))?.[1]
  if (!cell || !countries) return undefined
  const own = suppliersCells(lines)
  const codes = Object.entries(countries).filter(([, signs]) => own.some(({ text }) => signs.test(text)))
  return codes.length === 1 && codes[0] ? { code: codes[0][0], cell } : undefined
}

/** Finds the first amount with an ambiguous sign. */
export const findSharedSign = (lines: readonly Line[]): Cell | undefined =>
  lines.flatMap(({ cells }) => cells).find(({ text }) => SHARED_SIGNS.some(([sign]) => sign.test(text)))

/** What a bill asks for: the total, if it is what the other amounts add up to. */
import { type Amount, amountsIn, currencyOf } from './amounts.ts'
import { LABELS, folded } from './labels.ts'
import type { Cell, Line } from './words.ts'

export type Total = { readonly amount: Amount; readonly cell: Cell; readonly at: number }
export type Totals = {
  readonly total: Total | undefined
  /** Whether net, taxes and the rest make it to the cent, so that no digit of it can be misread. */
  readonly proven: boolean
  readonly currency: { readonly code: string; readonly cell: Cell } | undefined
  readonly wrong: 'does_not_add_up' | 'contradicted' | undefined
  /** Whether something has to be paid apart from a total: null if not, `total` if the total is that. */
  readonly owes: 'total' | 'unread' | null
}

/** Sums are rounded by rate. */
const ROUNDING_CENTS = 2n
const WAYS_MAX = 4096

type Kind = 'payable' | 'gross' | 'net' | 'total'
type Found = Total & { readonly kind: Kind }

export function totalsOf(lines: readonly Line[], decimal: '.' | ',' | null): Totals {
  const found = lines.flatMap((line, at) => foundIn(line, at, decimal))
  const all = found.length > 0 ? found : lines.flatMap((line, at) => foundBeneath(lines, line, at, decimal))
  const of = (kind: Kind) => all.filter((one) => one.kind === kind)
  const nets = of('net')
  const owed = of('payable').length > 0 || isPromised(lines) ? 'unread' : null
  const currency = currencyIn(lines, decimal, undefined)
  const nothing: Totals = { total: undefined, proven: false, currency, wrong: undefined, owes: owed }
  for (const kind of ['payable', 'gross', 'total'] as const) {
    const candidates = of(kind)
    if (candidates.length === 0) {
      // what has to be paid was recognized without its amount: the total is another one
      if (kind === 'payable' && isPromised(lines)) return { ...nothing, wrong: 'does_not_add_up' }
      continue
    }
    const right = candidates.filter((one) => nets.length === 0 || addsUp(lines, nets, one, decimal, ROUNDING_CENTS))
    const values = new Set(right.map(({ amount }) => amount.cents))
    const [value] = values
    if (values.size === 1) {
      const total = right.find(({ amount }) => amount.cents === value)
      const proven = total !== undefined && addsUp(lines, nets, total, decimal, 0n)
      return { ...nothing, total, proven, currency: currencyIn(lines, decimal, total), owes: owed && 'total' }
    }
    return { ...nothing, wrong: values.size === 0 ? 'does_not_add_up' : 'contradicted' }
  }
  return nothing
}

/** Whether a recognized cell is a label of what has to be paid. */
const isPromised = (lines: readonly Line[]): boolean =>
  lines.some(({ cells }) =>
    cells.some(
      ({ text, words, confidence }) =>
        confidence !== null && words.length <= LABEL_WORDS_MAX && LABELS.payable.exec(folded(text))?.index === 0,
    ),
  )
const LABEL_WORDS_MAX = 4

/** The strongest label of a text: a "total net" is a net amount, an "amount due" more than a total. */
function kindOf(text: string): Kind | undefined {
  if (LABELS.net.test(text) && !/brutto|ttc|a payer|a pagare|zu zahlen/.test(text)) return 'net'
  const plain = text.replace(/\b(?:mwst|vat|tax|tva|iva|btw)-?(?:betrag|total|amount|bedrag|summe)\b/, 'vat')
  if (LABELS.payable.test(plain)) return 'payable'
  if (LABELS.gross.test(plain)) return 'gross'
  const ofTax = LABELS.tax.test(plain) && !/in[ck]l|inclus|con iva|ivato/.test(plain)
  return LABELS.total.test(plain) && !ofTax ? 'total' : undefined
}

function foundIn(line: Line, at: number, decimal: '.' | ',' | null): Found[] {
  const labels = line.cells.findIndex(({ text }) => kindOf(folded(text)) !== undefined)
  const label = line.cells[labels]
  const kind = label && kindOf(folded(label.text))
  if (!label || !kind) return []
  const cells = line.cells.slice(labels)
  const last = cells.toReversed().find((cell) => moneyIn(cell.text, decimal).length > 0)
  const amount = last && moneyIn(last.text, decimal).at(-1)
  return last && amount ? [{ kind, amount: withCurrency(amount, line), cell: last, at }] : []
}

/** Amounts in a row beneath a row of labels. */
function foundBeneath(lines: readonly Line[], line: Line, at: number, decimal: '.' | ',' | null): Found[] {
  const next = lines[at + 1]
  if (!next || next.page !== line.page) return []
  // the heading of a table of items has no sums
  const isOfSums = line.cells.some(({ text }) => LABELS.tax.test(folded(text)) || kindOf(folded(text)) === 'net')
  return line.cells.flatMap((label): Found[] => {
    const kind = kindOf(folded(label.text))
    const [left, , width] = label.box
    const cell = next.cells.find(({ box: [x, , w] }) => x < left + width && x + w > left)
    const amount = cell && moneyIn(cell.text, decimal).at(-1)
    return kind && (kind !== 'total' || isOfSums) && amount ? [{ kind, amount, cell, at: at + 1 }] : []
  })
}

/** What is money for sure: with cents, or with a currency. */
const moneyIn = (text: string, decimal: '.' | ',' | null): Amount[] =>
  amountsIn(text, decimal).filter(({ text: written, currency }) => currency !== null || /[.,]\d\d\)?\D*$/.test(written))

/** A currency that stands in a cell of its own, before or behind the amount. */
function withCurrency(amount: Amount, line: Line): Amount {
  if (amount.currency !== null) return amount
  const alone = line.cells.map(({ text }) => currencyOf(text.trim())).find((one) => typeof one === 'string')
  return alone ? { ...amount, currency: alone } : amount
}

/** Whether net, taxes and what is added or taken off between the two lines make this total. */
function addsUp(
  lines: readonly Line[],
  nets: readonly Found[],
  total: Total,
  decimal: '.' | ',' | null,
  rounding: bigint,
): boolean {
  return nets.some((net) => {
    const from = Math.min(net.at, total.at)
    const between = lines.slice(from, Math.max(net.at, total.at) + 1).flatMap((line, index): bigint[][] => {
      if (from + index === net.at || from + index === total.at) {
        // amounts may stand in a row
        const beside = line.cells.filter((cell) => cell !== net.cell && cell !== total.cell)
        return beside.map(({ text }) => moneyIn(text, decimal).map(({ cents }) => cents))
      }
      const text = folded(line.text)
      if (kindOf(text) !== undefined) return []
      const less = LABELS.less.test(text)
      const values = moneyIn(line.text, decimal).map(({ cents }) => (less && cents > 0n ? -cents : cents))
      // a recognized amount may have lost a sign between its digits: it proves a sum, and is never taken itself
      const bare = line.text.match(/(?<![\d.,])\d[\d.,]{1,10}\d(?![\d.,%])/g) ?? []
      return [values.length > 0 ? values : bare.map((digits) => BigInt(digits.replaceAll(/\D/g, '')))]
    })
    const wanted = total.amount.cents - net.amount.cents
    const last = between.map((values) => values.slice(-1))
    return reaches(wanted, [last], rounding) || reaches(wanted, [between], rounding)
  })
}

/** Whether one value of each line, or none of it, can be summed up to what is wanted. */
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

/** The currency of the total; else the only one that stands at any amount, or is named as that of all of them. */
function currencyIn(lines: readonly Line[], decimal: '.' | ',' | null, total: Total | undefined): Totals['currency'] {
  if (total?.amount.currency) return { code: total.amount.currency, cell: total.cell }
  const seen = new Map<string, Cell>()
  for (const { cells } of lines) {
    for (const [column, cell] of cells.entries()) {
      const beside = cells[column + 1]?.text ?? ''
      const text = folded(cell.text)
      const named =
        LABELS.currency.test(text) || /\((?:in )?[a-z]{3}\)|\bin [a-z]{3}$/.test(text) ? `${cell.text} ${beside}` : ''
      const codes = named.split(/[^\p{L}\p{Sc}]+/u).map(currencyOf)
      for (const code of [...codes, ...moneyIn(cell.text, decimal).map(({ currency }) => currency)]) {
        if (typeof code === 'string' && !seen.has(code)) seen.set(code, cell)
      }
      const alone = currencyOf(cell.text.trim())
      if (typeof alone === 'string' && !seen.has(alone)) seen.set(alone, cell)
    }
  }
  const [only] = seen
  return seen.size === 1 && only ? { code: only[0], cell: only[1] } : undefined
}

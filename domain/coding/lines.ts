/** Lines of a bill as they are coded, and as they are posted with what was coded. */
import { type Money, fromMinor, moneyBlockers, moneyOf, toMinor } from '../money/money.ts'
import type { CodingPart } from './coding.ts'
import { shareOf } from './splits.ts'

/** Line as the file of a bill states it. */
type StatedLine = Pick<CodedLine, 'description' | 'tax_rate'> & { readonly amount: string | null }

/** Line that is coded; without an amount it cannot be. */
export type CodedLine = {
  readonly line: number
  readonly description: string | null
  readonly amount: Money | null
  /** In percent, as the bill states it. */
  readonly tax_rate: string | null
}

/** Coding of a line as a person saved it; it counts while the line has its amount and words. */
export type SavedLine = {
  readonly line: number
  readonly amount: string
  readonly description: string
  readonly parts: readonly CodingPart[]
}

/** Lists the lines of a bill; one of its whole amount if they do not have an amount each. */
export function linesOf(items: readonly StatedLine[], currency: string | null, amount: string | null): CodedLine[] {
  const moneyIn = (decimal: string | null): Money | null =>
    decimal === null || currency === null || moneyBlockers({ amount: decimal.replace('-', ''), currency }).length > 0
      ? null
      : moneyOf(decimal, currency)
  const lines = items.map(({ amount: own, description, tax_rate }, at) => ({
    line: at + 1,
    description,
    amount: moneyIn(own),
    tax_rate,
  }))
  if (lines.length > 0 && lines.every((one) => one.amount !== null)) return lines
  return [{ line: 1, description: null, amount: moneyIn(amount), tax_rate: null }]
}

/** Finds the codings that count, by the number of their line: saved of a line that is as it was then. */
export function findCounting(
  lines: readonly CodedLine[],
  saved: readonly SavedLine[],
): ReadonlyMap<number, SavedLine['parts']> {
  const byLine = new Map(saved.map((one) => [one.line, one]))
  const counting = lines.flatMap((line) => {
    const one = byLine.get(line.line)
    return one && isOfLine(one, line) ? [[line.line, one.parts] as const] : []
  })
  return new Map(counting)
}

const isOfLine = (saved: SavedLine, { amount, description }: CodedLine): boolean =>
  saved.description === (description ?? '') &&
  amount !== null &&
  moneyOf(saved.amount, amount.currency).amount === amount.amount

/** Line of a posted bill, with its tax; without an account it is not coded. */
export type PostedLine = Omit<CodingPart, 'amount'> & { readonly description: string | null; readonly amount: Money }

type Bill = {
  readonly amount: Money
  readonly lines: readonly CodedLine[]
  readonly saved: readonly SavedLine[]
}

/**
 * Lists the lines by which a bill is posted, one for each coded line or part; they add up to its amount. Net lines get
 * the tax of their rate. What remains, such as charges, is a line that is not coded. Empty if no line is coded.
 */
export function listPosted({ amount, lines, saved }: Bill): PostedLine[] {
  const counting = findCounting(lines, saved)
  const posted = lines.flatMap((line) => {
    const parts = counting.get(line.line)
    const whole = { amount: line.amount?.amount ?? '0', account_code: null, tax_code: null, labels: [] }
    return (parts ?? [whole]).map((part) => ({ ...part, line, isCoded: parts !== undefined }))
  })
  if (!posted.some(({ isCoded }) => isCoded)) return []
  const { currency } = amount
  const total = toMinor(amount)
  const nets = posted.map((part) => toMinor(moneyOf(part.amount, currency)))
  const isWhole = sum(nets) === total
  const minors = isWhole ? nets : nets.map((net, at) => net + taxOf(net, posted[at]?.line.tax_rate ?? null))
  const rest = spreadCents(minors, total)
  const all = posted.map(({ account_code, labels, line, tax_code }, at) => ({
    description: line.description,
    account_code,
    tax_code,
    labels,
    amount: fromMinor(minors[at] ?? 0n, currency),
  }))
  if (rest === 0n) return all
  return [
    ...all,
    { description: null, account_code: null, tax_code: null, labels: [], amount: fromMinor(rest, currency) },
  ]
}

const sum = (minors: readonly bigint[]): bigint => minors.reduce((all, one) => all + one, 0n)

const PERCENT = shareOf('100')
/** Rates that a share holds; others are of no tax that is known. */
const RATE = /^\d{1,2}(?:\.\d{1,4})?$/

function taxOf(net: bigint, rate: string | null): bigint {
  const plain = rate?.includes('.') ? rate.replace(/\.0+$|(?<!0)0+$/, '') : (rate ?? '')
  if (!RATE.test(plain)) return 0n
  const tax = (net < 0n ? -net : net) * shareOf(plain)
  const rounded = (tax + PERCENT / 2n) / PERCENT
  return net < 0n ? -rounded : rounded
}

/** Spreads cents that rounding left over the largest lines, at most one each; answers a larger rest as it is. */
function spreadCents(minors: bigint[], total: bigint): bigint {
  const rest = total - sum(minors)
  const cents = rest < 0n ? -rest : rest
  if (cents > BigInt(minors.length)) return rest
  const largest = minors.map((minor, at) => ({ at, size: minor < 0n ? -minor : minor }))
  largest.sort((a, b) => (a.size === b.size ? a.at - b.at : a.size > b.size ? -1 : 1))
  for (const { at } of largest.slice(0, Number(cents))) minors[at] = (minors[at] ?? 0n) + (rest < 0n ? -1n : 1n)
  return 0n
}

const POSTED_MAX = 500

/** Sums lines of equal coding if there are more than an accounting program takes well. */
export function condenseLines(lines: readonly PostedLine[]): PostedLine[] {
  if (lines.length <= POSTED_MAX) return [...lines]
  const byCoding = new Map<string, PostedLine[]>()
  for (const line of lines) {
    const key = JSON.stringify([line.account_code, line.tax_code, line.labels])
    const same = byCoding.get(key)
    if (same) same.push(line)
    else byCoding.set(key, [line])
  }
  return [...byCoding.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const minor = sum([first, ...others].map(({ amount }) => toMinor(amount)))
    const description = others.length > 0 ? `${others.length + 1} lines` : first.description
    return [{ ...first, description, amount: fromMinor(minor, first.amount.currency) }]
  })
}

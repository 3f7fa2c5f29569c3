/** Rows beneath a total that pay all of it, as a till prints them. */
import { anyOf, fold } from '../text/labels/fold.ts'
import { type Notation, moneyIn } from '../text/money/amounts.ts'
import type { Sum } from '../text/money/sums.ts'
import { TENDER } from './means.ts'
import type { Line } from '../text/words.ts'

/** Means of payment at a till, before the amount given. */
const AT_THE_TILL = anyOf(
  'bar(?:geld|zahlung)?',
  'gegeben',
  '(?:ec|kredit|giro|debit)-?(?:karte|card|cash)',
  'kartenzahlung',
  'cash',
  'tendered',
  '(?:credit|debit|bank)? ?card',
  'contactless',
  'visa',
  'master ?card',
  'maestro',
  'amex',
  'american express',
  'v ?pay',
  'paypal',
  'ideal',
  'bancontact',
  'apple pay',
  'google pay',
  'klarna',
  'twint',
  'especes',
  'carte(?: bancaire| bleue)?',
  'cb',
  'efectivo',
  'tarjeta',
  'contant[ei]?',
  'bancomat',
  'carta(?: di credito)?',
  'pin(?:pas)?',
  'kontant\\w*',
  '(?:bank|kredit|betal)?kort',
  'swish',
  'gotowka',
  'karta(?: platnicza)?',
)
const CHANGE = anyOf(
  'ruckgeld',
  'wechselgeld',
  'zuruck',
  'change(?: due| given)?',
  'rendu',
  'monnaie',
  'cambio',
  'resto',
  'wisselgeld',
  'terug',
  'vaxel',
  'tilbage',
  'byttepenge',
  'reszta',
)
const LABEL_WORDS_MAX = 4
/** Lines beneath a total in which a till says how it was paid. */
const TILL_LINES = 10

/** Tells whether rows beneath a total pay all of it: by one means, or in cash with change. */
export function isPaidAtOnce(lines: readonly Line[], total: Sum, notation: Notation): boolean {
  const rows = lines.slice(total.at + 1, total.at + 1 + TILL_LINES).filter(({ page }) => page === total.cell.page)
  const unitsBehind = (label: RegExp) =>
    rows.flatMap((row) => {
      const isSaid = row.cells.some(({ text, words }) => {
        const first = words.findIndex((word) => /\d/.test(word.text))
        const count = first < 0 ? words.length : first
        return count <= LABEL_WORDS_MAX && label.exec(fold(text))?.index === 0
      })
      const [amount] = isSaid ? moneyIn(row.text, notation).slice(-1) : []
      return amount ? [amount.units < 0n ? -amount.units : amount.units] : []
    })
  const change = unitsBehind(CHANGE)
  const { units } = total.amount
  return unitsBehind(AT_THE_TILL).some(
    (given) => given === units || (given > units && change.some((back) => given - back === units)),
  )
}

const AMOUNT = /(?<![\d.,])\d[\d.,' ]*[.,]\d{2,3}(?![\d.,])/g

/** Reads the last amount of a line in its smallest units; null without one. */
function unitsOf({ text }: Line): bigint | null {
  const [written] = Array.from(text.matchAll(AMOUNT), ([one]) => one).slice(-1)
  return written === undefined ? null : BigInt(written.replaceAll(/\D/g, ''))
}

/** Tells whether a row of means pays the largest amount above it, maybe with change. */
export function isPaidAtTill(lines: readonly Line[]): boolean {
  return lines.some((line, at) => {
    const [first] = line.cells
    const given = unitsOf(line)
    if (!first || given === null || given === 0n || line.cells.length > 2 || !isTender(first.text)) return false
    const above = lines.slice(0, at).flatMap((one) => unitsOf(one) ?? [])
    const largest = above.reduce((most, units) => (units > most ? units : most), 0n)
    const next = lines.slice(at + 1, at + 3).flatMap((one) => unitsOf(one) ?? [])
    return largest > 0n && (given === largest || next.some((change) => change > 0n && given - change === largest))
  })
}

/** Tells whether a cell is a name of means, with nothing behind it but an amount. */
function isTender(text: string): boolean {
  const written = fold(text)
  const label = TENDER(written)
  return label !== undefined && !/\p{L}{4}/u.test(written.slice(label.length))
}

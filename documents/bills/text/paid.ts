/** Reasons why a bill on pages is not payable: title, sentences, and instant payments. */
import type { NotPayable } from '../../../domain/bills/reader.ts'
import { isSelfBilled, settlementIn } from '../settled.ts'
import { anyOf, fold } from './labels/fold.ts'
import { LABELS } from './labels/labels.ts'
import { SETTLED, TITLES } from './roles.ts'
import { type Sum, moneyIn } from './sums.ts'
import type { Cell, Line } from './words.ts'

const TITLE_WORDS_MAX = 6

/** Finds why a bill is not payable; null if it is. */
export function notPayableOf(lines: readonly Line[]): NotPayable | null {
  const first = lines.filter(({ page }) => page === 1)
  const headed = (title: RegExp) =>
    first.some(({ cells }) =>
      cells.some(({ text, words }) => words.length <= TITLE_WORDS_MAX && title.exec(fold(text))?.index === 0),
    )
  if (headed(TITLES.pro_forma)) return 'pro_forma'
  if (headed(TITLES.credit_note)) return 'credit_note'
  const sentences = lines.map(({ text }, index) => fold(`${text} ${lines[index + 1]?.text ?? ''}`))
  if (sentences.some(isSelfBilled)) return 'credit_note'
  if (sentences.some((text) => SETTLED.direct_debit.test(text))) return 'direct_debit'
  if (sentences.some((text) => SETTLED.card.test(text))) return 'card'
  return lines.some((_, at) => saysPaid(lines, at)) ? 'paid' : null
}

/** Words from which a cell is part of a sentence that goes on above or below. */
const PROSE_WORDS = 5

/** Tells whether a cell says that the bill is paid, given the lines around it. */
function saysPaid(lines: readonly Line[], at: number): boolean {
  const line = lines[at]
  return (line?.cells ?? []).some((cell, column) => {
    // the label of a sum says nothing of the whole
    const [left, , width] = cell.box
    const under = lines[at + 1]?.cells.filter(({ box: [x, , w] }) => x < left + width && x + w > left) ?? []
    const sums = [...(line?.cells.slice(column + 1) ?? []), ...under]
    if (LABELS.paid.test(fold(cell.text)) && sums.some(({ text }) => moneyIn(text, null).length > 0)) return false
    const [above, below] = [proseBeside(lines[at - 1], cell), proseBeside(lines[at + 1], cell)]
    return settlementIn(cell.text) === 'paid' && settlementIn(`${above}${cell.text}${below}`) === 'paid'
  })
}

function proseBeside(line: Line | undefined, cell: Cell): string {
  const [left, , width] = cell.box
  const beside = line?.page === cell.page ? line.cells : []
  const prose = beside.find(
    ({ box: [x, , w], words }) => words.length >= PROSE_WORDS && x < left + width && x + w > left,
  )
  return prose ? ` ${prose.text} ` : ''
}

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
export function isPaidAtOnce(lines: readonly Line[], total: Sum, decimal: '.' | ',' | null): boolean {
  const rows = lines.slice(total.at + 1, total.at + 1 + TILL_LINES).filter(({ page }) => page === total.cell.page)
  const centsBehind = (label: RegExp) =>
    rows.flatMap((row) => {
      const isSaid = row.cells.some(({ text, words }) => {
        const first = words.findIndex((word) => /\d/.test(word.text))
        const count = first < 0 ? words.length : first
        return count <= LABEL_WORDS_MAX && label.exec(fold(text))?.index === 0
      })
      const [amount] = isSaid ? moneyIn(row.text, decimal).slice(-1) : []
      return amount ? [amount.cents < 0n ? -amount.cents : amount.cents] : []
    })
  const change = centsBehind(CHANGE)
  const { cents } = total.amount
  return centsBehind(AT_THE_TILL).some(
    (given) => given === cents || (given > cents && change.some((back) => given - back === cents)),
  )
}

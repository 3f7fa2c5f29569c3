/** Reasons why a bill on pages is not payable: titles, sentences, and labels of how it is paid. */
import type { Doubt, NotPayable } from '../../../domain/bills/reader.ts'
import { accountOf } from '../text/accounts.ts'
import { fold } from '../text/labels/fold.ts'
import { LABELS } from '../text/labels/labels.ts'
import { TITLES } from '../text/roles.ts'
import { UNKNOWN, moneyIn } from '../text/money/amounts.ts'
import type { Cell, Line } from '../text/words.ts'
import { CHARGED, DEBITED } from './charges.ts'
import { beginning } from '../phrases.ts'
import { MEANS_LABEL, STATUS_LABEL, isPaidStamp, isPaidState, readMeans, showsMaskedCard } from './means.ts'
import { isLabelOf, pairsOf } from './pairs.ts'
import { isSelfBilled, settlementIn } from './sentences.ts'
import { isPaidAtTill } from './till.ts'
import { CREDIT_TITLE, isNoBill, isProForma } from './titles.ts'

export type Payability = {
  readonly notPayable: NotPayable | null
  /** True if the page shows a payer's card beside an account to pay to. */
  readonly mayBePaid: boolean
}

/** Doubt about a bill that shows a card, which may have paid it, and an account. */
export const MAY_BE_PAID: Doubt = {
  code: 'unconfirmed',
  fields: ['amount'],
  message: 'amount may be paid already, by the card that is shown',
}

const TITLE_WORDS_MAX = 6

/** Finds why a bill is not payable, or may be paid already. */
export function payabilityOf(lines: readonly Line[]): Payability {
  const notPayable = reasonInTitle(lines) ?? settlementOn(lines)
  if (notPayable) return { notPayable, mayBePaid: false }
  if (owesNothing(lines) || isPaidAtTill(lines)) return { notPayable: 'paid', mayBePaid: false }
  const isCardShown = lines.some(({ cells }) => cells.some(({ text }) => showsMaskedCard(fold(text))))
  if (!isCardShown) return { notPayable: null, mayBePaid: false }
  const mayBePaid = accountOf(lines).details.length > 0
  return { notPayable: mayBePaid ? null : 'card', mayBePaid }
}

/** Finds a reason in the kind of document. */
function reasonInTitle(lines: readonly Line[]): NotPayable | null {
  const first = lines.filter(({ page }) => page === 1)
  const headed = first.flatMap(({ cells }) =>
    cells.filter(({ words }) => words.length <= TITLE_WORDS_MAX).map(({ text }) => fold(text)),
  )
  const begins = (title: RegExp) => headed.some((text) => title.exec(text)?.index === 0)
  if (begins(TITLES.pro_forma) || headed.some(isProForma)) return 'pro_forma'
  if (begins(TITLES.credit_note) || headed.some((text) => CREDIT_TITLE(text) !== undefined)) return 'credit_note'
  if (sentencesOf(lines).some(isSelfBilled)) return 'credit_note'
  return isNoBill(lines) ? 'not_a_bill' : null
}

/** Folds each line with the next one, as a sentence may go on there. */
const sentencesOf = (lines: readonly Line[]): string[] =>
  lines.map(({ text }, index) => fold(`${text} ${lines[index + 1]?.text ?? ''}`))

/** Reads how the bill is debited, charged to a card or paid. */
function settlementOn(lines: readonly Line[]): NotPayable | null {
  const sentences = sentencesOf(lines)
  if (sentences.some((text) => DEBITED.test(text))) return 'direct_debit'
  if (sentences.some((text) => CHARGED.test(text))) return 'card'
  const means = pairsOf(lines, MEANS_LABEL).flatMap(({ value }) => readMeans(value) ?? [])
  const [only] = means
  if (only !== undefined && new Set(means).size === 1) return only
  if (means.includes('card')) return 'card'
  const isSaid = pairsOf(lines, STATUS_LABEL).some(({ value }) => isPaidState(value))
  return means.length > 0 || isSaid || lines.some((_, at) => saysPaid(lines, at)) ? 'paid' : null
}

/** Words from which a cell is part of a sentence that goes on above or below. */
const PROSE_WORDS = 5
/** Cells of a line from which it heads a table. */
const HEADING_CELLS = 3

/** Tells whether a cell says that the bill is paid, given the lines around it. */
function saysPaid(lines: readonly Line[], at: number): boolean {
  const line = lines[at]
  return (line?.cells ?? []).some((cell, column) => {
    // the label of a sum says nothing of the whole
    const [left, , width] = cell.box
    const under = lines[at + 1]?.cells.filter(({ box: [x, , w] }) => x < left + width && x + w > left) ?? []
    const beside = line?.cells.slice(column + 1) ?? []
    const isOfSum = [...beside, ...under].some(({ text }) => moneyIn(text, UNKNOWN).length > 0)
    if (isPaidStamp(cell.text) && !isOfSum && isAlone(line, cell, beside)) return true
    if (LABELS.paid.test(fold(cell.text)) && isOfSum) return false
    const [above, below] = [proseBeside(lines[at - 1], cell), proseBeside(lines[at + 1], cell)]
    return settlementIn(cell.text) === 'paid' && settlementIn(`${above}${cell.text}${below}`) === 'paid'
  })
}

/** Tells whether words of payment stand for themselves: in no heading of a table, and before no value but a day. */
function isAlone(line: Line | undefined, { text }: Cell, [next]: readonly Cell[]): boolean {
  const isHeading = (line?.cells.length ?? 0) >= HEADING_CELLS && !/\d/.test(line?.text ?? '')
  return (
    !isHeading &&
    !text.endsWith(':') &&
    (next === undefined || !/^(?:no|nein|non|nee|nej|nie|[-–—0]+)$/i.test(next.text))
  )
}

function proseBeside(line: Line | undefined, cell: Cell): string {
  const [left, , width] = cell.box
  const beside = line?.page === cell.page ? line.cells : []
  const prose = beside.find(
    ({ box: [x, , w], words }) => words.length >= PROSE_WORDS && x < left + width && x + w > left,
  )
  return prose ? ` ${prose.text} ` : ''
}

/** Tells whether a balance is nothing, while another sum is not. */
function owesNothing(lines: readonly Line[]): boolean {
  const amounts = (text: string) => Array.from(text.matchAll(AMOUNT), ([written]) => written)
  const isZero = (written: string | undefined) => written !== undefined && /^0+(?:[.,]0+)?$/.test(written)
  const isSome = lines.some(({ text }) => amounts(text).some((written) => !isZero(written)))
  const balances = lines.flatMap((line) =>
    line.cells.flatMap((cell, column) => {
      if (!isLabelOf(BALANCE, cell)) return []
      const written = line.cells.slice(column).flatMap(({ text }) => amounts(text))
      return written.length > 0 ? [written] : []
    }),
  )
  // sums of charges and credits stand before the balance, and equal each other
  const isNothing = ([...before]: readonly string[]) => isZero(before.pop()) && new Set(before).size <= 1
  return isSome && balances.length > 0 && balances.every(isNothing)
}

/** Labels of what is left to pay. */
const BALANCE = beginning(`
  (?:remaining |outstanding |closing |account |current |total )?balance(?: (?:due|owing|remaining|payable|outstanding))?
  (?:amount|total|net|now) (?:due|payable|owing|outstanding), saldo, restbetrag, offener betrag, offen, zu zahlen
  zahlbetrag, noch zu zahlen, rest, solde(?: du)?, reste a payer, net a payer, restant du
  saldo (?:pendiente|restante|em aberto|dovuto), importe pendiente, total a pagar, a pagar, da pagare, totale da pagare
  openstaand(?: bedrag| saldo)?, te betalen, nog te betalen, nog te voldoen, att betala, til betaling, at betale
  a betale, restbelop, restbelob, maksettavaa, maksettava, tasuda, tasumisele kuulub, apmaksai, moketi, mokėtina suma
  do zaplaty, pozostalo do zaplaty, k uhrade, k platbe, zbyva uhradit, fizetendo, fizetendo osszeg, de plata
  rest de plata, сума за плащане, за плащане, остатък, υπολοιπο, πληρωτεο, za uplatu, za placanje
  preostalo za placanje, za placilo`)

/** Amounts with decimals or groups, and a bare zero. */
const AMOUNT = /(?<![\d.,])(?:\d[\d.,' ]*[.,]\d{2,3}|0)(?![\d.,])/g

/** Reading of a bill from the words on its pages. Doubtful fields stay empty. */
import { supplierAddressOn } from '../address.ts'
import { hasReferenceCheckDigits } from '../references.ts'
import { hasVatCheckDigits } from '../../../domain/tax-ids.ts'
import { doubt, verifyFields } from '../verified.ts'
import { BILL_FIELDS, type BillField } from '../../../domain/bills/fields.ts'
import type { Doubt, ReadField, Reading } from '../../../domain/bills/reader.ts'
import { accountOf } from './accounts.ts'
import { decimalSignOf, decimalText } from './amounts.ts'
import { daysAfter } from '../../../domain/instants.ts'
import { type DateOrder, dateIn, orderOf } from './dates.ts'
import { fold } from './labels/fold.ts'
import { LABELS } from './labels/labels.ts'
import { LANGUAGES, type Language } from './labels/languages.ts'
import { speaksOfOtherBill } from './roles.ts'
import { MAY_BE_PAID, payabilityOf } from '../payable/pages.ts'
import { isUnderOtherBill, valuesOf } from './labelled.ts'
import { type FoundNumber, LEADS_IN, areSeveralBills, numbersIn } from './numbers.ts'
import { supplierOf, taxIdOf } from './parties.ts'
import { type Totals, dollarAt, totalsOf } from './totals.ts'
import type { Page } from '../../../domain/bills/page.ts'
import { type Cell, type Line, linesOf } from './words.ts'

/** Least confidence of agreeing readings of a picture: see second-look.ts. */
const AGREED_MIN = 0.8
/** Least confidence of a currency sign, of which there are few. */
const SIGN_MIN = 0.6
/** Fields that are misread with the letters of another language. */
const NAMES: readonly BillField[] = ['supplier_name', 'account_holder_name', 'bank_name']
const COUNTRY_OF: Readonly<Partial<Record<BillField, string>>> = {
  sort_code: 'GB',
  aba_code: 'US',
  bsb_code: 'AU',
  ifsc_code: 'IN',
}

/** Reading, and the fields that check digits or sums prove, however badly they were seen. */
export type PagesRead = {
  readonly reading: Reading
  readonly proven: ReadonlySet<BillField>
  /** Payable amount besides the total, and whether the amount found is that. */
  readonly owes: Totals['owes']
}

/**
 * Reads fields by labels in six languages and by place. An amount needs a sum that adds up to it, an account must be
 * the only one but the payer's, a date one day. Names are left out if `letters` were another language's.
 */
export const readPages = (pages: readonly Page[], method: string, letters: Language = 'en'): Reading =>
  pagesRead(pages, method, letters).reading

/** Reads like readPages(). On a recognized page an unproven value needs two agreeing readings. */
export function pagesRead(pages: readonly Page[], method: string, letters: Language = 'en'): PagesRead {
  const lines = pages.flatMap(linesOf)
  const texts = lines.map(({ text }) => text)
  const language = languageOf(texts)
  const decimal = decimalSignOf(texts)
  const { notPayable, mayBePaid } = payabilityOf(lines)
  const { found, doubts, proven, add, addChecked } = collectFields(language === letters)
  const totals = totalsOf(lines, decimal)
  if (totals.wrong) doubts.push(doubt(totals.wrong, ['amount']))
  if (!totals.currency && dollarAt(lines)) doubts.push(doubt('ambiguous_currency', ['currency']))
  if (mayBePaid) doubts.push(MAY_BE_PAID)
  const paid = totals.isPaid ? ('paid' as const) : null
  const { cents } = totals.total?.amount ?? {}
  const owed = cents !== undefined && notPayable === 'credit_note' && cents > 0n ? -cents : cents
  add('amount', owed === undefined ? undefined : decimalText(owed), totals.total?.cell, totals.proven)
  add('currency', totals.currency?.code, totals.currency?.cell, totals.proven)
  const tax = totals.tax && (owed !== undefined && owed < 0n ? -totals.tax.amount.cents : totals.tax.amount.cents)
  add('tax_total', tax === undefined ? undefined : decimalText(tax), totals.tax?.cell, totals.proven)

  const reference = referenceIn(lines)
  const order = orderOf(texts, language)
  const numbers = numbersIn(lines, order)
  for (const { value, cell } of numbers) add('bill_number', value, cell, isTwice(value, reference))
  const issued = findIssueDates(lines, numbers, order)
  const due = datesAt(lines, [LABELS.due], order)
  for (const [field, dates] of [
    ['issue_date', issued],
    ['due_date', due],
  ] as const) {
    for (const [date, cell] of dates) if (date !== null) add(field, date, cell)
    if (dates.length > 0 && dates.every(([date]) => date === null)) doubts.push(doubt('ambiguous_date', [field]))
  }
  const [issue] = issued
  if (due.length === 0 && issue?.[0]) add('due_date', ...dueByTerms(lines, issue[0]))

  // a debited bill names the payer's account
  const account = notPayable === 'direct_debit' || notPayable === 'card' ? undefined : accountOf(lines)
  if (account?.wrong) doubts.push(doubt(account.wrong, ['iban', 'account_number']))
  for (const { field, value, cell } of account?.details ?? []) {
    // its check digits show any single misread digit
    add(field, value, cell, field === 'iban')
    add('bank_country_alpha2', COUNTRY_OF[field], cell)
  }
  const detail = (field: BillField) => account?.details.find((one) => one.field === field)?.value
  const supplier = supplierOf(lines, pages[0]?.height ?? 842, detail('account_holder_name'))
  add('supplier_name', supplier?.value, supplier?.cell)
  const taxId = taxIdOf(lines)
  const vat = taxId?.isVat && hasVatCheckDigits(taxId.value) ? taxId : undefined
  const address = supplier ? supplierAddressOn(lines, supplier, vat) : []
  for (const { field, value, cell } of address) add(field, value, cell)
  if (taxId) addChecked('supplier_tax_id', taxId.value, taxId.cell, taxId.isVat ? hasVatCheckDigits(taxId.value) : null)
  if (reference) {
    const written = reference.confidence === null ? reference.text : asPrinted(reference.text)
    const isRight = hasReferenceCheckDigits(written, detail('iban')?.slice(0, 2))
    const isNumber = numbers.some(({ value }) => isTwice(value, reference))
    addChecked('payment_reference', written, reference, isRight ?? (isNumber || null))
  }

  if (areSeveralBills(lines, order)) {
    const reading = { method, fields: [], doubts: [SEVERAL_BILLS], notPayable }
    return { reading, proven: new Set(), owes: totals.owes }
  }
  const { fields, doubts: more } = verifyFields(found)
  const reading = {
    method,
    ...plausible(fields, [...doubts, ...more]),
    notPayable: owed !== undefined && owed < 0n ? ('credit_note' as const) : (notPayable ?? paid),
  }
  const kept = reading.fields.filter(({ field }) => proven.has(field))
  return { reading, proven: new Set(kept.map(({ field }) => field)), owes: totals.owes }
}

function collectFields(hasItsLetters: boolean) {
  const found: ReadField[] = []
  const doubts: Doubt[] = []
  const proven = new Set<BillField>()
  const add = (field: BillField, value: string | undefined, cell: Cell | undefined, isProven = false) => {
    if (!value || !cell) return
    if (!isProven && isUnsure(field, cell, hasItsLetters)) return
    if (isProven) proven.add(field)
    found.push({ field, value, page: cell.page, box: cell.box, text: cell.text, confidence: cell.confidence })
  }
  /** Adds a field with check digits: wrong ones mean a misread, unless the file itself says so. */
  const addChecked = (field: BillField, value: string, cell: Cell, isRight: boolean | null) => {
    if (isRight === false && cell.confidence !== null) doubts.push(doubt('wrong_check_digits', [field]))
    else add(field, value, cell, isRight === true)
  }
  return { found, doubts, proven, add, addChecked }
}

/** Doubt about a file with two bills: no field belongs to one for sure. */
export const SEVERAL_BILLS: Doubt = {
  code: 'several_bills',
  fields: BILL_FIELDS,
  message: 'the pages have the numbers of several bills: hand them in one by one',
}

/** Tells whether readings have two bills: within one, or by numbers on different pages. */
export function areApart(readings: readonly Reading[]): boolean {
  const numbers = readings.flatMap(({ fields }) => fields.filter(({ field }) => field === 'bill_number'))
  const [first] = numbers
  const isSeveral = readings.some(({ doubts }) => doubts.some(({ code }) => code === 'several_bills'))
  return isSeveral || numbers.some(({ value, page }) => value !== first?.value && page !== first?.page)
}

/** Restores a Belgian reference, whose signs may be misread. */
function asPrinted(recognized: string): string {
  const [, digits] = BELGIAN.exec(recognized.replaceAll(/\s/g, '')) ?? []
  return digits ? `+++${digits}+++` : recognized
}
const BELGIAN = /^[^\p{L}\d]{0,3}[4t]?[^\p{L}\d]{1,3}(\d{3}\/\d{4}\/\d{5})[^\p{L}\d]{1,3}[4t]?[^\p{L}\d]{0,3}$/u

const isTwice = (number: string, reference: Cell | undefined): boolean =>
  number.length >= TWICE_MIN && reference?.text === number
const TWICE_MIN = 4

/** Removes contradicting dates of a recognized page: one of them was misread. */
function plausible(fields: readonly ReadField[], doubts: readonly Doubt[]): Pick<Reading, 'fields' | 'doubts'> {
  const at = (wanted: BillField) => fields.find(({ field }) => field === wanted)
  const [issue, due] = [at('issue_date'), at('due_date')]
  if (!issue || !due || due.confidence === null || issue.value <= due.value) return { fields, doubts }
  return {
    fields: fields.filter((field) => field !== issue && field !== due),
    doubts: [...doubts, doubt('contradicted', ['issue_date', 'due_date'])],
  }
}

/** Tells whether it was recognized, and no two readings agree. */
export function isUnsure(field: BillField, { confidence }: Cell, hasItsLetters: boolean): boolean {
  if (confidence === null) return false
  if (!hasItsLetters && NAMES.includes(field)) return true
  return confidence < (field === 'currency' ? SIGN_MIN : AGREED_MIN)
}

export const languageOn = (pages: readonly Page[]): Language | null =>
  languageOf(pages.flatMap(linesOf).map(({ text }) => text))

/** Finds the language with most words; null for a tie. */
function languageOf(texts: readonly string[]): Language | null {
  const whole = fold(texts.join(' '))
  const counted = Object.entries(LANGUAGES).map(([language, words]) => ({
    language,
    count: whole.match(words)?.length ?? 0,
  }))
  const [first, second] = counted.toSorted((a, b) => b.count - a.count)
  return first && first.count > (second?.count ?? 0) ? (first.language as Language) : null
}

/** Finds the dates of the bill: by label, and right behind its number; else by a bare "date". */
function findIssueDates(
  lines: readonly Line[],
  numbers: readonly FoundNumber[],
  order: DateOrder,
): (readonly [string | null, Cell])[] {
  const behind = numbers.flatMap(({ dated }) => (dated ? [dated] : []))
  const found = [...datesAt(lines, [LABELS.issued], order), ...behind]
  return found.length > 0 ? found : datesAt(lines, [LABELS.dated], order)
}

/** Characters within which a date follows its label. */
const DATE_WITHIN = 12

/** Finds the dates of the first label that has any; null for one that could be two days. */
function datesAt(
  lines: readonly Line[],
  labels: readonly RegExp[],
  order: DateOrder,
): (readonly [string | null, Cell])[] {
  for (const label of labels) {
    const weak = label === LABELS.dated
    const found = valuesOf(lines, label).flatMap(({ cell, line, label: said, before }) => {
      if (/(?:amount|balance|total|betrag) $/.test(before) || (weak && !/^(?:.*,)?[^a-z,]*$/.test(before))) return []
      const date = dateIn(cell.text, order)
      const at = date ? fold(cell.text).indexOf(date.text) : -1
      if (speaksOfOtherBill(said) || isUnderOtherBill(lines, line, cell)) return []
      return date && at <= (weak ? 2 : DATE_WITHIN) ? [[date.date, cell] as const] : []
    })
    const certain = found.filter(([date]) => date !== null)
    const dates = certain.length > 0 ? certain : found
    if (found.length > 0) return weak ? dates.slice(0, 1) : dates
  }
  return []
}

const TERMS = [
  /(?:innerhalb|binnen|zahlbar|zahlungsziel|netto|zahlung)(?: von)?\D{0,24}?(\d{1,3}) tag/,
  /\b(\d{1,3}) tagen? (?:netto|nach)/,
  /\bnet ?(\d{1,3})\b/,
  /(?:within|terms:?|payable in|due in)\D{0,12}(\d{1,3}) days/,
  /\b(\d{1,3}) days (?:net|from|after|of)/,
  /(?:paiement|reglement|payable|echeance|sous|delai)\D{0,24}?(\d{1,3}) jours/,
  /(?:pago|plazo|pagar|vencimiento)\D{0,24}?(\d{1,3}) dias/,
  /(?:betal\w{0,20}|binnen|termijn)\D{0,24}?(\d{1,3}) dagen/,
  /(?:pagament\w{0,20}|entro|scadenza)\D{0,24}?(\d{1,3}) (?:giorni|gg)/,
]
/** Words of discounts, reminders, or the end of a month. */
const NO_TERMS =
  /%|skonto|escompte|korting|sconto|descuento|discount|verzug|mahn|overdue|late|interest|retard|penalit|mora|rente|fin de mois|fine mese|fin de mes|monatsende|end of (?:the )?month|eom|einde (?:van de )?maand/

function dueByTerms(lines: readonly Line[], issue: string): [string | undefined, Cell | undefined] {
  const cells = lines.flatMap((line) => line.cells)
  const found = cells.flatMap((cell) => {
    const text = fold(cell.text)
    if (NO_TERMS.test(text)) return []
    return TERMS.flatMap((terms) =>
      terms.exec(text)?.[1] ? [{ days: Number(terms.exec(text)?.[1]), cell }] : [],
    ).slice(0, 1)
  })
  const [only] = found
  if (!only || new Set(found.map(({ days }) => days)).size > 1) return [undefined, undefined]
  return [daysAfter(issue, only.days), only.cell]
}

function referenceIn(lines: readonly Line[]): Cell | undefined {
  const found = valuesOf(lines, LABELS.reference).flatMap(({ cell, before, stands }) => {
    const said = /\d/.test(cell.text) && cell.words.length <= 8 && LEADS_IN.test(before) && stands !== 'beneath'
    return said ? [cell] : []
  })
  return new Set(found.map(({ text }) => text)).size === 1 ? found[0] : undefined
}

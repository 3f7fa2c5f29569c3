/** Reading of a bill from the words on its pages. Doubtful fields stay empty. */
import { supplierAddressOn } from '../address.ts'
import { hasReferenceCheckDigits } from '../references.ts'
import { hasVatCheckDigits } from '../../../domain/tax-ids.ts'
import { doubt, verifyFields } from '../verified.ts'
import { BILL_FIELDS, type BillField } from '../../../domain/bills/fields.ts'
import type { Doubt, ReadField, Reading } from '../../../domain/bills/reader.ts'
import { accountOf } from './accounts.ts'
import { orderOf } from './dates.ts'
import { daysOf } from './days.ts'
import { LABELS } from './labels/labels.ts'
import { type Language, languageOf, lettersOf } from './labels/languages.ts'
import { type Amount, decimalText } from './money/amounts.ts'
import { notationOf } from './money/notation.ts'
import { MAY_BE_PAID, payabilityOf } from '../payable/pages.ts'
import { valuesOf } from './labelled.ts'
import { LEADS_IN, areSeveralBills, numbersIn } from './numbers.ts'
import { supplierOf } from '../parties/supplier.ts'
import { taxIdOf } from '../parties/tax-ids.ts'
import { type Totals, findSharedSign, mayBeDollars, totalsOf } from './money/totals.ts'
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

function withSign(amount: Amount, isNegative: boolean): Amount {
  const size = amount.units < 0n ? -amount.units : amount.units
  return { ...amount, units: isNegative ? -size : size }
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
  const notation = notationOf(lines)
  const { notPayable, mayBePaid } = payabilityOf(lines)
  const { found, doubts, proven, add, addChecked } = collectFields(lettersOf(texts) === letters)
  const totals = totalsOf(lines, notation)
  if (totals.wrong) doubts.push(doubt(totals.wrong, ['amount']))
  const isShared = findSharedSign(lines) !== undefined || mayBeDollars(lines)
  if (!totals.currency && isShared) doubts.push(doubt('ambiguous_currency', ['currency']))
  if (mayBePaid) doubts.push(MAY_BE_PAID)
  const paid = totals.isPaid ? ('paid' as const) : null
  const { amount } = totals.total ?? {}
  const isOurs = amount !== undefined && notPayable === 'credit_note' && amount.units > 0n
  const owed = isOurs ? { ...amount, units: -amount.units } : amount
  add('amount', owed && decimalText(owed), totals.total?.cell, totals.proven)
  add('currency', totals.currency?.code, totals.currency?.cell, totals.proven)
  const isNegative = owed !== undefined && owed.units < 0n
  // a tax has the sign of the amount that it is part of, however the page writes it
  const tax = totals.tax && withSign(totals.tax.amount, isNegative)
  add('tax_total', tax && decimalText(tax), totals.tax?.cell, totals.proven)

  const reference = referenceIn(lines)
  // a misread digit of a picture may make a month of a day
  const sure = lines.filter(({ cells }) =>
    cells.every(({ confidence }) => confidence === null || confidence >= AGREED_MIN),
  )
  const order = orderOf(sure.length === lines.length ? texts : sure.map(({ text }) => text), language)
  const numbers = numbersIn(lines, order)
  for (const { value, cell } of numbers) add('bill_number', value, cell, isTwice(value, reference))
  const days = daysOf(lines, numbers, order, language)
  for (const { field, date, cell } of days.found) add(field, date, cell)
  doubts.push(...days.doubts)

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
  const taxId = taxIdOf(
    lines,
    numbers.map(({ value }) => value),
  )
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
    notPayable: isNegative ? ('credit_note' as const) : (notPayable ?? paid),
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

/** Finds the language whose letters a picture is read by; null for a tie. */
export const languageOn = (pages: readonly Page[]): Language | null =>
  lettersOf(pages.flatMap(linesOf).map(({ text }) => text))

function referenceIn(lines: readonly Line[]): Cell | undefined {
  const found = valuesOf(lines, LABELS.reference).flatMap(({ cell, before, stands }) => {
    const said = /\d/.test(cell.text) && cell.words.length <= 8 && LEADS_IN.test(before) && stands !== 'beneath'
    return said ? [cell] : []
  })
  return new Set(found.map(({ text }) => text)).size === 1 ? found[0] : undefined
}

/** Account to be paid to, never the payer's, which direct debits and receipts print. */
import { countrySpecs } from 'ibantools'
import { hasCheckDigits, ibanPattern } from '../../../domain/destinations/iban.ts'
import { isCountry } from '../../../domain/destinations/bank-requirements.ts'
import type { BankDetail } from '../../../domain/bills/fields.ts'
import { fold } from './labels/fold.ts'
import { LABELS } from './labels/labels.ts'
import { CUSTOMER, CUSTOMER_NUMBER, OF_PAYER } from './roles.ts'
import { valuesOf } from './labelled.ts'
import type { Word } from '../../../domain/bills/page.ts'
import { type Cell, type Line, cellOf } from './words.ts'

export type FoundDetail = { readonly field: BankDetail; readonly value: string; readonly cell: Cell }
export type Account = { readonly details: readonly FoundDetail[]; readonly wrong: 'several_accounts' | undefined }

const HEADING_LINES = 4
const IBAN_BEGINS = /^(?:iban:?)?([A-Z]{2}[0-9OIl]{2})/
/** Characters that an initial I is recognized as. */
const LIKE_I = /^(iban:?)?[[\]|!1l](?=[EST][0-9OIl]{2})/

/** Finds the only account of the supplier; none if there are several, or it may be the payer's. */
export function accountOf(lines: readonly Line[]): Account {
  const ibans = lines.flatMap(ibansIn).filter(({ cell, line }) => !isOfPayer(lines, line, cell))
  const payers = lines.flatMap(ibansIn).filter(({ cell, line }) => isOfPayer(lines, line, cell))
  const different = new Set(ibans.map(({ value }) => value))
  if (different.size > 1) return { details: [], wrong: 'several_accounts' }
  const [iban] = ibans
  const national = nationalOf(lines, iban?.value.slice(0, 2))
  if (national === 'several') return { details: [], wrong: 'several_accounts' }
  if (!iban && national.length === 0) return { details: [], wrong: undefined }
  const near = iban?.line ?? national[0]?.line
  const details: FoundDetail[] = [
    ...(iban ? [{ field: 'iban' as const, value: iban.value, cell: iban.cell }] : []),
    ...national,
  ]
  for (const more of [
    bicOf(lines, near, iban?.value, payers),
    nameOf(lines, 'holder', near),
    nameOf(lines, 'bankName', near),
  ]) {
    if (more) details.push(more)
  }
  return { details, wrong: undefined }
}

type FoundIban = { readonly value: string; readonly cell: Cell; readonly line: Line }

/** Finds all IBANs of a line, by their country's form and check digits. */
export function ibansIn(line: Line): FoundIban[] {
  return line.cells.flatMap((first, column) => {
    const words = line.cells.slice(column).flatMap((cell) => cell.words)
    const found: FoundIban[] = []
    for (let from = 0; from < first.words.length; from += 1) {
      const head = firstOf(words[from])
      const begins = IBAN_BEGINS.exec(head)?.[1]
      const length = begins ? countrySpecs[begins.slice(0, 2)]?.chars : undefined
      if (!length) continue
      let text = ''
      let to = from
      for (; to < words.length && text.length < length; to += 1) {
        const part = to === from ? head.replace(/^iban:?/i, '') : (words[to]?.text ?? '')
        text += part.replaceAll(/[ .,;:-]/g, '')
      }
      const value = asIban(text, length)
      if (value) found.push({ value, cell: cellOf(words.slice(from, to), line.page), line })
    }
    return found
  })
}

/** Replaces letters by the digits that they look like. */
export const asDigits = (text: string): string =>
  text.replaceAll('O', '0').replaceAll(/[Il]/g, '1').replaceAll('S', '5').replaceAll('B', '8')

/** The first word of an IBAN; if recognized, with the letter that it should have. */
const firstOf = (word: Word | undefined): string =>
  word && word.confidence !== null ? word.text.replace(LIKE_I, '$1I') : (word?.text ?? '')

/** Corrects recognized letters to digits, where that country has digits. */
function asIban(text: string, length: number): string | undefined {
  if (text.length !== length) return undefined
  const home = text.slice(0, 2)
  const readings = [text, home + asDigits(text.slice(2, 4)) + text.slice(4), home + asDigits(text.slice(2))]
  return readings.find((iban) => new RegExp(ibanPattern(home) ?? '^$').test(iban) && hasCheckDigits(iban))
}

/** Tells whether the line, or a heading above it, is about the payer's account. */
export function isOfPayer(lines: readonly Line[], line: Line, cell: Cell): boolean {
  const index = lines.indexOf(line)
  const [left, , width, height] = cell.box
  const speaks = (cells: readonly Cell[]) =>
    cells.some((one) => {
      const text = fold(one.text)
      const [x, , w] = one.box
      const isBeside = x >= left + width || x + w <= left
      const isTheirs = CUSTOMER.exec(text)?.index === 0 && !(isBeside && CUSTOMER_NUMBER.test(text))
      return OF_PAYER.test(text) || isTheirs
    })
  if (speaks(line.cells.filter(({ box: [x] }) => x <= left + width))) return true
  let below = line
  for (const above of lines.slice(Math.max(0, index - HEADING_LINES), index).reverse()) {
    const isFar = above.page !== line.page || below.box[1] - above.box[1] > height * HEADING_GAP
    const over = above.cells.filter(({ box: [x, , w] }) => x < left + width && x + w > left - height * BESIDE_LETTERS)
    if (isFar || PAYMENT.test(fold(above.text))) break
    if (speaks(over)) return ibansIn(above).length === 0
    below = above
  }
  // a sentence goes on in the next line
  const next = lines[index + 1]
  const goesOn = next?.page === line.page && next.box[1] - line.box[1] < height * SENTENCE_GAP
  return goesOn && ibansIn(next).length === 0 && speaks(next.cells) && !PAYMENT.test(fold(next.text))
}

/** Gap from top to top, in heights of a letter. */
const HEADING_GAP = 2.4
const SENTENCE_GAP = 1.6
const BESIDE_LETTERS = 12
const PAYMENT =
  /(?<!ihre )bankverbindung|bank details|payment details|pay(?:ment)? to|coordonnees bancaires|par virement|datos bancarios|transferencia|bankgegevens|betaling op|coordinate bancarie|bonifico/

type FoundCode = FoundDetail & { readonly line: Line }

const NATIONAL = [
  ['sort_code', LABELS.sortCode, /^\d{2}[- ]?\d{2}[- ]?\d{2}\b/],
  ['aba_code', LABELS.aba, /^\d{9}\b/],
  ['bsb_code', LABELS.bsb, /^\d{3}[- ]?\d{3}\b/],
  ['ifsc_code', LABELS.ifsc, /^[A-Z]{4}0[A-Z0-9]{6}\b/],
  ['account_number', LABELS.account, /^\d[\d -]{4,18}\d\b/],
] as const

/** Bankgiro and Plusgiro of Sweden are no bank accounts. */
const GIRO = /^(?:\d{3,4}-\d{4}|\d[\d ]{0,7}-\d)\b/

/** Finds national codes without IBANs: only together with an account number, and only unique ones. */
function nationalOf(lines: readonly Line[], ibanCountry: string | undefined): FoundCode[] | 'several' {
  if (ibanCountry && ibanCountry !== 'GB') return []
  const details: FoundCode[] = []
  for (const [field, label, form] of NATIONAL) {
    const [first, ...others] = codesOf(lines, field, label, form)
    if (others.some(({ value }) => value !== first?.value)) return 'several'
    if (first) details.push(first)
  }
  const numbers = details.filter(({ field }) => field === 'account_number')
  return numbers.length > 0 && numbers.length < details.length ? details : []
}

function codesOf(lines: readonly Line[], field: BankDetail, label: RegExp, form: RegExp): FoundCode[] {
  return valuesOf(lines, label).flatMap(({ cell, line, label: said }) => {
    const [text] = form.exec(cell.text) ?? []
    const isGiro = field === 'account_number' && (said.includes('giro') || GIRO.test(cell.text))
    if (!text || isGiro || isOfPayer(lines, line, cell)) return []
    const words = cell.words.slice(0, text.split(' ').length)
    return [{ field, value: text.replaceAll(/[ -]/g, ''), cell: cellOf(words, cell.page), line }]
  })
}

/** Finds the BIC nearest to the account, of its country. */
function bicOf(
  lines: readonly Line[],
  near: Line | undefined,
  iban: string | undefined,
  payers: readonly FoundIban[],
): FoundDetail | undefined {
  const far = (one: Line, other: Line) => Math.abs(lines.indexOf(one) - lines.indexOf(other))
  const isTheirs = (line: Line) => near && payers.some((payer) => far(line, payer.line) <= far(line, near))
  const found = valuesOf(lines, LABELS.bic).flatMap(({ cell, line }) => {
    const [value] = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b/.exec(cell.text) ?? []
    if (!value || !isCountry(value.slice(4, 6)) || isOfPayer(lines, line, cell) || isTheirs(line)) return []
    return [{ field: 'swift_code' as const, value, cell: cellOf(cell.words.slice(0, 1), cell.page), line }]
  })
  return nearest(
    found.filter(({ value }) => !iban || value.slice(4, 6) === iban.slice(0, 2)),
    lines,
    near,
  )
}

function nameOf(lines: readonly Line[], kind: 'holder' | 'bankName', near: Line | undefined): FoundDetail | undefined {
  const found = valuesOf(lines, LABELS[kind]).flatMap(({ cell, line, before, stands }) => {
    const named = stands !== 'beneath' && before.trim() === '' && /^\p{Lu}/u.test(cell.text) && !/\d{4}/.test(cell.text)
    if (!named || isOfPayer(lines, line, cell) || isLabel(cell.text)) return []
    const [value = ''] = cell.text.split(/ [|·•–] |, (?=IBAN|BIC)|;/)
    return [{ field: kind === 'holder' ? ('account_holder_name' as const) : ('bank_name' as const), value, cell, line }]
  })
  return nearest(found, lines, near)
}

const isLabel = (text: string): boolean =>
  [LABELS.bic, LABELS.sortCode, LABELS.account, LABELS.holder, LABELS.reference, /^iban/].some((label) => {
    const match = label.exec(fold(text))
    return match?.index === 0 && /^(?:$|:| ?[A-Z]{2}\d\d)/.test(text.slice(match[0].length))
  })

/** Lines within which a BIC belongs to an account. */
const NEAR_LINES = 6

function nearest(found: readonly FoundCode[], lines: readonly Line[], near: Line | undefined): FoundDetail | undefined {
  const far = ({ line }: { line: Line }) => Math.abs(lines.indexOf(line) - (near ? lines.indexOf(near) : 0))
  const [first, ...others] = found.toSorted((a, b) => far(a) - far(b))
  if (!first || far(first) > NEAR_LINES) return undefined
  return others.some((other) => far(other) === far(first) && other.value !== first.value) ? undefined : first
}

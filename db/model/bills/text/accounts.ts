/** The account to be paid to. The payer's own, which direct debits and receipts print, is never taken for it. */
import { countrySpecs } from 'ibantools'
import { hasCheckDigits, ibanPattern } from '../../contacts/iban.ts'
import { isCountry } from '../../contacts/bank-requirements.ts'
import type { BankDetail } from '../fields.ts'
import { LABELS, folded } from './labels.ts'
import { CUSTOMER, OF_PAYER } from './roles.ts'
import { valuesOf } from './labelled.ts'
import { type Cell, type Line, cellOf } from './words.ts'

export type FoundDetail = { readonly field: BankDetail; readonly value: string; readonly cell: Cell }
export type Account = { readonly details: readonly FoundDetail[]; readonly wrong: 'several_accounts' | undefined }

/** A heading counts for so many lines beneath it. */
const HEADING_LINES = 4
const IBAN_BEGINS = /^(?:iban:?)?([A-Z]{2}[0-9OIl]{2})/

/** The only account that a bill names for its supplier; nothing if there are several, or if it may be the payer's. */
export function accountOf(lines: readonly Line[]): Account {
  const ibans = lines.flatMap(ibansIn).filter(({ cell, line }) => !isOfPayer(lines, line, cell))
  const different = new Set(ibans.map(({ value }) => value))
  if (different.size > 1) return { details: [], wrong: 'several_accounts' }
  const [iban] = ibans
  const national = nationalOf(lines, iban?.value.slice(0, 2))
  if (national === 'several') return { details: [], wrong: 'several_accounts' }
  if (!iban && national.length === 0) return { details: [], wrong: undefined }
  const near = iban
    ? iban.line
    : lines.find(({ cells }) => cells.some((cell) => cell.words.some((word) => national[0]?.cell.words.includes(word))))
  const details: FoundDetail[] = [
    ...(iban ? [{ field: 'iban' as const, value: iban.value, cell: iban.cell }] : []),
    ...national,
  ]
  for (const more of [
    bicOf(lines, near, iban?.value),
    nameOf(lines, 'holder', near),
    nameOf(lines, 'bankName', near),
  ]) {
    if (more) details.push(more)
  }
  return { details, wrong: undefined }
}

type FoundIban = { readonly value: string; readonly cell: Cell; readonly line: Line }

/** Every run of words of a line that is an IBAN by its country's form and its check digits. */
export function ibansIn(line: Line): FoundIban[] {
  return line.cells.flatMap((first, column) => {
    const words = line.cells.slice(column).flatMap((cell) => cell.words)
    const found: FoundIban[] = []
    for (let from = 0; from < first.words.length; from += 1) {
      const begins = IBAN_BEGINS.exec(words[from]?.text ?? '')?.[1]
      const length = begins ? countrySpecs[begins.slice(0, 2)]?.chars : undefined
      if (!length) continue
      let text = ''
      let to = from
      for (; to < words.length && text.length < length; to += 1) {
        const part = (words[to]?.text ?? '').replace(to === from ? /^(?:iban:?)/i : /^/, '')
        text += part.replaceAll(/[ .,;:-]/g, '')
      }
      const value = asIban(text, length)
      if (value) found.push({ value, cell: cellOf(words.slice(from, to), line.page), line })
    }
    return found
  })
}

/** Letters that a recognized digit looks like are read as digits, at places that have digits in that country. */
function asIban(text: string, length: number): string | undefined {
  if (text.length !== length) return undefined
  const home = text.slice(0, 2)
  const digits = (part: string) => part.replaceAll('O', '0').replaceAll(/[Il]/g, '1')
  const readings = [text, home + digits(text.slice(2, 4)) + text.slice(4), home + digits(text.slice(2))]
  return readings.find((iban) => new RegExp(ibanPattern(home) ?? '^$').test(iban) && hasCheckDigits(iban))
}

/** Whether what stands in a line, or above it in the same column, speaks of the account of the one who pays. */
export function isOfPayer(lines: readonly Line[], line: Line, cell: Cell): boolean {
  const index = lines.indexOf(line)
  const [left, top, width, height] = cell.box
  const beside = folded(
    line.cells
      .filter(({ box: [x] }) => x <= left + width)
      .map(({ text }) => text)
      .join(' '),
  )
  if (OF_PAYER.test(beside) || CUSTOMER.test(beside)) return true
  for (const above of lines.slice(0, index).reverse().slice(0, HEADING_LINES)) {
    if (above.page !== line.page || top - above.box[1] > height * 2.4 * HEADING_LINES) return false
    const over = above.cells.filter(({ box: [x, , w] }) => x < left + width && x + w > left - height * 12)
    const text = folded(over.map((one) => one.text).join(' '))
    if (OF_PAYER.test(text) || CUSTOMER.test(text)) return true
    if (
      /bankverbindung|bank details|pay(?:ment)? to|coordonnees bancaires|datos bancarios|bankgegevens|coordinate bancarie/.test(
        text,
      )
    ) {
      return false
    }
  }
  // a sentence goes on in the next line
  const next = lines[index + 1]
  return (
    next !== undefined && next.page === line.page && next.box[1] - top < height * 2 && OF_PAYER.test(folded(next.text))
  )
}

const NATIONAL = [
  ['sort_code', LABELS.sortCode, /^\d{2}[- ]?\d{2}[- ]?\d{2}\b/],
  ['aba_code', LABELS.aba, /^\d{9}\b/],
  ['bsb_code', LABELS.bsb, /^\d{3}[- ]?\d{3}\b/],
  ['ifsc_code', LABELS.ifsc, /^[A-Z]{4}0[A-Z0-9]{6}\b/],
  ['account_number', LABELS.account, /^\d[\d -]{4,18}\d\b/],
] as const

/** Codes of a country without IBANs: only together with an account number, and each only if it is said once. */
function nationalOf(lines: readonly Line[], ibanCountry: string | undefined): FoundDetail[] | 'several' {
  if (ibanCountry && ibanCountry !== 'GB') return []
  const details: FoundDetail[] = []
  for (const [field, label, form] of NATIONAL) {
    const [first, ...others] = codesOf(lines, field, label, form)
    if (others.some(({ value }) => value !== first?.value)) return 'several'
    if (first) details.push(first)
  }
  const numbers = details.filter(({ field }) => field === 'account_number')
  return numbers.length > 0 && numbers.length < details.length ? details : []
}

function codesOf(lines: readonly Line[], field: BankDetail, label: RegExp, form: RegExp): FoundDetail[] {
  return valuesOf(lines, label).flatMap(({ cell, line }) => {
    const [text] = form.exec(cell.text) ?? []
    if (!text || isOfPayer(lines, line, cell)) return []
    const words = cell.words.slice(0, text.split(' ').length)
    return [{ field, value: text.replaceAll(/[ -]/g, ''), cell: cellOf(words, cell.page) }]
  })
}

/** The BIC nearest to the account, of its country. */
function bicOf(lines: readonly Line[], near: Line | undefined, iban: string | undefined): FoundDetail | undefined {
  const found = valuesOf(lines, LABELS.bic).flatMap(({ cell, line }) => {
    const [value] = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b/.exec(cell.text) ?? []
    if (!value || !isCountry(value.slice(4, 6)) || isOfPayer(lines, line, cell)) return []
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
    const named = stands !== 'beneath' && before.trim() === '' && /^\p{L}/u.test(cell.text) && !/\d{4}/.test(cell.text)
    if (!named || isOfPayer(lines, line, cell) || isLabel(cell.text)) return []
    const [value = ''] = cell.text.split(/ [|·•–] |, (?=IBAN|BIC)|;/)
    return [{ field: kind === 'holder' ? ('account_holder_name' as const) : ('bank_name' as const), value, cell, line }]
  })
  return nearest(found, lines, near)
}

const isLabel = (text: string): boolean =>
  [LABELS.bic, LABELS.sortCode, LABELS.account, LABELS.holder, LABELS.reference].some(
    (label) => label.exec(folded(text))?.index === 0,
  ) || /^(?:iban|details|transfer|charges|gebuhren)\b/.test(folded(text))

/** Beyond some lines it belongs to something else. */
const NEAR_LINES = 6

function nearest(
  found: readonly (FoundDetail & { readonly line: Line })[],
  lines: readonly Line[],
  near: Line | undefined,
): FoundDetail | undefined {
  const far = ({ line }: { line: Line }) => Math.abs(lines.indexOf(line) - (near ? lines.indexOf(near) : 0))
  const [first, ...others] = found.toSorted((a, b) => far(a) - far(b))
  if (!first || far(first) > NEAR_LINES) return undefined
  return others.some((other) => far(other) === far(first) && other.value !== first.value) ? undefined : first
}

/** Tax id of the supplier: labelled, or proven by check digits beside its name. */
import { hasVatCheckDigits, isVatId } from '../../../domain/tax-ids.ts'
import type { Word } from '../../../domain/bills/page.ts'
import { oneOf } from '../phrases.ts'
import { asDigits, ibansIn } from '../text/accounts.ts'
import { LABELS } from '../text/labels/labels.ts'
import { fold } from '../text/labels/fold.ts'
import { valuesOf } from '../text/labelled.ts'
import { CUSTOMER } from '../text/roles.ts'
import { type Cell, type Line, cellOf } from '../text/words.ts'
import { isOfCustomer } from './customer.ts'
import { TAX_LABEL } from './labels.ts'

export type Party = { readonly value: string; readonly cell: Cell }
export type TaxId = Party & { readonly isVat: boolean }

/** Tax numbers without a country, in national forms. */
const LOCAL_ID = new RegExp(
  `^(?:${[
    String.raw`\d{2,3}\/\d{3,4}\/\d{4,5}|\d{2}-\d{7}|\d{2} \d{3} \d{3} \d{3}|[A-Z]-?\d{8}|\d{8}-?[A-Z]|[A-Z]-?\d{7}-?[A-Z]`,
    String.raw`\d{6}-\d{4}|\d{3}-\d{3}-\d{2}-\d{2}|\d{3}-\d{2}-\d{2}-\d{3}|\d{9,15}`,
    // of India, Brazil, Japan, Canada, Singapore, Mexico, New Zealand, Tunisia
    String.raw`\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]{3}|\d{2}\.?\d{3}\.?\d{3}\/?\d{4}-?\d{2}|T\d{13}|\d{9} ?RT ?\d{4}|\d{9}[A-Z]`,
    String.raw`[A-Z&Ñ]{3,4}\d{6}[A-Z\d]{3}|\d{2,3}-\d{3}-\d{3}|\d{7}\/?[A-Z]\/?[A-Z]\/?[A-Z]\/?\d{3}|\d{3} \d{3} \d{3}`,
    // of Chile, Colombia, Argentina, Nigeria, Bangladesh, Kenya, Malaysia, Indonesia
    String.raw`\d{1,2}\.?\d{3}\.?\d{3}-[\dKk]|\d{3}\.?\d{3}\.?\d{3}-\d|\d{2}-\d{8}-\d|\d{8,9}-\d{4}|[AP]\d{9}[A-Z]`,
    String.raw`[A-Z]\d{2}-\d{4}-\d{8}|\d{2}\.\d{3}\.\d{3}\.\d-\d{3}\.\d{3}`,
  ].join('|')})$`,
)
const DASHES = /[‐‑‒–—−]/g

/**
 * Finds the supplier's tax id. Those with a label go first; without one a VAT id needs right check digits, and stands
 * behind no other label. The number of the bill is none.
 */
export function taxIdOf(lines: readonly Line[], numbers: readonly string[]): TaxId | undefined {
  const ofBill = new Set(numbers.map(bareOf))
  const vat = lines.flatMap((line) =>
    idsIn(line).flatMap((found) => {
      const label = labelOf(lines, line, found.cell)
      const isOther = ofBill.has(bareOf(found.value)) || label === 'other' || isOfCustomer(lines, line, found.cell)
      return isOther ? [] : [{ ...found, isLabelled: label === 'tax' }]
    }),
  )
  const labelled = vat.filter(({ isLabelled }) => isLabelled)
  const local = localOf(lines, ofBill)
  if (labelled.length > 0) return likeliest(labelled)
  // a VAT id was recognized badly: another number must not replace it
  if (local === 'unread') return undefined
  if (local.length > 0) return onlyOne(local, false)
  return onlyOne(
    vat.filter(({ value }) => hasVatCheckDigits(value)),
    true,
  )
}

/** Chooses those with right check digits: look-alikes seldom have them. */
function likeliest(found: readonly Party[]): TaxId | undefined {
  const checked = found.filter(({ value }) => hasVatCheckDigits(value))
  return onlyOne(checked.length > 0 ? checked : found, true)
}

const bareOf = (text: string): string => fold(text).replaceAll(/[^a-z0-9]/g, '')

/** Finds numbers in national forms behind their labels; `unread` if one was recognized badly. */
function localOf(lines: readonly Line[], ofBill: ReadonlySet<string>): Party[] | 'unread' {
  const ours = (label: RegExp) =>
    valuesOf(lines, label).filter(
      ({ cell, line, before }) => !CUSTOMER.test(before) && !isOfCustomer(lines, line, cell),
    )
  const found = [LABELS.vatId, LABELS.taxId, TAX_LABEL].map((label) =>
    ours(label).flatMap(({ cell: given }) => {
      const cell = withoutSigns(given)
      const count = [4, 3, 2, 1].find((size) => LOCAL_ID.test(textOf(cell, size)))
      const value = count ? textOf(cell, count) : ''
      if (!count || ofBill.has(bareOf(value))) return []
      return [{ value, cell: cellOf(cell.words.slice(0, count), cell.page) }]
    }),
  )
  const isUnread = found[0]?.length === 0 && ours(LABELS.vatId).some(({ cell }) => isRecognizedNumber(cell))
  return isUnread ? 'unread' : (found.find((one) => one.length > 0) ?? [])
}

/** Leaves out what stands between a label and its number: "GST/HST No.: 443023318". */
function withoutSigns(cell: Cell): Cell {
  const from = cell.words.findIndex(({ text }) => /\d/.test(text))
  return from > 0 && from <= SIGNS_MAX ? cellOf(cell.words.slice(from), cell.page) : cell
}
const SIGNS_MAX = 3

/** Words of numbers that are no tax ids. */
const OTHER_LABEL = oneOf(`
  no, nr, num, number, nummer, numero, numer, cislo, szam, numar, номер, αριθμος, stevilka, broj, invoice, rechnung
  facture, factura, fattura, factuur, faktura, order, bestellung, commande, pedido, ordine, customer, kunde, client
  cliente, klant, kund, ref, reference, referenz, referencia, riferimento, referens, id, code, po, contract, vertrag
  iban, bic, swift, account, konto, compte, cuenta, conto, rekening, tel, phone, fax, mobile`)

/** Tells what stands before a number: the label of a tax id, of another number, or nothing. */
function labelOf(lines: readonly Line[], line: Line, cell: Cell): 'tax' | 'other' | undefined {
  const [left, top, width, height] = cell.box
  const own = line.cells.find(({ words }) => cell.words.some((word) => words.includes(word)))
  const at = own?.words.findIndex((word) => cell.words.includes(word)) ?? 0
  const glued = /^(.*):/.exec(cell.words[0]?.text ?? '')?.[1] ?? ''
  const before = fold([...(own?.words.slice(0, at).map(({ text }) => text) ?? []), glued].join(' ').trim())
  const beside = line.cells.filter(({ box: [x, , w] }) => x + w <= left).at(-1)
  const above = lines[lines.indexOf(line) - 1]
  const over =
    above?.page === line.page && top - above.box[1] < height * 3
      ? above.cells.find(({ box: [x, , w] }) => x < left + width && x + w > left)
      : undefined
  // the nearest label counts: behind the last sign between parts
  const nearest =
    before
      .split(/[|·•;,]/)
      .at(-1)
      ?.trim() ?? ''
  for (const text of [
    nearest,
    ...(nearest === '' && !before ? [beside, over].map((one) => fold(one?.text ?? '')) : []),
  ]) {
    if (text === '') continue
    if (TAX_LABEL.test(text) && !/\d{5}/.test(text)) return 'tax'
    if (OTHER_LABEL.test(text) || /[:#]$/.test(text)) return 'other'
  }
  return undefined
}

const isRecognizedNumber = ({ text, confidence }: Cell): boolean =>
  confidence !== null && text.replaceAll(/\D/g, '').length >= DIGITS_MIN
const DIGITS_MIN = 6

const textOf = ({ words }: Cell, count: number): string =>
  words.length < count
    ? ''
    : words
        .slice(0, count)
        .map(({ text }) => text.replace(/(?<![.,;|])[.,;|]+$/, '').replaceAll(DASHES, '-'))
        .join(' ')

function onlyOne(found: readonly Party[], isVat: boolean): (Party & { readonly isVat: boolean }) | undefined {
  const [first] = found
  return first && new Set(found.map(({ value }) => value)).size === 1 ? { ...first, isVat } : undefined
}

/** Finds VAT numbers of a line, also in groups. */
function idsIn(line: Line): Party[] {
  const ofIbans = new Set(ibansIn(line).flatMap(({ cell }) => cell.words))
  return line.cells.flatMap((cell) =>
    cell.words.flatMap((word, from): Party[] => {
      if (ofIbans.has(word)) return []
      const begins = beginningOf(word)
      if (!/^(?:[A-Z]{2,3})(?:[\d-]|$|[A-Z\d]{2,})/.test(begins)) return []
      for (const size of [5, 4, 3, 2, 1]) {
        const words = cell.words.slice(from, from + size)
        const written = [begins, ...words.slice(1).map(({ text }) => text)].join(' ')
        const value = written.replace(/(?<![.,;|])[.,;|]+$/, '').replaceAll(DASHES, '-')
        if (words.length < size) continue
        const found = [value, word.confidence === null ? '' : correctDigits(value)].find(isVatId)
        if (found) return [{ value: found, cell: cellOf(words, line.page) }]
      }
      return []
    }),
  )
}

/** Reads the text right behind a label; of a recognized number, with its initial I. */
function beginningOf({ text, confidence }: Word): string {
  const begins = text.replace(/^.*:/, '').replaceAll(DASHES, '-')
  return confidence === null ? begins : begins.replace(/^[[\]|!1l](?=[ET]\d)/, 'I')
}

/** Corrects letters in a recognized number to digits, if its check digits confirm that. */
function correctDigits(value: string): string {
  const number = value.slice(0, 2) + asDigits(value.slice(2))
  return hasVatCheckDigits(number) ? number : ''
}

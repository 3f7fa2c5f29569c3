/** Who sent a bill: its name and its tax number, told apart from those of the organization that pays. */
import { hasVatCheckDigits, isVatId } from '../tax-ids.ts'
import { asDigits, ibansIn } from './accounts.ts'
import { LABELS, folded } from './labels.ts'
import { CUSTOMER, SUPPLIER } from './roles.ts'
import { valuesOf } from './labelled.ts'
import { type Party, endsInLegalForm, nameIn } from './names.ts'
import { type Cell, type Line, type Word, cellOf } from './words.ts'

const LOCAL_ID =
  /^(?:\d{2,3}\/\d{3,4}\/\d{4,5}|\d{2}-\d{7}|\d{2} \d{3} \d{3} \d{3}|[A-Z]\d{8}|\d{8}[A-Z]|[A-Z]\d{7}[A-Z]|\d{9,13})$/
const ADDRESS_LINES = 5
/** Of the page: what stands above is its head, what stands below its foot. */
const HEAD = 0.3
const FOOT = 0.82

/** The only tax number that is not the payer's; a VAT identification number goes before any other. */
export function taxIdOf(lines: readonly Line[]): (Party & { readonly isVat: boolean }) | undefined {
  const vat = lines.flatMap((line) => idsIn(line).filter(({ cell }) => !isOfCustomer(lines, line, cell)))
  // what looks like one has seldom its check digits
  const checked = vat.filter(({ value }) => hasVatCheckDigits(value))
  if (vat.length > 0) return onlyOne(checked.length > 0 ? checked : vat, true)
  const ours = (label: RegExp) =>
    valuesOf(lines, label).filter(
      ({ cell, line, before }) => !CUSTOMER.test(before) && !isOfCustomer(lines, line, cell),
    )
  const local = [LABELS.vatId, LABELS.taxId].map((label) =>
    ours(label).flatMap(({ cell }) => {
      const count = [4, 3, 2, 1].find((size) => LOCAL_ID.test(textOf(cell, size)))
      return count ? [{ value: textOf(cell, count), cell: cellOf(cell.words.slice(0, count), cell.page) }] : []
    }),
  )
  // a VAT identification number was recognized, but not as one: another number is not the one to know
  const isUnread = local[0]?.length === 0 && ours(LABELS.vatId).some(({ cell }) => isRecognizedNumber(cell))
  if (isUnread) return undefined
  return onlyOne(local.find((found) => found.length > 0) ?? [], false)
}

const isRecognizedNumber = ({ text, confidence }: Cell): boolean =>
  confidence !== null && text.replaceAll(/\D/g, '').length >= DIGITS_MIN
const DIGITS_MIN = 6

const textOf = ({ words }: Cell, count: number): string =>
  words.length < count
    ? ''
    : words
        .slice(0, count)
        .map(({ text }) => text.replace(/(?<![.,;|])[.,;|]+$/, ''))
        .join(' ')

function onlyOne(found: readonly Party[], isVat: boolean): (Party & { readonly isVat: boolean }) | undefined {
  const [first] = found
  return first && new Set(found.map(({ value }) => value)).size === 1 ? { ...first, isVat } : undefined
}

/** VAT numbers of a line, also if they are written in groups. */
function idsIn(line: Line): Party[] {
  const ofIbans = new Set(ibansIn(line).flatMap(({ cell }) => cell.words))
  return line.cells.flatMap((cell) =>
    cell.words.flatMap((word, from): Party[] => {
      if (ofIbans.has(word)) return []
      const begins = beginningOf(word)
      if (!/^(?:[A-Z]{2,3})(?:[\d-]|$|[A-Z\d]{2,})/.test(begins)) return []
      for (const size of [5, 4, 3, 2, 1]) {
        const words = cell.words.slice(from, from + size)
        const value = [begins, ...words.slice(1).map(({ text }) => text)].join(' ').replace(/(?<![.,;|])[.,;|]+$/, '')
        if (words.length < size) continue
        const found = [value, word.confidence === null ? '' : numbered(value)].find(isVatId)
        if (found) return [{ value: found, cell: cellOf(words, line.page) }]
      }
      return []
    }),
  )
}

/** What stands behind a label that touches it; of a recognized number, with the I that it begins with. */
function beginningOf({ text, confidence }: Word): string {
  const begins = text.replace(/^.*:/, '')
  return confidence === null ? begins : begins.replace(/^[[\]|!1l](?=[ET]\d)/, 'I')
}

/** A recognized number whose digits were taken for letters; nothing unless its check digits say so. */
function numbered(value: string): string {
  const number = value.slice(0, 2) + asDigits(value.slice(2))
  return hasVatCheckDigits(number) ? number : ''
}

/** Whether a line, or what stands above it in its column, begins with a word for the organization that pays. */
export function isOfCustomer(lines: readonly Line[], line: Line, cell: Cell): boolean {
  const index = lines.indexOf(line)
  const [left, top, width, height] = cell.box
  if (
    CUSTOMER.test(folded(cell.text)) ||
    line.cells.some(({ text, box }) => box[0] <= left && CUSTOMER.test(folded(text)))
  ) {
    return true
  }
  let bottom = top
  for (const above of lines.slice(Math.max(0, index - ADDRESS_LINES - 1), index).reverse()) {
    if (above.page !== line.page || bottom - above.box[1] > height * 2.6) return false
    const over = above.cells.find(({ box: [x, , w] }) => x < left + Math.max(width, 60) && x + w > left - 2)
    if (!over) continue
    bottom = above.box[1]
    const text = folded(over.text)
    if (SUPPLIER.exec(text)?.index === 0) return false
    if (CUSTOMER.test(text)) return true
  }
  return false
}

type Candidate = { readonly party: Party; readonly points: number }

/** The name that most speaks for; nothing if no name stands out. */
export function supplierOf(lines: readonly Line[], height: number, holder: string | undefined): Party | undefined {
  const first = lines.filter(({ page }) => page === 1)
  const letters = first.flatMap(({ cells }) => cells.map(({ box }) => box[3])).toSorted((a, b) => a - b)
  const usual = letters[Math.floor(letters.length / 2)] ?? 10
  const byName = new Map<string, Candidate[]>()
  const add = (party: Party, points: number) => {
    const key = folded(party.value).replaceAll(/[^a-z0-9]/g, '')
    byName.set(key, [...(byName.get(key) ?? []), { party, points }])
  }
  for (const { cell, line, before } of valuesOf(first, SUPPLIER)) {
    const name = nameIn(cell)
    if (name && before.trim() === '' && !isOfCustomer(lines, line, cell)) add(name, 4)
  }
  for (const [index, line] of first.entries()) {
    for (const cell of line.cells) {
      const name = nameIn(cell)
      if (!name || isOfCustomer(lines, line, cell)) continue
      const at = line.box[1] / height
      const legal = endsInLegalForm(name.value)
      const large = cell.box[3] > usual * 1.25 && at < HEAD
      const begins = index === 0 || (index < 3 && large)
      if (!legal && !large && !begins) continue
      add(name, (legal ? 2 : 0) + (large ? 2 : 0) + (begins ? 1 : 0) + (at < 0.12 || at > FOOT ? 1 : 0))
    }
  }
  const held = holder && folded(holder).replaceAll(/[^a-z0-9]/g, '')
  const ranked = [...byName].map(([key, found]) => ({
    party: found[0]?.party,
    points: Math.max(...found.map(({ points }) => points)) + Math.min(2, found.length - 1) + (key === held ? 3 : 0),
  }))
  const [best, second] = ranked.toSorted((a, b) => b.points - a.points)
  return best && best.points >= 3 && best.points > (second?.points ?? 0) ? best.party : undefined
}

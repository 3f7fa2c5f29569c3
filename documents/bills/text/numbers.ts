/** Number of a bill: by label, in the title's line, or by a bare "number" at the head of the page. */
import { type DateOrder, dateIn } from './dates.ts'
import { anyOf, fold } from './labels/fold.ts'
import { LABELS } from './labels/labels.ts'
import { matchStems } from './labels/stems.ts'
import { type Label, isUnderOtherBill, valuesOf } from './labelled.ts'
import { isOfCustomer } from '../parties/customer.ts'
import { TAX_LABEL } from '../parties/labels.ts'
import { COMPOUND_TITLE, TITLES, speaksOfOtherBill } from './roles.ts'
import { type Cell, type Line, cellOf } from './words.ts'

export type FoundNumber = {
  readonly value: string
  readonly cell: Cell
  readonly dated: readonly [date: string | null, cell: Cell] | undefined
}

/** Text before the label of a number or a date: at most an article or a sign. */
export const LEADS_IN = /^[^a-z]*(?:(?:die|der|das|the|la|le|l'|el|il|de|het|nr|no)[ .]*)?$/

/** Finds the numbers of a bill, in the surest kind of place that has any. */
export function numbersIn(lines: readonly Line[], order: DateOrder): FoundNumber[] {
  const first = lines.filter(({ page }) => page === 1)
  const labelled = findLabelled(lines, order)
  const told = findByStems(first, order)
  const isOfCredit = ({ label }: LabelledNumber) => OF_CREDIT.test(label)
  // on a credit note the labelled number of a bill is mostly that of the bill that it corrects
  const places = isCreditNote(first)
    ? [
        () => labelled.filter(isOfCredit),
        () => told.filter(isOfCredit),
        () => findTitled(first, order),
        () => findBare(first, order),
        () => labelled,
      ]
    : [() => labelled, () => findTitled(first, order), () => told, () => findBare(first, order)]
  for (const find of places) {
    const numbers = find()
    if (numbers.length > 0) return numbers
  }
  return []
}

/** Labels of the number of a credit note, folded: they may be parts of words. */
const OF_CREDIT = /gutschrift|korrektur|storno|credit|kredit|abono|avoir|rectificativ|dobropis|koryg|hyvitys/

const TOLD = matchStems('number')

/** Finds the only number behind a label that is made of words for a bill and a number. */
function findByStems(lines: readonly Line[], order: DateOrder): LabelledNumber[] {
  const found = findLabelled(lines, order, TOLD).filter(({ value }) => !ACCOUNT.test(value.replaceAll(' ', '')))
  return new Set(found.map(({ value }) => bare(value))).size === 1 ? found : []
}
/** Numbers of accounts, which some languages call by the same word. */
const ACCOUNT = /^[A-Z]{2}\d{2}[A-Z0-9]{10,}$|^\d{14,}$/

/** Tells whether two pages have the numbers of two bills. */
export function areSeveralBills(lines: readonly Line[], order: DateOrder): boolean {
  const pages = new Map<number, Set<string>>()
  for (const page of new Set(lines.map((line) => line.page))) {
    const own = lines.filter((line) => line.page === page)
    const labelled = findLabelled(own, order)
    const found = labelled.length > 0 ? labelled : findTitled(own, order)
    if (found.length > 0) pages.set(page, new Set(found.map(({ value }) => bare(value))))
  }
  const sets = [...pages.values()]
  return sets.some((one, index) => sets.slice(index + 1).some((other) => ![...one].some((value) => other.has(value))))
}

const bare = (number: string): string => fold(number).replaceAll(/[^a-z0-9]/g, '')

type LabelledNumber = FoundNumber & { readonly label: string }

function findLabelled(lines: readonly Line[], order: DateOrder, labels: Label = LABELS.number): LabelledNumber[] {
  return valuesOf(lines, labels).flatMap(({ cell, line, label, before }) => {
    if (!LEADS_IN.test(before) || isUnderOtherBill(lines, line, cell)) return []
    const found = wholeNumber(lines, line, numberAt(cell, line, order))
    // the text behind the number may be about another bill
    const upTo = found ? label.indexOf(fold(found.value)) : -1
    return !found || speaksOfOtherBill(upTo < 0 ? label : label.slice(0, upTo)) ? [] : [{ ...found, label }]
  })
}

/** Completes a number that a narrow column breaks behind a dash; undefined if nothing stands beneath. */
function wholeNumber(lines: readonly Line[], line: Line, found: FoundNumber | undefined): FoundNumber | undefined {
  if (!found || !/[-/]$/.test(found.value)) return found
  const [left, top, width, height] = found.cell.box
  const next = lines[lines.indexOf(line) + 1]
  const isNear = next?.page === line.page && next.box[1] - top < height * 2
  const rest = isNear ? next.cells.find(({ box: [x, , w] }) => x < left + width && x + w > left) : undefined
  return rest && /^[A-Z0-9/-]+$/.test(rest.text) ? { ...found, value: found.value + rest.text } : undefined
}

/** Words before a title that leave it this bill's. */
const BEFORE_TITLE = anyOf(
  `(?:ihre|unsere|die|your|our|the|votre|notre|la|su|sua|vostra|nostra|uw|onze|de|din|var|a|commercial|sales|tax|vat|
  final|service|simplified|electronic|export|monthly|official|elektronische|vereinfachte|monatliche)`.replaceAll(
    /\s+/g,
    '',
  ),
)
const SIGN = /^(?:n[°o.]*|nr[.:]*|no[.:]*|nos?[.:]*|n[°ºo]|#|№|numm?er[ao]?:?|number:?|numero:?|nro[.:]*|c[.:]+)$/
/** Code of a kind of bill (UNTDID 1001), or a tax, between title and number. */
const ASIDE = /^(?:\(.*\)|vat|[:–-])$/
/** Words between a title and a number sign: "Fattura elettronica n. 7". */
const KINDS_MAX = 2

/** Tells whether the first title is that of a credit note: a bill named below is the one that it corrects. */
function isCreditNote(lines: readonly Line[]): boolean {
  const words = lines.flatMap(({ cells }) => cells.map(({ text }) => fold(text).split(' ')))
  const title = words.find((cell) => behindTitle(cell, [TITLES.credit_note, TITLES.bill]) !== undefined)
  return title !== undefined && behindTitle(title, [TITLES.credit_note]) !== undefined
}

/** Finds the number in the first line that begins with a title. */
function findTitled(lines: readonly Line[], order: DateOrder): FoundNumber[] {
  const titles = isCreditNote(lines) ? [TITLES.credit_note] : [TITLES.credit_note, TITLES.bill]
  for (const [index, line] of lines.entries()) {
    for (const [column, cell] of line.cells.entries()) {
      const behind = behindTitle(
        cell.words.map(({ text }) => fold(text)),
        titles,
      )
      if (behind === undefined || isUnderOtherBill(lines, line, cell)) continue
      const rest = cell.words.slice(behind)
      const at = rest.length > 0 ? cellOf(rest, cell.page) : line.cells[column + 1]
      const found = at && (rest.length > 0 || !PLACE.test(at.text)) && readTitledNumber(at, lines[index] ?? line, order)
      if (found) return [found]
    }
  }
  return []
}

/** Postcode and town, which may stand beside a title. */
const PLACE = /^\d{4,6} \p{Lu}\p{L}/u

function behindTitle(words: readonly string[], titles: readonly RegExp[]): number | undefined {
  const text = words.join(' ')
  for (const title of titles) {
    const match = title.exec(text)
    if (!match) continue
    const before = text.slice(0, match.index).trim()
    const isLed = before === '' || before.split(' ').every((word) => BEFORE_TITLE.exec(word)?.[0] === word)
    if (isLed) return text.slice(0, match.index + match[0].length).split(' ').length
  }
  if (!titles.includes(TITLES.bill)) return undefined
  const at = words.findIndex((word) => COMPOUND_TITLE.test(word.replace(/[:.]$/, '')))
  const isOwn = at >= 0 && !OTHER_TITLE.test(words[at] ?? '')
  return isOwn && words.slice(0, at).every((word) => BEFORE_TITLE.exec(word)?.[0] === word) ? at + 1 : undefined
}
/** Bills that this one follows, and words that only end like a title. */
const OTHER_TITLE = /^(?:original|ursprung|bezug|vor(?!aus)|be|ver)s?rechnung/

/** Reads a number behind a title or its number sign, if it is no page, month or year. */
function readTitledNumber(cell: Cell, line: Line, order: DateOrder): FoundNumber | undefined {
  const words = cell.words.map(({ text }) => fold(text))
  const sign = words.findIndex((word) => SIGN.test(word))
  const kinds = words.slice(0, Math.max(0, sign)).filter((word) => !ASIDE.test(word))
  if (sign >= 0 && kinds.length <= KINDS_MAX && kinds.every((word) => /^[a-z'-]+$/.test(word))) {
    return numberAt(cellOf(cell.words.slice(sign), cell.page), line, order)
  }
  const from = words.findIndex((word) => !ASIDE.test(word))
  const rest = from < 0 ? undefined : cellOf(cell.words.slice(from), cell.page)
  const found = rest && numberAt(rest, line, order)
  const isPeriod = /^(?:(?:0?\d|1[0-2])[/.-])?(?:19|20)\d\d$/.test(found?.value ?? '')
  const isPage = /^\d{1,3}(?:\/\d{1,3})?$/.test(found?.value ?? '')
  return isPeriod || isPage ? undefined : found
}

/** Share of a page that is its head. */
const HEAD = 0.45
const BARE =
  /^(?:nummer|number|numero|numer|numar|numeris|numurs|sorszam|szam|cislo|broj|stevilka|номер|αριθμοσ|番号|编号|編號|번호|nr|no|n°|n\.|№|ref(?:erence)?\.? (?:no|nr|number)\.?)(?=$|[ .:])/
const OF_ITEMS =
  /menge|anzahl|preis|qty|quantity|price|quantite|prix|cantidad|precio|aantal|prijs|prezzo|antal|pris|cena/

/** Finds the only number behind a bare "Number:" at the head of the first page. */
function findBare(lines: readonly Line[], order: DateOrder): FoundNumber[] {
  const bottom = Math.max(0, ...lines.map(({ box: [, y, , height] }) => y + height))
  const found = valuesOf(lines, BARE).flatMap(({ cell, line, stands, label }): FoundNumber[] => {
    const [, top] = line.box
    const isBesideDate = dateIn(line.text, order) !== undefined
    if (top > bottom * HEAD || (stands === 'beneath' && !isBesideDate)) return []
    if (OF_ITEMS.test(fold(line.text)) || speaksOfOtherBill(label)) return []
    if (isOfCustomer(lines, line, cell) || isUnderOtherBill(lines, line, cell)) return []
    const number = numberAt(cell, line, order)
    return number ? [number] : []
  })
  return new Set(found.map(({ value }) => value)).size === 1 ? found.slice(0, 1) : []
}

const PART = /^[A-Z0-9][A-Z0-9/_.\\-]*$/i
const LENGTH_MAX = 40

function numberAt(cell: Cell, line: Line, order: DateOrder): FoundNumber | undefined {
  const from = cell.words.findIndex(({ text }) => !SIGN.test(fold(text)) && !/^\(.*\)$/.test(text))
  const words = from < 0 ? [] : cell.words.slice(from)
  const parts: string[] = []
  for (const { text } of words) {
    const part = text.replace(/^[#°]/, '').replace(/(?<![,;.:])[,;.:]+$/, '')
    const isDay = dateIn(part, 'day') && !(/^[A-Z]{1,5}$/.test(parts.join(' ')) && SERIAL.test(part))
    const fits = PART.test(part) && (/\d/.test(part) || /^[A-Z]{1,5}$/.test(part)) && !isDay
    if (!fits) break
    parts.push(part)
    if (/[,;]$/.test(text)) break
  }
  const digit = parts.findIndex((part) => /\d/.test(part))
  const count = parts.length === words.length ? parts.length : digit + 1
  const value = parts.slice(0, count).join(' ')
  if (digit < 0 || digit > 1 || value.length > LENGTH_MAX) return undefined
  if (isTaxId(parts.slice(0, count))) return undefined
  // "12 March 2026" is a day
  if (dateIn(words.map(({ text }) => text).join(' '), 'day')?.text.startsWith(fold(value))) return undefined
  const dated = findDateBehind(words.slice(count), cell, line, order)
  // "2 Date" is the label of a box of a form
  if (!dated && /^\d{1,2}$/.test(value) && isHeading(words.slice(count))) return undefined
  return { value, cell, dated }
}

/** Number, month and year of a serial number behind its letters: "FV 26/10/2025". */
const SERIAL = /^\d+\/\d{1,2}\/\d{4}$/

/** Tells whether words are a heading: of letters, and none that leads to another number. */
const isHeading = (words: Cell['words']): boolean =>
  words.length > 0 && words.every(({ text }) => /^\p{Lu}?\p{L}+[.:]?$/u.test(text))

/** Tells whether a number is that of a tax: behind its label, "TVA CHE-123.456.788", or of the form of Switzerland. */
const isTaxId = ([first = '', ...rest]: readonly string[]): boolean =>
  /^CHE-?\d/.test(first) || (rest.length > 0 && TAX_LABEL.test(fold(first)))

const OF_DAY =
  /^[,/|(–-]* ?(?:(?:vom|von|of|dated|date|datum|du|le|del|de fecha|con fecha|de|van|d\.?d\.?|den|af|av den|av|fra|fran|z dnia|z|dnia|em|in data|data|fecha)[.:]? )?(?=\d|[a-z])/

/** Finds the date right behind a number, in its cell or the next one. */
function findDateBehind(words: Cell['words'], cell: Cell, line: Line, order: DateOrder): FoundNumber['dated'] {
  const next = line.cells.find(({ box: [x] }) => x > cell.box[0] + cell.box[2])
  const at = words.length > 0 ? cellOf(words, cell.page) : next
  if (!at) return undefined
  const text = fold(at.text)
  const lead = OF_DAY.exec(text)?.[0] ?? ''
  // a date in the next cell needs a word that leads to it
  if (words.length === 0 && !/[a-z]/.test(lead)) return undefined
  const found = dateIn(at.text, order)
  return found && text.slice(lead.length).startsWith(found.text) ? [found.date, at] : undefined
}

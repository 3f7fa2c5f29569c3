/** Name of the supplier: the block at the head of a page, or its foot, that has most signs of one. */
import { isVatId } from '../../../domain/tax-ids.ts'
import { oneOf } from '../phrases.ts'
import { fold } from '../text/labels/fold.ts'
import type { Cell, Line } from '../text/words.ts'
import { type Parties, blockBelow, headAt, headOf, partiesOn } from './customer.ts'
import { NAME_LABEL, TAX_LABEL } from './labels.ts'
import { endsInLegalForm, nameIn, partsOf, wordsOfName } from './names.ts'
import type { Party } from './tax-ids.ts'

/** Head and foot of a page, as shares of its height; the top is the head's beginning. */
const [TOP, HEAD, FOOT] = [0.12, 0.42, 0.8]
/** Height of a large letter, by that of most. */
const LARGE = 1.25
/** Points that a name needs, and those that it is ahead of another one. */
const [POINTS_MIN, AHEAD_MIN] = [4, 2]

type Sight = { readonly party: Party; readonly points: number; readonly isLegal: boolean }
type Candidate = { readonly key: string; readonly sights: Sight[] }

/** Finds the likeliest name; none if no name stands out, or two are close. */
export function supplierOf(lines: readonly Line[], height: number, holder: string | undefined): Party | undefined {
  const first = lines.filter(({ page }) => page === 1)
  const parties = partiesOn(first)
  const letters = first.flatMap(({ cells }) => cells.map(({ box }) => box[3])).toSorted((a, b) => a - b)
  const page: Sheet = {
    lines: first,
    parties,
    height,
    usual: letters[Math.floor(letters.length / 2)] ?? 10,
    domains: domainsOn(first, parties),
    tableAt: tableOn(first),
  }
  const candidates: Candidate[] = []
  for (const [index, line] of first.entries()) {
    for (const cell of line.cells) {
      const sight = sightAt(page, index, cell)
      if (!sight) continue
      const key = bareName(sight.party.value)
      const same = candidates.find((one) => one.key === key)
      if (same) same.sights.push(sight)
      else candidates.push({ key, sights: [sight] })
    }
  }
  const held = holder && bareName(holder)
  const ranked = candidates
    .map(({ key, sights }) => ({
      key,
      party: (sights.find(({ isLegal }) => isLegal) ?? sights[0])?.party,
      isLegal: sights.some(({ isLegal }) => isLegal),
      points: Math.max(...sights.map(({ points }) => points)) + Math.min(2, sights.length - 1) + (held === key ? 4 : 0),
    }))
    .toSorted((a, b) => b.points - a.points || Number(b.isLegal) - Number(a.isLegal))
  const [best, ...others] = ranked
  if (!best || best.points < POINTS_MIN) return undefined
  const isSame = (other: string) => other.includes(best.key) || best.key.includes(other)
  const rival = others.find(({ key }) => !isSame(key))
  if (rival && best.points - rival.points < AHEAD_MIN) return undefined
  // the whole name with its legal form, if it stands there as likely
  const whole = others.find(({ key, isLegal, points }) => isLegal && isSame(key) && points >= POINTS_MIN)
  return best.isLegal ? best.party : (whole?.party ?? best.party)
}

type Sheet = {
  readonly lines: readonly Line[]
  readonly parties: Parties
  readonly height: number
  readonly usual: number
  readonly domains: readonly string[]
  /** Index of the line that heads the table of items. */
  readonly tableAt: number
}

/** Reads the name at a cell of the head or the foot, and weighs its signs; undefined if it is none. */
function sightAt(page: Sheet, index: number, cell: Cell): Sight | undefined {
  const { lines, parties, height, usual, domains } = page
  const line = lines[index]
  if (!line || parties.customer.has(cell)) return undefined
  const at = line.box[1] / height
  const isHead = at < HEAD && index < page.tableAt
  const isLabelled = parties.supplier.has(cell) && isFirstOf(page, index, cell)
  if (!isHead && at <= FOOT && !isLabelled) return undefined
  const party = nameIn(behindLabel(cell))
  if (!party) return undefined
  const isLegal = endsInLegalForm(party.value)
  const below = blockBelow(lines, index, cell).filter((one) => !parties.customer.has(one))
  const block = [...partsOf(cell).slice(1), ...below]
  const isFirst = isHead && !isBeneathName(page, index, cell)
  const isLarge = isHead && cell.box[3] > usual * LARGE
  const domain = domains.some((one) => isLike(party.value, one))
  if (!isLegal && !isLarge && !isLabelled && !domain && !isFirst) return undefined
  const signs: readonly (readonly [boolean, number])[] = [
    [isLabelled, 5],
    [isLegal, 2],
    [isLarge, 2],
    [isHead && at < TOP, 1],
    [isHead && isTopmost(page, index, cell), 1],
    [isFirst, 1],
    [block.some(isAddress), 2],
    [block.some(isContact), 2],
    [block.some(isTaxId), 2],
    [domain, 4],
  ]
  return { party, isLegal, points: signs.reduce((sum, [is, points]) => sum + (is ? points : 0), 0) }
}

/** Cuts a supplier's label before the name: "Seller: Brunnwart GmbH". */
function behindLabel(cell: Cell): Cell {
  const colon = cell.words.findIndex(({ text }) => text.endsWith(':'))
  const label = fold(
    cell.words
      .slice(0, colon + 1)
      .map(({ text }) => text)
      .join(' '),
  )
  const words = cell.words.slice(colon + 1)
  return colon >= 0 && words.length > 0 && headOf(label) === 'supplier'
    ? { ...cell, words, text: words.map(({ text }) => text).join(' ') }
    : cell
}

/** Tells whether no other cell of a labelled supplier stands above in its block. */
function isFirstOf({ lines, parties }: Sheet, index: number, cell: Cell): boolean {
  if (headAt(cell) === 'supplier') return true
  const row = lines[index]?.cells ?? []
  const label = row[row.indexOf(cell) - 1]?.text.trimEnd() ?? ''
  if (label.endsWith(':')) return NAME_LABEL.test(fold(label.slice(0, -1)).trim())
  const above = aboveIn(lines, index, cell)
  return above === undefined || !parties.supplier.has(above) || headAt(above) === 'supplier'
}

/** Finds the nearest cell above in the block of a cell. */
function aboveIn(lines: readonly Line[], index: number, cell: Cell): Cell | undefined {
  for (let at = index - 1; at >= Math.max(0, index - 2); at -= 1) {
    const found = lines[at]?.cells.find((one) => blockBelow(lines, at, one)[0] === cell)
    if (found) return found
  }
  return undefined
}

const isBeneathName = ({ lines }: Sheet, index: number, cell: Cell): boolean => {
  const above = aboveIn(lines, index, cell)
  return above !== undefined && (nameIn(above) !== undefined || [isAddress, isContact, isTaxId].some((is) => is(above)))
}

const isTopmost = ({ lines }: Sheet, index: number, cell: Cell): boolean =>
  lines.slice(0, index + 1).every(({ cells }) => cells.every((one) => one === cell || nameIn(one) === undefined))

const STREET =
  /^(?=.*\p{L}{3})(?=.*(?<![\p{L}\d])\d{1,4}(?: ?[a-z])?(?![\d.,:]))[\p{L}\d.,'’/ºª#-][\p{L}\d.,'’/ºª# -]{4,70}$/iu
const TOWN =
  /(?:^|[ ,-])(?:\d{4,6}|\d{3} ?\d{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{2} \d{5}(?:-\d{4})?)(?:$|[ ,])/u
const isAddress = ({ text }: Cell): boolean =>
  !isContact({ text }) && !isTaxId({ text }) && /\p{L}{3}/u.test(text) && (STREET.test(text) || TOWN.test(text))
const CONTACT = oneOf(`
  tel\\w*, phone, telephone, telefoon, telefone, fon, fax, mobile?, mobil, handy, puh, puhelin, tlf, tlf\\.?nr, τηλ
  тел, e-?mail, mail, web, www`)
const isContact = ({ text }: Pick<Cell, 'text'>): boolean =>
  /@|www\.|https?:|^\+\d/.test(text) || CONTACT.test(fold(text))
const isTaxId = ({ text }: Pick<Cell, 'text'>): boolean =>
  /\d{5}|\d[\d ./-]{6}\d/.test(text) && (TAX_LABEL.test(fold(text)) || isVatId(text.replace(/^.*[: ]/, '')))

/** Public providers of mail. */
const FREE =
  /^(?:gmail|googlemail|outlook|hotmail|live|yahoo|ymail|icloud|me|mac|gmx|web|freenet|t-online|aol|orange|wanadoo|free|laposte|sfr|libero|virgilio|tiscali|telefonica|hetnet|ziggo|kpnmail|planet|telia|wp|o2|onet|interia|seznam|centrum|abv|mail|proton|protonmail|bluewin|sapo|example)$/
const SECOND_LEVEL = /^(?:co|com|org|net|ac|gov|or|ne)$/

/** Finds the names of domains in mail and web addresses, but the customer's. */
function domainsOn(lines: readonly Line[], { customer }: Parties): string[] {
  const words = lines.flatMap(({ cells }) => cells.filter((cell) => !customer.has(cell)).flatMap((cell) => cell.words))
  const found = words.flatMap(({ text }) => {
    const [, host] = /(?:@|www\.|https?:\/\/(?:www\.)?)([\p{L}\d.-]+\.\p{L}{2,})/u.exec(text.toLowerCase()) ?? []
    const parts = host?.split('.').slice(0, -1) ?? []
    const name = SECOND_LEVEL.test(parts.at(-1) ?? '') && parts.length > 1 ? parts.at(-2) : parts.at(-1)
    return name && name.length >= 3 && !FREE.test(name) ? [fold(name)] : []
  })
  return [...new Set(found)]
}

const bareName = (text: string): string => fold(text).replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Tells whether a domain is made of a name: of all of its words, or of those that are no legal form. */
function isLike(name: string, domain: string): boolean {
  const spelled = [name, name.replaceAll(/[äöüÄÖÜ]/g, (letter) => `${letter}e`)]
  const bare = domain.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return spelled.some((one) => {
    const words = wordsOfName(one)
    const whole = words.join('')
    if (whole.length < 3) return false
    const initials = words.map(([letter = '']) => letter).join('')
    const isPart = bare.length >= 4 && (whole.includes(bare) || (whole.length >= 4 && bare.includes(whole)))
    const isWord = words.some((word) => word.length >= 5 && bare.startsWith(word))
    return isPart || isWord || (initials.length >= 3 && initials === bare)
  })
}

/** Headings of a table of items, of which a line has at least two. */
const ITEMS = oneOf(`
  description, item, qty, quantity, unit price, price, rate, amount, hours, beschreibung, bezeichnung, leistung
  position, pos, menge, anzahl, einzelpreis, preis, betrag, designation, quantite, qte, prix, montant, descripcion
  concepto, cantidad, precio, importe, descricao, quantidade, preco, valor, descrizione, quantita, prezzo, importo
  omschrijving, aantal, prijs, bedrag, beskrivning, benamning, antal, pris, belopp, beskrivelse, belob, belop, kuvaus
  maara, hinta, kirjeldus, kogus, hind, apraksts, daudzums, cena, pavadinimas, kiekis, kaina, nazwa, ilosc, opis, popis
  mnozstvi, mnozstvo, megnevezes, mennyiseg, egysegar, denumire, cantitate, pret, описание, количество, цена, περιγραφη
  ποσοτητα, τιμη, kolicina, cijena`)

/** Finds the index of the line that heads the items, or of the first one with an amount. */
function tableOn(lines: readonly Line[]): number {
  const at = lines.findIndex(
    ({ cells, text }) =>
      (cells.filter((cell) => ITEMS.test(fold(cell.text))).length >= 2 && !/\d[.,]\d{2}/.test(text)) ||
      cells.some((cell) => /(?<![\d.,])\d[\d.,' ]{0,24}[.,]\d{2}(?![\d.,])/.test(cell.text)),
  )
  return at < 0 ? lines.length : at
}

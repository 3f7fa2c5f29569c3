/** Supplier of a bill: name and tax number, told apart from the payer's. */
import { COUNTRIES } from '../../../domain/country.ts'
import { hasVatCheckDigits, isVatId } from '../../../domain/tax-ids.ts'
import { asDigits, ibansIn } from './accounts.ts'
import { dateIn } from './dates.ts'
import { fold } from './labels/fold.ts'
import { LABELS } from './labels/labels.ts'
import { COMPOUND_TITLE, CUSTOMER, SUPPLIER, TITLES } from './roles.ts'
import { valuesOf } from './labelled.ts'
import type { Word } from '../../../domain/bills/page.ts'
import { type Cell, type Line, cellOf } from './words.ts'

export type Party = { readonly value: string; readonly cell: Cell }

/** Tax numbers without a country, in national forms. */
const LOCAL_ID =
  /^(?:\d{2,3}\/\d{3,4}\/\d{4,5}|\d{2}-\d{7}|\d{2} \d{3} \d{3} \d{3}|[A-Z]-?\d{8}|\d{8}-?[A-Z]|[A-Z]-?\d{7}-?[A-Z]|\d{6}-\d{4}|\d{3}-\d{3}-\d{2}-\d{2}|\d{3}-\d{2}-\d{2}-\d{3}|\d{9,13})$/
const DASHES = /[‐‑‒–—−]/g
const ADDRESS_LINES = 5
/** Head and foot of a page, as shares of its height. */
const HEAD = 0.3
const FOOT = 0.82

export function taxIdOf(lines: readonly Line[]): (Party & { readonly isVat: boolean }) | undefined {
  const vat = lines.flatMap((line) => idsIn(line).filter(({ cell }) => !isOfCustomer(lines, line, cell)))
  // look-alikes seldom have right check digits
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
  // a VAT id was recognized badly: another number must not replace it
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

/** Tells whether a line, or its column above, begins with a word for the payer. */
export function isOfCustomer(lines: readonly Line[], line: Line, cell: Cell): boolean {
  const index = lines.indexOf(line)
  const [left, top, width, height] = cell.box
  if (
    CUSTOMER.test(fold(cell.text)) ||
    line.cells.some(({ text, box }) => box[0] <= left && CUSTOMER.test(fold(text)))
  ) {
    return true
  }
  let bottom = top
  for (const above of lines.slice(Math.max(0, index - ADDRESS_LINES - 1), index).reverse()) {
    if (above.page !== line.page || bottom - above.box[1] > height * 2.6) return false
    const over = above.cells.find(({ box: [x, , w] }) => x < left + Math.max(width, 60) && x + w > left - 2)
    if (!over) continue
    bottom = above.box[1]
    const text = fold(over.text)
    if (SUPPLIER.exec(text)?.index === 0) return false
    if (CUSTOMER.test(text)) return true
  }
  return false
}

type Candidate = { readonly party: Party; readonly points: number }

/** Finds the likeliest name; none if no name stands out. */
export function supplierOf(lines: readonly Line[], height: number, holder: string | undefined): Party | undefined {
  const first = lines.filter(({ page }) => page === 1)
  const letters = first.flatMap(({ cells }) => cells.map(({ box }) => box[3])).toSorted((a, b) => a - b)
  const usual = letters[Math.floor(letters.length / 2)] ?? 10
  const byName = new Map<string, Candidate[]>()
  const add = (party: Party, points: number) => {
    const key = fold(party.value).replaceAll(/[^a-z0-9]/g, '')
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
  const held = holder && fold(holder).replaceAll(/[^a-z0-9]/g, '')
  const ranked = [...byName].map(([key, found]) => ({
    party: found[0]?.party,
    points: Math.max(...found.map(({ points }) => points)) + Math.min(2, found.length - 1) + (key === held ? 3 : 0),
  }))
  const [best, second] = ranked.toSorted((a, b) => b.points - a.points)
  return best && best.points >= 3 && best.points > (second?.points ?? 0) ? best.party : undefined
}

const LEGAL_FORM =
  /(?:^|[ ,])(?:g?gmbh(?: & co\.? kg)?|(?:ges)?mbh|ag|kgaa|kg|ohg|ug(?: \(haftungsbeschrankt\))?|gbr|e\.? ?[kuv]\.?|se|ltd\.?|limited|llc|llp|inc\.?|corp(?:oration)?\.?|plc|pty|co\.?|sarl|s\.?a\.?r\.?l\.?|s\.?a\.?s\.?u?|eurl|sci|s\.?a\.?|s\.?l\.?u?\.?|s\.?c\.?|b\.?v\.?b?\.?a?|n\.?v\.?|v\.?o\.?f\.?|s\.?r\.?l\.?s?|s\.?p\.?a\.?|s\.?n\.?c\.?|s\.?a\.?s\.?|snc|srl|spa|a\/s|aps|sp\. ?z ?o\. ?o\.?|s\.r\.o\.|d\.o\.o\.|kft\.?|zrt\.?|lda\.?)$/
/** Legal forms that are also words, unless in these capitals. */
const CAPITAL_FORM = /[ ,](?:AB|AS|Oyj?)$/
const FORM_WORDS = new Set(
  `gmbh ggmbh gesmbh mbh co kg kgaa ag ohg og ug haftungsbeschrankt gbr ek eu ev se ltd limited llc llp inc corp
  corporation company plc pty sarl sas sasu eurl sci sa sl slu sc bv bvba nv vof srl srls spa snc ab as aps oy oyj
  sp z o oo zoo spolka sro doo kft zrt lda`.split(/\s+/),
)
/** Words at head or foot that are no name by themselves; folded. */
const PLAIN_WORDS = new Set(
  `nummer nr number no num numero numer nro iban bic swift konto account compte cuenta conto rekening bankgiro plusgiro
  giro telefon telefono telephone telefoon phone tel fon fax mobil mobile handy email mail e web website www internet
  kontakt contact contacto contatto adresse address adres direccion indirizzo seite page pagina side sida strona pag
  original kopie copy copie copia duplikat duplicate duplicata duplicado bankverbindung bankdaten bank banque banco banca
  bankgegevens details coordonnees bancaires datos bancarios coordinate bancarie zahlung payment paiement pago pagamento
  betaling betalning quittung bon kassenbon kassenbeleg beleg receipt ticket recu recibo ricevuta scontrino kassabon
  kvitto kvittering paragon rachunek regning lieferschein lieferung delivery note livraison entrega consegna levering
  bestellung order commande pedido ordine bestelling auftrag auftragsbestatigung angebot quote quotation devis offerte
  mahnung zahlungserinnerung reminder kontoauszug statement dokument document documento dokumentnummer belegnummer
  referenz reference referencia riferimento referens betreff subject objet asunto oggetto position pos artikel item
  article articulo articolo bezeichnung beschreibung description descripcion descrizione omschrijving beskrivning
  menge anzahl quantity qty quantite cantidad quantita aantal antal preis price prix precio prezzo prijs pris betrag
  amount montant importe importo bedrag belopp belob kwota summe sum suma somme totalt razem
  steuer steuernummer steuersatz tax vat moms mva mwst ust dph podatek nip regon org orgnr cvr siret siren rcs ape hrb
  amtsgericht handelsregister geschaftsfuhrer kunde kundennummer customer client cliente klant kund kunde nabywca
  sprzedawca kopare salgare saljare absender empfanger zahlungsempfanger lieferant supplier
  vielen dank danke thank thanks merci gracias grazie bedankt tack tak dziekujemy willkommen welcome bienvenue hallo
  hello bonjour sehr geehrte damen herren dear sir madam
  ihr ihre ihren your you our unser unsere votre vos notre nos su sus nuestro nuestra sua suo vostra vostro nostra uw
  onze din dit ditt er vores var vart jouw fur for pour para per voor zu zum zur an to a au aux the der die das den dem
  des ein eine le la les un une el los las una il lo gli de het een det en et och og i im in am auf vom von of du del
  della di da van von af av z dnia und and y e oder or ou bezahlt paid paye pagado pagato betaald betald betalt
  datum date fecha data dato dag day tag jour dia giorno dzien uhrzeit time heure hora ora tid zeitraum period periode
  commercial sales service services final pro forma proforma elektronische electronic nota note notice
  versand shipping rabatt rabais discount gutschein voucher filiale kasse terminal bediener operator`.split(/\s+/),
)

const NAME_MAX = 255

const endsInLegalForm = (text: string): boolean => LEGAL_FORM.test(fold(text)) || CAPITAL_FORM.test(text)

/** Reads a name at the beginning of a cell: before a separator; no heading, label or sentence. */
function nameIn(cell: Cell): Party | undefined {
  const end = cell.words.findIndex(({ text }) => /^[|·•–—/*-]$/.test(text))
  const upTo = cell.words.slice(0, end < 0 ? undefined : end)
  const comma = upTo.findIndex(
    ({ text }, index) => text.endsWith(',') && !/^(?:ltd|inc|llc|s\.|b\.)/i.test(upTo[index + 1]?.text ?? ''),
  )
  const words = comma < 0 ? upTo : upTo.slice(0, comma + 1)
  const value = words
    .map(({ text }) => text)
    .join(' ')
    .replace(/[,;:]$/, '')
  const plain = fold(value)
  const letters = plain.replaceAll(/[^a-z]/g, '').length
  const isOther =
    letters < 3 ||
    value.length > NAME_MAX ||
    words.length > 8 ||
    /\d{3}|@|www\.|https?:|:/.test(plain) ||
    Object.values(TITLES).some((title) => title.exec(plain)?.index === 0) ||
    Object.values(LABELS).some((label) => label.exec(plain)?.index === 0 && !endsInLegalForm(value)) ||
    CUSTOMER.test(plain) ||
    SUPPLIER.exec(plain)?.[0] === plain ||
    !hasOwnWord(plain) ||
    isPlaceAndDay(cell)
  return isOther || words.length === 0 ? undefined : { value, cell: cellOf(words, cell.page) }
}

const PHRASES = [...Object.values(LABELS), ...Object.values(TITLES), SUPPLIER].map((label) => new RegExp(label, 'g'))

/** Tells whether folded text has a proper word: no label, legal form, country, month or number. */
function hasOwnWord(plain: string): boolean {
  if (properNames().has(plain)) return false
  const rest = PHRASES.reduce((text, phrase) => text.replaceAll(phrase, ' '), plain)
  return rest.split(/[^a-z0-9.]+/).some((word) => {
    const bare = word.replaceAll('.', '')
    const isPlain = PLAIN_WORDS.has(bare) || FORM_WORDS.has(bare) || COMPOUND_TITLE.test(bare)
    return /[a-z].*[a-z]/.test(bare) && !isPlain && !properNames().has(bare)
  })
}

/** Tells whether a cell is a place before a day, as letters begin: "Berlin, den 5. März 2018". */
function isPlaceAndDay({ text }: Cell): boolean {
  const [place, ...rest] = text.split(',')
  const day = fold(rest.join(',').trim()).replace(/^(?:den|the|le|il|el|de|d\.) /, '')
  const found = place ? dateIn(day, 'day') : undefined
  return found !== undefined && day.startsWith(found.text)
}

const LANGUAGES = ['de', 'en', 'fr', 'es', 'it', 'nl', 'sv', 'da', 'nb', 'fi', 'pl', 'cs', 'pt']
let proper: ReadonlySet<string> | undefined

function properNames(): ReadonlySet<string> {
  proper ??= new Set(
    LANGUAGES.flatMap((language) => {
      const names = new Intl.DisplayNames([language], { type: 'region' })
      const months = [{ month: 'long' }, { month: 'short' }, { day: 'numeric', month: 'long' }] as const
      return [
        ...Array.from(COUNTRIES, (country) => fold(names.of(country) ?? '')),
        ...months.flatMap((style) => {
          const written = new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' })
          return Array.from({ length: 12 }, (_, month) =>
            fold(written.format(Date.UTC(2026, month, 1))).replaceAll(/[^a-z]/g, ''),
          )
        }),
      ]
    }),
  )
  return proper
}

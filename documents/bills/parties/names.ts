/** Names of companies and people in cells: no titles, labels, places or sentences. */
import { COUNTRIES } from '../../../domain/country.ts'
import type { Word } from '../../../domain/bills/page.ts'
import { beginning } from '../phrases.ts'
import { kindOfTitle } from '../payable/kinds.ts'
import { BILL_TITLE, OTHER_TITLE, PRO_FORMA_TITLE } from '../payable/titles.ts'
import { dateIn } from '../text/dates.ts'
import { fold } from '../text/labels/fold.ts'
import { LABELS } from '../text/labels/labels.ts'
import { COMPOUND_TITLE, SUPPLIER, TITLES } from '../text/roles.ts'
import { type Cell, cellOf } from '../text/words.ts'
import { headOf } from './customer.ts'
import type { Party } from './tax-ids.ts'

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
  terms conditions conditie condities konditionen zahlungsbedingungen zahlungsziel betalingstermijn betalingsbetingelser
  betalningsvillkor condiciones condizioni termini echeance vencimiento scadenza verval project projekt rep salesperson
  versand shipping rabatt rabais discount gutschein voucher filiale kasse terminal bediener operator`.split(/\s+/),
)

const NAME_MAX = 255

export const endsInLegalForm = (text: string): boolean => LEGAL_FORM.test(fold(text)) || CAPITAL_FORM.test(text)

/** Names of cells that were read: each is asked for by all beneath it. */
const known = new WeakMap<Cell, Party | 'none'>()

/** Reads a name at the beginning of a cell: before a separator; no heading, label or sentence. */
export function nameIn(cell: Cell): Party | undefined {
  const found = known.get(cell) ?? readName(cell) ?? 'none'
  known.set(cell, found)
  return found === 'none' ? undefined : found
}

function readName(cell: Cell): Party | undefined {
  const [first = cell] = partsOf(cell)
  const words = beforeComma(first.words)
  const value = words
    .map(({ text }) => text)
    .join(' ')
    .replace(/[,;]$/, '')
  const plain = fold(value)
  const isOther =
    (plain.match(/\p{L}/gu)?.length ?? 0) < 2 ||
    value.length > NAME_MAX ||
    words.length > 8 ||
    /\d{3}|@|www\.|https?:|:|[?!]$/.test(plain) ||
    /^[\p{Ll}\d(]/u.test(value) ||
    isTitle(plain, value) ||
    isLabel(plain) ||
    headOf(plain) !== undefined ||
    SUPPLIER.exec(plain)?.[0] === plain ||
    !hasOwnWord(plain) ||
    isPlaceAndDay(cell) ||
    ((isStreet(value) || POSTCODE.test(value)) && !endsInLegalForm(value))
  return isOther || words.length === 0 ? undefined : { value, cell: cellOf(words, cell.page) }
}

/** Tells whether text is a street with the number of a house. */
const isStreet = (text: string): boolean => /^\p{L}.*\s\d+ ?[a-z]?(?:[-/]\d*[a-z]?)?,?$/iu.test(text)

/** Postal codes with few digits, at the end of a line: British and Canadian ones. */
const POSTCODE = /(?:^|[ ,])(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/

/** Signs between a name and an address on one line. */
const SEPARATOR = /^[|·•*]$/
/** Signs that are also within names: they part only what has digits behind them. */
const DASH = /^[–—/-]$/

/** Splits a cell at signs between its parts. */
export function partsOf(cell: Cell): Cell[] {
  const parts: Word[][] = [[]]
  for (const [index, word] of cell.words.entries()) {
    const isDash = DASH.test(word.text) && cell.words.slice(index).some(({ text }) => /\d/.test(text))
    if (SEPARATOR.test(word.text) || isDash) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts.filter((words) => words.length > 0).map((words) => cellOf(words, cell.page))
}

/** Cuts a name at a comma before an address, not before its legal form or a partner. */
function beforeComma(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex(({ text }) => text.endsWith(','))
  if (at < 0) return words
  const rest = words
    .slice(at + 1)
    .map(({ text }) => text)
    .join(' ')
  const before = words
    .slice(0, at + 1)
    .map(({ text }) => text)
    .join(' ')
    .replace(/,$/, '')
  const goesOn = !endsInLegalForm(before) && !/\d/.test(rest) && (endsInLegalForm(` ${rest}`) || /&/.test(rest))
  const isForm = /^(?:ltd|inc|llc|llp|s\.|b\.|corp|co\b)/i.test(rest)
  return goesOn || isForm ? words : words.slice(0, at + 1)
}

/** Tells whether a folded name begins with the title of a document. */
function isTitle(plain: string, value: string): boolean {
  if (Object.values(TITLES).some((title) => title.exec(plain)?.[0] === plain)) return true
  if (kindOfTitle(plain) !== undefined) return true
  const title = BILL_TITLE(plain) ?? PRO_FORMA_TITLE(plain) ?? OTHER_TITLE(plain)
  const isOwn = title !== undefined && plain.startsWith("'s", title.length)
  return title !== undefined && !isOwn && (title === plain || !endsInLegalForm(value))
}

/** Tells whether folded text is a label, with nothing behind it but its sign or its value. */
const isLabel = (plain: string): boolean =>
  Object.values(LABELS).some((label) => {
    const found = label.exec(plain)
    return found?.index === 0 && /^\s*(?:$|[:#.\d€$£-])/.test(plain.slice(found[0].length))
  })

/** Words that begin a sentence or a thanks, not a name. */
const SENTENCE = beginning(`
  thank, thanks, please, we, your, our, all, this, if, for, vielen dank, danke, wir, bitte, ihre?, unser\\w*, merci
  nous, votre, gracias, obrigad[oa], grazie, bedankt, dank u, tack, tak, takk, kiitos, aitah, paldies, aciu, dziekujemy
  dekujeme, dakujeme, koszonjuk, multumim, благодарим, ευχαριστουμε, hvala`)

const PHRASES = [...Object.values(LABELS), ...Object.values(TITLES), SUPPLIER].map((label) => new RegExp(label, 'g'))

/** Tells whether folded text has a proper word: no label, legal form, country, month or number. */
function hasOwnWord(plain: string): boolean {
  if (properNames().has(plain) || SENTENCE(plain) !== undefined) return false
  const rest = PHRASES.reduce((text, phrase) => text.replaceAll(phrase, ' '), plain)
  return rest.split(/[^\p{L}\p{N}.]+/u).some((word) => {
    const bare = word.replaceAll('.', '')
    const isPlain = PLAIN_WORDS.has(bare) || FORM_WORDS.has(bare) || COMPOUND_TITLE.test(bare)
    return /\p{L}.*\p{L}/u.test(bare) && !isPlain && !properNames().has(bare)
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

/** Lists the words of a name, folded, without legal forms. */
export const wordsOfName = (name: string): string[] =>
  fold(name)
    .split(/[^\p{L}\p{N}.']+/u)
    .map((word) => word.replaceAll(/[.']/g, ''))
    .filter((word) => word !== '' && !FORM_WORDS.has(word))

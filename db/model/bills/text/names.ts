/** Names of companies, told apart from what stands where names do: labels, titles, legal forms, places, dates. */
import { COUNTRIES } from '../../country.ts'
import { dateIn } from './dates.ts'
import { LABELS, folded } from './labels.ts'
import { COMPOUND_TITLE, CUSTOMER, SUPPLIER, TITLES } from './roles.ts'
import { type Cell, cellOf } from './words.ts'

export type Party = { readonly value: string; readonly cell: Cell }

/** How a company's name ends, by its form. */
const LEGAL_FORM =
  /(?:^|[ ,])(?:g?gmbh(?: & co\.? kg)?|(?:ges)?mbh|ag|kgaa|kg|ohg|ug(?: \(haftungsbeschrankt\))?|gbr|e\.? ?[kuv]\.?|se|ltd\.?|limited|llc|llp|inc\.?|corp(?:oration)?\.?|plc|pty|co\.?|sarl|s\.?a\.?r\.?l\.?|s\.?a\.?s\.?u?|eurl|sci|s\.?a\.?|s\.?l\.?u?\.?|s\.?c\.?|b\.?v\.?b?\.?a?|n\.?v\.?|v\.?o\.?f\.?|s\.?r\.?l\.?s?|s\.?p\.?a\.?|s\.?n\.?c\.?|s\.?a\.?s\.?|snc|srl|spa|a\/s|aps|sp\. ?z ?o\. ?o\.?|s\.r\.o\.|d\.o\.o\.|kft\.?|zrt\.?|lda\.?)$/
/** Those that are words, too, unless they are written so. */
const CAPITAL_FORM = /[ ,](?:AB|AS|Oyj?)$/
const FORM_WORDS = new Set(
  `gmbh ggmbh gesmbh mbh co kg kgaa ag ohg og ug haftungsbeschrankt gbr ek eu ev se ltd limited llc llp inc corp
  corporation company plc pty sarl sas sasu eurl sci sa sl slu sc bv bvba nv vof srl srls spa snc ab as aps oy oyj
  sp z o oo zoo spolka sro doo kft zrt lda`.split(/\s+/),
)
/** What stands at the head or foot of bills, and is nobody's name by itself; folded. */
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

/** Whether a text ends as the name of a company of some legal form. */
export const endsInLegalForm = (text: string): boolean => LEGAL_FORM.test(folded(text)) || CAPITAL_FORM.test(text)

/** A name at the beginning of a cell: before a separator, with letters, and no heading, label or sentence. */
export function nameIn(cell: Cell): Party | undefined {
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
  const plain = folded(value)
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

/** Whether one word of a folded text is no label, title, legal form, country, month or number. */
function hasOwnWord(plain: string): boolean {
  if (properNames().has(plain)) return false
  const rest = PHRASES.reduce((text, phrase) => text.replaceAll(phrase, ' '), plain)
  return rest.split(/[^a-z0-9.]+/).some((word) => {
    const bare = word.replaceAll('.', '')
    const isPlain = PLAIN_WORDS.has(bare) || FORM_WORDS.has(bare) || COMPOUND_TITLE.test(bare)
    return /[a-z].*[a-z]/.test(bare) && !isPlain && !properNames().has(bare)
  })
}

/** A place before a day, as letters begin: "Berlin, den 5. März 2018". */
function isPlaceAndDay({ text }: Cell): boolean {
  const [place, ...rest] = text.split(',')
  const day = folded(rest.join(',').trim()).replace(/^(?:den|the|le|il|el|de|d\.) /, '')
  const found = place ? dateIn(day, 'day') : undefined
  return found !== undefined && day.startsWith(found.text)
}

const LANGUAGES = ['de', 'en', 'fr', 'es', 'it', 'nl', 'sv', 'da', 'nb', 'fi', 'pl', 'cs', 'pt']
let proper: ReadonlySet<string> | undefined

/** Countries and months in these languages, folded; made when the first bill asks. */
function properNames(): ReadonlySet<string> {
  proper ??= new Set(
    LANGUAGES.flatMap((language) => {
      const names = new Intl.DisplayNames([language], { type: 'region' })
      const months = [{ month: 'long' }, { month: 'short' }, { day: 'numeric', month: 'long' }] as const
      return [
        ...Array.from(COUNTRIES, (country) => folded(names.of(country) ?? '')),
        ...months.flatMap((style) => {
          const written = new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' })
          return Array.from({ length: 12 }, (_, month) =>
            folded(written.format(Date.UTC(2026, month, 1))).replaceAll(/[^a-z]/g, ''),
          )
        }),
      ]
    }),
  )
  return proper
}

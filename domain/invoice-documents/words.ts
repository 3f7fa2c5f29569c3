import { groupDigits } from '../money/money.ts'
import { type InvoiceDocument, INVOICE_LANGUAGES, type TaxCategory } from './document.ts'

/** Text in English, German, French, Spanish and Italian: the order of INVOICE_LANGUAGES. */
export type Row<Text = string> = readonly [en: Text, de: Text, fr: Text, es: Text, it: Text]
type Words<Table extends Readonly<Record<string, Row<unknown>>>> = { readonly [Name in keyof Table]: Table[Name][0] }

/** No-break space, between a number and its sign. */
const BLANK = '\u00a0'

type Texts = Readonly<Record<keyof typeof TEXTS, Row>>

const TEXTS = {
  title: ['Invoice', 'Rechnung', 'Facture', 'Factura', 'Fattura'],
  draft: ['DRAFT', 'ENTWURF', 'BROUILLON', 'BORRADOR', 'BOZZA'],
  number: ['Invoice number', 'Rechnungsnummer', 'Numéro de facture', 'Número de factura', 'Numero fattura'],
  issued: ['Date of issue', 'Rechnungsdatum', 'Date d’émission', 'Fecha de emisión', 'Data di emissione'],
  due: ['Date due', 'Fällig am', 'Date d’échéance', 'Fecha de vencimiento', 'Data di scadenza'],
  delivered: ['Date of supply', 'Leistungsdatum', 'Date de prestation', 'Fecha de operación', 'Data della prestazione'],
  reference: ['Your reference', 'Ihre Referenz', 'Votre référence', 'Su referencia', 'Vostro riferimento'],
  order: ['Order number', 'Bestellnummer', 'N° de commande', 'N.º de pedido', 'Numero d’ordine'],
  period: [
    'Period of supply',
    'Leistungszeitraum',
    'Période de prestation',
    'Periodo de la operación',
    'Periodo della prestazione',
  ],
  from: ['From', 'Von', 'De', 'De', 'Da'],
  billTo: ['Bill to', 'Rechnung an', 'Facturé à', 'Facturar a', 'Fatturare a'],
  vatId: ['VAT ID', 'USt-IdNr.', 'N° TVA', 'NIF-IVA', 'Partita IVA'],
  taxId: ['Tax ID', 'Steuernummer', 'N° fiscal', 'NIF', 'Codice fiscale'],
  view: [
    'View invoice online',
    'Rechnung online ansehen',
    'Voir la facture en ligne',
    'Ver la factura en línea',
    'Visualizza la fattura online',
  ],
  description: ['Description', 'Beschreibung', 'Description', 'Descripción', 'Descrizione'],
  quantity: ['Qty', 'Menge', 'Qté', 'Cant.', 'Qtà'],
  price: ['Unit price', 'Einzelpreis', 'Prix unitaire', 'Precio unitario', 'Prezzo unitario'],
  tax: ['Tax', 'USt.', 'TVA', 'IVA', 'IVA'],
  amount: ['Amount', 'Betrag', 'Montant', 'Importe', 'Importo'],
  lineTotal: ['Sum of the items', 'Summe der Positionen', 'Total des lignes', 'Suma de conceptos', 'Totale delle voci'],
  discount: ['Discount', 'Rabatt', 'Remise', 'Descuento', 'Sconto'],
  charge: ['Surcharge', 'Zuschlag', 'Supplément', 'Recargo', 'Supplemento'],
  net: ['Subtotal, net', 'Nettobetrag', 'Total HT', 'Base imponible', 'Imponibile'],
  total: ['Total', 'Gesamtbetrag', 'Total TTC', 'Total factura', 'Totale documento'],
  payable: ['Amount due', 'Zu zahlen', 'Net à payer', 'Total a pagar', 'Totale da pagare'],
  pay: ['How to pay', 'Zahlung', 'Règlement', 'Forma de pago', 'Come pagare'],
  holder: ['Account holder', 'Kontoinhaber', 'Titulaire du compte', 'Titular de la cuenta', 'Intestatario del conto'],
  accountNumber: ['Account number', 'Kontonummer', 'Numéro de compte', 'Número de cuenta', 'Numero di conto'],
  bank: ['Bank', 'Bank', 'Banque', 'Banco', 'Banca'],
  serviceId: ['Service ID', 'Service-ID', 'Identifiant de service', 'ID de servicio', 'ID servizio'],
  paymentReference: ['Payment reference', 'Verwendungszweck', 'Référence de paiement', 'Referencia de pago', 'Causale'],
  scan: ['Scan to pay', 'Scannen und zahlen', 'Scanner pour payer', 'Escanear para pagar', 'Scansiona per pagare'],
  /** Note on letters that the font lacks. */
  lacking: [
    'Where a letter is not in the font of this page, it is shown as "?".',
    'Zeichen, die der Schrift dieser Seite fehlen, stehen als „?“ da.',
    `Les caractères absents de la police de cette page sont remplacés par «${BLANK}?${BLANK}».`,
    'Las letras que faltan en la fuente de esta página se muestran como «?».',
    'I caratteri che mancano nel font di questa pagina sono sostituiti da «?».',
  ],
  inXml: [
    'The XML within this file has all of them.',
    'Das XML in dieser Datei enthält alle.',
    'Le XML contenu dans ce fichier les a tous.',
    'El XML incluido en este archivo las contiene todas.',
    'Il file XML allegato li contiene tutti.',
  ],
  lines: ['Items', 'Positionen', 'Lignes', 'Conceptos', 'Voci'],
  paid: ['Paid', 'Bezahlt', 'Payée', 'Pagada', 'Pagata'],
  overdue: ['Overdue', 'Überfällig', 'En retard', 'Vencida', 'Scaduta'],
  accepted: ['Accepted amount', 'Anerkannter Betrag', 'Montant accepté', 'Importe aceptado', 'Importo accettato'],
  settled: ['Paid so far', 'Bereits bezahlt', 'Déjà payé', 'Ya pagado', 'Già pagato'],
  files: ['Files', 'Dateien', 'Fichiers', 'Archivos', 'File'],
  pdf: ['Download PDF', 'PDF herunterladen', 'Télécharger le PDF', 'Descargar PDF', 'Scarica il PDF'],
  xml: ['Download XML', 'XML herunterladen', 'Télécharger le XML', 'Descargar XML', 'Scarica l’XML'],
  decimal: ['.', ',', ',', ',', ','],
  thousands: [',', '.', BLANK, '.', '.'],
  percent: ['%', `${BLANK}%`, `${BLANK}%`, `${BLANK}%`, `${BLANK}%`],
} as const satisfies Readonly<Record<string, Row>>

/** Reasons for charging no tax, as the VAT directive requires them (Art. 226 No. 11 and 11a). */
const UNTAXED: Readonly<Record<Exclude<TaxCategory, 'S'>, Row>> = {
  Z: ['Zero rated', 'Steuersatz null', 'Taux zéro', 'Tipo cero', 'Aliquota zero'],
  E: ['Exempt from VAT', 'Von der Umsatzsteuer befreit', 'Exonéré de TVA', 'Exenta de IVA', 'Esente da IVA'],
  AE: [
    'Reverse charge',
    'Steuerschuldnerschaft des Leistungsempfängers',
    'Autoliquidation',
    'Inversión del sujeto pasivo',
    'Inversione contabile',
  ],
  K: [
    'VAT-exempt intra-Community supply',
    'Steuerfreie innergemeinschaftliche Lieferung',
    'Livraison intracommunautaire exonérée de TVA',
    'Entrega intracomunitaria exenta de IVA',
    'Cessione intracomunitaria non imponibile IVA',
  ],
  G: [
    'VAT-exempt export',
    'Steuerfreie Ausfuhrlieferung',
    'Exportation exonérée de TVA',
    'Exportación exenta de IVA',
    'Esportazione non imponibile IVA',
  ],
  O: ['Not subject to VAT', 'Nicht steuerbar', 'Hors du champ de la TVA', 'No sujeto a IVA', 'Fuori campo IVA'],
}

type Sentences = {
  readonly early: Row<(rate: string, day: string, amount: string) => string>
  readonly owed: Row<(amount: string, day: string) => string>
  readonly taxOn: Row<(rate: string, base: string) => string>
  readonly page: Row<(number: number, pages: number) => string>
  readonly day: Row<(day: number, month: string, year: string) => string>
  readonly euros: Row<(amount: string) => string>
}

const eurosBehind = (amount: string): string => `${amount}${BLANK}€`

const SENTENCES: Sentences = {
  early: [
    (rate, day, amount) => `${rate} discount if paid by ${day}: ${amount}`,
    (rate, day, amount) => `${rate} Skonto bis ${day}: ${amount}`,
    (rate, day, amount) => `${rate} d’escompte jusqu’au ${day} : ${amount}`,
    (rate, day, amount) => `${rate} de descuento por pago hasta el ${day}: ${amount}`,
    (rate, day, amount) => `${rate} di sconto fino al ${day}: ${amount}`,
  ],
  owed: [
    (amount, day) => `${amount} due ${day}`,
    (amount, day) => `${amount} fällig am ${day}`,
    (amount, day) => `${amount} à payer au plus tard le ${day}`,
    (amount, day) => `${amount} con vencimiento el ${day}`,
    (amount, day) => `${amount} con scadenza il ${day}`,
  ],
  taxOn: [
    (rate, base) => `Tax ${rate} on ${base}`,
    (rate, base) => `USt. ${rate} auf ${base}`,
    (rate, base) => `TVA ${rate} sur ${base}`,
    (rate, base) => `IVA ${rate} sobre ${base}`,
    (rate, base) => `IVA ${rate} su ${base}`,
  ],
  page: [
    (number, pages) => `Page ${number} of ${pages}`,
    (number, pages) => `Seite ${number} von ${pages}`,
    (number, pages) => `Page ${number} sur ${pages}`,
    (number, pages) => `Página ${number} de ${pages}`,
    (number, pages) => `Pagina ${number} di ${pages}`,
  ],
  day: [
    (day, month, year) => `${day} ${month} ${year}`,
    (day, month, year) => `${day}. ${month} ${year}`,
    (day, month, year) => `${day === 1 ? '1er' : day} ${month} ${year}`,
    (day, month, year) => `${day} de ${month} de ${year}`,
    (day, month, year) => `${day} ${month} ${year}`,
  ],
  euros: [
    (amount) => (amount.startsWith('-') ? `-€${amount.slice(1)}` : `€${amount}`),
    eurosBehind,
    eurosBehind,
    eurosBehind,
    eurosBehind,
  ],
}

const MONTHS: Row = [
  'January February March April May June July August September October November December',
  'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
]

const column = <Table extends Readonly<Record<string, Row<unknown>>>>(table: Table, index: number) =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, row[index]])) as Words<Table> // a cell of each

const wordsAt = (index: number) => ({
  ...column<Texts>(TEXTS, index),
  ...column(SENTENCES, index),
  untaxed: column(UNTAXED, index),
  months: MONTHS[index]?.split(' ') ?? [],
})

type Language = InvoiceDocument['language']

export const WORDS = Object.fromEntries(
  INVOICE_LANGUAGES.map((language, index) => [language, wordsAt(index)]),
) as Readonly<Record<Language, ReturnType<typeof wordsAt>>> // each language is a key

type LanguageOf = Pick<InvoiceDocument, 'language'>

/** Writes a plain decimal in the form of the language, with no zeros after these decimals. */
export function decimalIn({ language }: LanguageOf, decimal: string, decimalsMin = 0): string {
  const [whole = '', given = ''] = decimal.split('.')
  const { decimal: point, thousands } = WORDS[language]
  const decimals = given.replace(/(?<!0)0+$/, '').padEnd(decimalsMin, '0')
  const grouped = whole.replace(/\d{4,}/, (digits) => groupDigits(digits, 3, thousands))
  return decimals ? `${grouped}${point}${decimals}` : grouped
}

/** Writes an amount of the invoice's currency in its language: with the sign of the euro, or a code. */
export function moneyIn(document: LanguageOf & { readonly currency: string }, amount: string): string {
  const figure = decimalIn(document, amount, amount.split('.')[1]?.length)
  return document.currency === 'EUR' ? WORDS[document.language].euros(figure) : `${figure}${BLANK}${document.currency}`
}

export const rateIn = (document: LanguageOf, percentage: string): string =>
  `${decimalIn(document, percentage)}${WORDS[document.language].percent}`

export function dayIn({ language }: LanguageOf, date: string): string {
  const [year = '', month, day] = date.split('-')
  const { months, day: written } = WORDS[language]
  return written(Number(day), months[Number(month) - 1] ?? '', year)
}

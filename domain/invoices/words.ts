import { type InvoiceDocument, INVOICE_LANGUAGES, type TaxCategory } from './document.ts'

/** Text in English, German, French and Spanish: the order of INVOICE_LANGUAGES. */
export type Row<Text = string> = readonly [en: Text, de: Text, fr: Text, es: Text]
type Words<Table extends Readonly<Record<string, Row<unknown>>>> = { readonly [Name in keyof Table]: Table[Name][0] }

/** No-break space, between a number and its sign. */
const BLANK = '\u00a0'

type Texts = Readonly<Record<keyof typeof TEXTS, Row>>

const TEXTS = {
  title: ['Invoice', 'Rechnung', 'Facture', 'Factura'],
  number: ['Invoice number', 'Rechnungsnummer', 'Numéro de facture', 'Número de factura'],
  issued: ['Date of issue', 'Rechnungsdatum', 'Date d’émission', 'Fecha de emisión'],
  due: ['Date due', 'Fällig am', 'Date d’échéance', 'Fecha de vencimiento'],
  delivered: ['Date of supply', 'Leistungsdatum', 'Date de prestation', 'Fecha de operación'],
  reference: ['Your reference', 'Ihre Referenz', 'Votre référence', 'Su referencia'],
  from: ['From', 'Von', 'De', 'De'],
  billTo: ['Bill to', 'Rechnung an', 'Facturé à', 'Facturar a'],
  vatId: ['VAT ID', 'USt-IdNr.', 'N° TVA', 'NIF-IVA'],
  taxId: ['Tax ID', 'Steuernummer', 'N° fiscal', 'NIF'],
  view: ['View invoice online', 'Rechnung online ansehen', 'Voir la facture en ligne', 'Ver la factura en línea'],
  description: ['Description', 'Beschreibung', 'Description', 'Descripción'],
  quantity: ['Qty', 'Menge', 'Qté', 'Cant.'],
  price: ['Unit price', 'Einzelpreis', 'Prix unitaire', 'Precio unitario'],
  tax: ['Tax', 'USt.', 'TVA', 'IVA'],
  amount: ['Amount', 'Betrag', 'Montant', 'Importe'],
  net: ['Subtotal, net', 'Nettobetrag', 'Total HT', 'Base imponible'],
  total: ['Total', 'Gesamtbetrag', 'Total TTC', 'Total factura'],
  payable: ['Amount due', 'Zu zahlen', 'Net à payer', 'Total a pagar'],
  pay: ['How to pay', 'Zahlung', 'Règlement', 'Forma de pago'],
  holder: ['Account holder', 'Kontoinhaber', 'Titulaire du compte', 'Titular de la cuenta'],
  accountNumber: ['Account number', 'Kontonummer', 'Numéro de compte', 'Número de cuenta'],
  bank: ['Bank', 'Bank', 'Banque', 'Banco'],
  serviceId: ['Service ID', 'Service-ID', 'Identifiant de service', 'ID de servicio'],
  paymentReference: ['Payment reference', 'Verwendungszweck', 'Référence de paiement', 'Referencia de pago'],
  scan: ['Scan to pay', 'Scannen und zahlen', 'Scanner pour payer', 'Escanear para pagar'],
  /** Note on letters that the font lacks. */
  lacking: [
    'Where a letter is not in the font of this page, it is shown as "?".',
    'Zeichen, die der Schrift dieser Seite fehlen, stehen als „?“ da.',
    `Les caractères absents de la police de cette page sont remplacés par «${BLANK}?${BLANK}».`,
    'Las letras que faltan en la fuente de esta página se muestran como «?».',
  ],
  inXml: [
    'The XML within this file has all of them.',
    'Das XML in dieser Datei enthält alle.',
    'Le XML contenu dans ce fichier les a tous.',
    'El XML incluido en este archivo las contiene todas.',
  ],
  lines: ['Items', 'Positionen', 'Lignes', 'Conceptos'],
  paid: ['Paid', 'Bezahlt', 'Payée', 'Pagada'],
  overdue: ['Overdue', 'Überfällig', 'En retard', 'Vencida'],
  accepted: ['Accepted amount', 'Anerkannter Betrag', 'Montant accepté', 'Importe aceptado'],
  settled: ['Paid so far', 'Bereits bezahlt', 'Déjà payé', 'Ya pagado'],
  files: ['Files', 'Dateien', 'Fichiers', 'Archivos'],
  pdf: ['Download PDF', 'PDF herunterladen', 'Télécharger le PDF', 'Descargar PDF'],
  xml: ['Download XML', 'XML herunterladen', 'Télécharger le XML', 'Descargar XML'],
  decimal: ['.', ',', ',', ','],
  thousands: [',', '.', BLANK, '.'],
  percent: ['%', `${BLANK}%`, `${BLANK}%`, `${BLANK}%`],
} as const satisfies Readonly<Record<string, Row>>

/** Reasons for charging no tax, as the VAT directive requires them (Art. 226 No. 11 and 11a). */
const UNTAXED: Readonly<Record<Exclude<TaxCategory, 'S'>, Row>> = {
  Z: ['Zero rated', 'Steuersatz null', 'Taux zéro', 'Tipo cero'],
  E: ['Exempt from VAT', 'Von der Umsatzsteuer befreit', 'Exonéré de TVA', 'Exenta de IVA'],
  AE: [
    'Reverse charge',
    'Steuerschuldnerschaft des Leistungsempfängers',
    'Autoliquidation',
    'Inversión del sujeto pasivo',
  ],
  K: [
    'VAT-exempt intra-Community supply',
    'Steuerfreie innergemeinschaftliche Lieferung',
    'Livraison intracommunautaire exonérée de TVA',
    'Entrega intracomunitaria exenta de IVA',
  ],
  G: ['VAT-exempt export', 'Steuerfreie Ausfuhrlieferung', 'Exportation exonérée de TVA', 'Exportación exenta de IVA'],
  O: ['Not subject to VAT', 'Nicht steuerbar', 'Hors du champ de la TVA', 'No sujeto a IVA'],
}

type Sentences = {
  readonly owed: Row<(amount: string, day: string) => string>
  readonly taxOn: Row<(rate: string, base: string) => string>
  readonly page: Row<(number: number, pages: number) => string>
  readonly day: Row<(day: number, month: string, year: string) => string>
  readonly euros: Row<(amount: string) => string>
}

const eurosBehind = (amount: string): string => `${amount}${BLANK}€`

const SENTENCES: Sentences = {
  owed: [
    (amount, day) => `${amount} due ${day}`,
    (amount, day) => `${amount} fällig am ${day}`,
    (amount, day) => `${amount} à payer au plus tard le ${day}`,
    (amount, day) => `${amount} con vencimiento el ${day}`,
  ],
  taxOn: [
    (rate, base) => `Tax ${rate} on ${base}`,
    (rate, base) => `USt. ${rate} auf ${base}`,
    (rate, base) => `TVA ${rate} sur ${base}`,
    (rate, base) => `IVA ${rate} sobre ${base}`,
  ],
  page: [
    (number, pages) => `Page ${number} of ${pages}`,
    (number, pages) => `Seite ${number} von ${pages}`,
    (number, pages) => `Page ${number} sur ${pages}`,
    (number, pages) => `Página ${number} de ${pages}`,
  ],
  day: [
    (day, month, year) => `${day} ${month} ${year}`,
    (day, month, year) => `${day}. ${month} ${year}`,
    (day, month, year) => `${day === 1 ? '1er' : day} ${month} ${year}`,
    (day, month, year) => `${day} de ${month} de ${year}`,
  ],
  euros: [
    (amount) => (amount.startsWith('-') ? `-€${amount.slice(1)}` : `€${amount}`),
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

type Said = Pick<InvoiceDocument, 'language'>

/** Writes a plain decimal in the form of the language, with no zeros after these decimals. */
export function decimalIn({ language }: Said, decimal: string, decimalsMin = 0): string {
  const [whole = '', given = ''] = decimal.split('.')
  const { decimal: point, thousands } = WORDS[language]
  const decimals = given.replace(/(?<!0)0+$/, '').padEnd(decimalsMin, '0')
  const grouped = whole.replace(/\d{4,}/, (digits) => inThousands(digits).join(thousands))
  return decimals ? `${grouped}${point}${decimals}` : grouped
}

function inThousands(digits: string): string[] {
  const first = digits.length % 3 || 3
  return [digits.slice(0, first), ...(digits.slice(first).match(/\d{3}/g) ?? [])]
}

/** Writes an amount of the invoice's currency in its language: with the sign of the euro, or a code. */
export function moneyIn(document: Said & { readonly currency: string }, amount: string): string {
  const figure = decimalIn(document, amount, amount.split('.')[1]?.length)
  return document.currency === 'EUR' ? WORDS[document.language].euros(figure) : `${figure}${BLANK}${document.currency}`
}

export const rateIn = (document: Said, percentage: string): string =>
  `${decimalIn(document, percentage)}${WORDS[document.language].percent}`

export function dayIn({ language }: Said, date: string): string {
  const [year = '', month, day] = date.split('-')
  const { months, day: written } = WORDS[language]
  return written(Number(day), months[Number(month) - 1] ?? '', year)
}

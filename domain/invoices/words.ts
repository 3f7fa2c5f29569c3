/** What an invoice says in each language, and how amounts and days are written there. */
import { type InvoiceDocument, INVOICE_LANGUAGES, type TaxCategory } from './document.ts'

type Language = (typeof INVOICE_LANGUAGES)[number]

export type Words = {
  readonly title: string
  readonly number: string
  readonly issued: string
  readonly due: string
  readonly delivered: string
  readonly reference: string
  readonly from: string
  readonly billTo: string
  readonly vatId: string
  readonly taxId: string
  /** What is owed, and until when. */
  readonly owed: (amount: string, day: string) => string
  readonly view: string
  readonly description: string
  readonly quantity: string
  readonly price: string
  readonly tax: string
  readonly amount: string
  readonly net: string
  readonly taxOn: (rate: string, base: string) => string
  readonly total: string
  readonly payable: string
  readonly pay: string
  readonly holder: string
  readonly accountNumber: string
  readonly bank: string
  readonly serviceId: string
  readonly paymentReference: string
  readonly scan: string
  readonly page: (number: number, pages: number) => string
  /** Which letters are not drawn. */
  readonly lacking: string
  readonly inXml: string
  /** Why no tax is charged, as the VAT directive asks for it to be said (Art. 226 No. 11 and 11a). */
  readonly untaxed: Readonly<Record<Exclude<TaxCategory, 'S'>, string>>
  readonly months: readonly string[]
  readonly day: (day: number, month: string, year: string) => string
  readonly decimal: string
  readonly thousands: string
  readonly percent: string
  /** An amount in euros. */
  readonly euros: (amount: string) => string
}

/** Stands between a number and its sign, where no line may end. */
const BLANK = '\u00a0'

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Invoice',
    number: 'Invoice number',
    issued: 'Date of issue',
    due: 'Date due',
    delivered: 'Date of supply',
    reference: 'Your reference',
    from: 'From',
    billTo: 'Bill to',
    vatId: 'VAT ID',
    taxId: 'Tax ID',
    owed: (amount, day) => `${amount} due ${day}`,
    view: 'View invoice online',
    description: 'Description',
    quantity: 'Qty',
    price: 'Unit price',
    tax: 'Tax',
    amount: 'Amount',
    net: 'Subtotal, net',
    taxOn: (rate, base) => `Tax ${rate} on ${base}`,
    total: 'Total',
    payable: 'Amount due',
    pay: 'How to pay',
    holder: 'Account holder',
    accountNumber: 'Account number',
    bank: 'Bank',
    serviceId: 'Service ID',
    paymentReference: 'Payment reference',
    scan: 'Scan to pay',
    page: (number, pages) => `Page ${number} of ${pages}`,
    lacking: 'Where a letter is not in the font of this page, it is shown as "?".',
    inXml: 'The XML within this file has all of them.',
    untaxed: {
      Z: 'Zero rated',
      E: 'Exempt from VAT',
      AE: 'Reverse charge',
      K: 'VAT-exempt intra-Community supply',
      G: 'VAT-exempt export',
      O: 'Not subject to VAT',
    },
    months: months('January February March April May June July August September October November December'),
    day: (day, month, year) => `${day} ${month} ${year}`,
    decimal: '.',
    thousands: ',',
    percent: '%',
    euros: (amount) => (amount.startsWith('-') ? `-€${amount.slice(1)}` : `€${amount}`),
  },
  de: {
    title: 'Rechnung',
    number: 'Rechnungsnummer',
    issued: 'Rechnungsdatum',
    due: 'Fällig am',
    delivered: 'Leistungsdatum',
    reference: 'Ihre Referenz',
    from: 'Von',
    billTo: 'Rechnung an',
    vatId: 'USt-IdNr.',
    taxId: 'Steuernummer',
    owed: (amount, day) => `${amount} fällig am ${day}`,
    view: 'Rechnung online ansehen',
    description: 'Beschreibung',
    quantity: 'Menge',
    price: 'Einzelpreis',
    tax: 'USt.',
    amount: 'Betrag',
    net: 'Nettobetrag',
    taxOn: (rate, base) => `USt. ${rate} auf ${base}`,
    total: 'Gesamtbetrag',
    payable: 'Zu zahlen',
    pay: 'Zahlung',
    holder: 'Kontoinhaber',
    accountNumber: 'Kontonummer',
    bank: 'Bank',
    serviceId: 'Service-ID',
    paymentReference: 'Verwendungszweck',
    scan: 'Scannen und zahlen',
    page: (number, pages) => `Seite ${number} von ${pages}`,
    lacking: 'Zeichen, die der Schrift dieser Seite fehlen, stehen als „?“ da.',
    inXml: 'Das XML in dieser Datei enthält alle.',
    untaxed: {
      Z: 'Steuersatz null',
      E: 'Von der Umsatzsteuer befreit',
      AE: 'Steuerschuldnerschaft des Leistungsempfängers',
      K: 'Steuerfreie innergemeinschaftliche Lieferung',
      G: 'Steuerfreie Ausfuhrlieferung',
      O: 'Nicht steuerbar',
    },
    months: months('Januar Februar März April Mai Juni Juli August September Oktober November Dezember'),
    day: (day, month, year) => `${day}. ${month} ${year}`,
    decimal: ',',
    thousands: '.',
    percent: `${BLANK}%`,
    euros: (amount) => `${amount}${BLANK}€`,
  },
  fr: {
    title: 'Facture',
    number: 'Numéro de facture',
    issued: 'Date d’émission',
    due: 'Date d’échéance',
    delivered: 'Date de prestation',
    reference: 'Votre référence',
    from: 'De',
    billTo: 'Facturé à',
    vatId: 'N° TVA',
    taxId: 'N° fiscal',
    owed: (amount, day) => `${amount} à payer au plus tard le ${day}`,
    view: 'Voir la facture en ligne',
    description: 'Description',
    quantity: 'Qté',
    price: 'Prix unitaire',
    tax: 'TVA',
    amount: 'Montant',
    net: 'Total HT',
    taxOn: (rate, base) => `TVA ${rate} sur ${base}`,
    total: 'Total TTC',
    payable: 'Net à payer',
    pay: 'Règlement',
    holder: 'Titulaire du compte',
    accountNumber: 'Numéro de compte',
    bank: 'Banque',
    serviceId: 'Identifiant de service',
    paymentReference: 'Référence de paiement',
    scan: 'Scanner pour payer',
    page: (number, pages) => `Page ${number} sur ${pages}`,
    lacking: `Les caractères absents de la police de cette page sont remplacés par «${BLANK}?${BLANK}».`,
    inXml: 'Le XML contenu dans ce fichier les a tous.',
    untaxed: {
      Z: 'Taux zéro',
      E: 'Exonéré de TVA',
      AE: 'Autoliquidation',
      K: 'Livraison intracommunautaire exonérée de TVA',
      G: 'Exportation exonérée de TVA',
      O: 'Hors du champ de la TVA',
    },
    months: months('janvier février mars avril mai juin juillet août septembre octobre novembre décembre'),
    day: (day, month, year) => `${day === 1 ? '1er' : day} ${month} ${year}`,
    decimal: ',',
    thousands: BLANK,
    percent: `${BLANK}%`,
    euros: (amount) => `${amount}${BLANK}€`,
  },
  es: {
    title: 'Factura',
    number: 'Número de factura',
    issued: 'Fecha de emisión',
    due: 'Fecha de vencimiento',
    delivered: 'Fecha de operación',
    reference: 'Su referencia',
    from: 'De',
    billTo: 'Facturar a',
    vatId: 'NIF-IVA',
    taxId: 'NIF',
    owed: (amount, day) => `${amount} con vencimiento el ${day}`,
    view: 'Ver la factura en línea',
    description: 'Descripción',
    quantity: 'Cant.',
    price: 'Precio unitario',
    tax: 'IVA',
    amount: 'Importe',
    net: 'Base imponible',
    taxOn: (rate, base) => `IVA ${rate} sobre ${base}`,
    total: 'Total factura',
    payable: 'Total a pagar',
    pay: 'Forma de pago',
    holder: 'Titular de la cuenta',
    accountNumber: 'Número de cuenta',
    bank: 'Banco',
    serviceId: 'ID de servicio',
    paymentReference: 'Referencia de pago',
    scan: 'Escanear para pagar',
    page: (number, pages) => `Página ${number} de ${pages}`,
    lacking: 'Las letras que faltan en la fuente de esta página se muestran como «?».',
    inXml: 'El XML incluido en este archivo las contiene todas.',
    untaxed: {
      Z: 'Tipo cero',
      E: 'Exento de IVA',
      AE: 'Inversión del sujeto pasivo',
      K: 'Entrega intracomunitaria exenta de IVA',
      G: 'Exportación exenta de IVA',
      O: 'No sujeto a IVA',
    },
    months: months('enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'),
    day: (day, month, year) => `${day} de ${month} de ${year}`,
    decimal: ',',
    thousands: '.',
    percent: `${BLANK}%`,
    euros: (amount) => `${amount}${BLANK}€`,
  },
}

function months(names: string): readonly string[] {
  return names.split(' ')
}

type Said = Pick<InvoiceDocument, 'language'>

/** A plain decimal in the language's form, with at least so many decimals and none of the zeros after them. */
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

/** An amount of the invoice's currency as it is written in its language: with the sign of the euro, or a code. */
export function moneyIn(document: Said & { readonly currency: string }, amount: string): string {
  const figure = decimalIn(document, amount, amount.split('.')[1]?.length)
  return document.currency === 'EUR' ? WORDS[document.language].euros(figure) : `${figure}${BLANK}${document.currency}`
}

/** A rate of tax. */
export const rateIn = (document: Said, percentage: string): string =>
  `${decimalIn(document, percentage)}${WORDS[document.language].percent}`

/** A day such as `2026-03-01`, in words. */
export function dayIn({ language }: Said, date: string): string {
  const [year = '', month, day] = date.split('-')
  const { months: names, day: written } = WORDS[language]
  return written(Number(day), names[Number(month) - 1] ?? '', year)
}

/** Words of credit notes on paper and pages, in the languages of invoices. */
import { type InvoiceDocument, INVOICE_LANGUAGES } from './document.ts'
import type { Row } from './words.ts'

const TEXTS = {
  title: ['Credit note', 'Rechnungskorrektur', 'Avoir', 'Factura rectificativa', 'Nota di credito'],
  number: ['Credit note number', 'Nummer', 'Numéro d’avoir', 'Número', 'Numero nota di credito'],
  issued: ['Date of issue', 'Datum', 'Date d’émission', 'Fecha de emisión', 'Data di emissione'],
  invoice: ['Invoice', 'Rechnung', 'Facture', 'Factura', 'Fattura'],
  reason: ['Reason', 'Grund', 'Motif', 'Motivo', 'Motivo'],
  creditTo: ['Credit to', 'An', 'À', 'Para', 'A'],
  amount: [
    'Amount credited',
    'Gutgeschriebener Betrag',
    'Montant de l’avoir',
    'Importe abonado',
    'Importo accreditato',
  ],
  credited: ['Credited', 'Gutgeschrieben', 'Créditée', 'Abonada', 'Accreditata'],
  creditedSoFar: ['Credited so far', 'Bereits gutgeschrieben', 'Déjà crédité', 'Ya abonado', 'Già accreditato'],
  notes: ['Credit notes', 'Rechnungskorrekturen', 'Avoirs', 'Facturas rectificativas', 'Note di credito'],
} as const satisfies Readonly<Record<string, Row>>

const SENTENCES: { readonly [Name in 'credits' | 'terms']: Row } = {
  credits: [
    '{amount} of invoice {invoice} credited',
    '{amount} der Rechnung {invoice} gutgeschrieben',
    '{amount} de la facture {invoice} crédités',
    '{amount} de la factura {invoice} abonados',
    '{amount} della fattura {invoice} accreditati',
  ],
  terms: [
    'This amount is set off against invoice {invoice}.',
    'Dieser Betrag wird mit der Rechnung {invoice} verrechnet.',
    'Ce montant est imputé sur la facture {invoice}.',
    'Este importe se compensa con la factura {invoice}.',
    'Questo importo è compensato con la fattura {invoice}.',
  ],
}

type LanguageOfNote = Pick<InvoiceDocument, 'language' | 'corrects'>

export function creditWords({ language, corrects }: LanguageOfNote) {
  const index = INVOICE_LANGUAGES.indexOf(language)
  const words = Object.fromEntries(Object.entries(TEXTS).map(([name, row]) => [name, row[index]])) as {
    readonly [Name in keyof typeof TEXTS]: string // a cell of each
  }
  const say = (row: Row, amount = '') =>
    row[index]!.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'amount' ? amount : (corrects?.number ?? '')))
  return { ...words, credits: (amount: string) => say(SENTENCES.credits, amount), terms: say(SENTENCES.terms) }
}

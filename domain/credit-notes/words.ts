/** Words of credit notes on paper and pages, in the languages of invoices. */
import { type InvoiceDocument, INVOICE_LANGUAGES } from '../invoices/document.ts'
import type { Row } from '../invoices/words.ts'

const TEXTS = {
  title: ['Credit note', 'Rechnungskorrektur', 'Avoir', 'Factura rectificativa'],
  number: ['Credit note number', 'Nummer', 'Numéro d’avoir', 'Número'],
  issued: ['Date of issue', 'Datum', 'Date d’émission', 'Fecha de emisión'],
  invoice: ['Invoice', 'Rechnung', 'Facture', 'Factura'],
  reason: ['Reason', 'Grund', 'Motif', 'Motivo'],
  creditTo: ['Credit to', 'An', 'À', 'Para'],
  amount: ['Amount credited', 'Gutgeschriebener Betrag', 'Montant de l’avoir', 'Importe abonado'],
  credited: ['Credited', 'Gutgeschrieben', 'Créditée', 'Abonada'],
  creditedSoFar: ['Credited so far', 'Bereits gutgeschrieben', 'Déjà crédité', 'Ya abonado'],
  notes: ['Credit notes', 'Rechnungskorrekturen', 'Avoirs', 'Facturas rectificativas'],
} as const satisfies Readonly<Record<string, Row>>

const SENTENCES: { readonly [Name in 'credits' | 'terms']: Row } = {
  credits: [
    '{amount} of invoice {invoice} credited',
    '{amount} der Rechnung {invoice} gutgeschrieben',
    '{amount} de la facture {invoice} crédités',
    '{amount} de la factura {invoice} abonados',
  ],
  terms: [
    'This amount is set off against invoice {invoice}.',
    'Dieser Betrag wird mit der Rechnung {invoice} verrechnet.',
    'Ce montant est imputé sur la facture {invoice}.',
    'Este importe se compensa con la factura {invoice}.',
  ],
}

type Said = Pick<InvoiceDocument, 'language' | 'corrects'>

export function creditWords({ language, corrects }: Said) {
  const index = INVOICE_LANGUAGES.indexOf(language)
  const words = Object.fromEntries(Object.entries(TEXTS).map(([name, row]) => [name, row[index]])) as {
    readonly [Name in keyof typeof TEXTS]: string // a cell of each
  }
  const say = (row: Row, amount = '') =>
    row[index]!.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'amount' ? amount : (corrects?.number ?? '')))
  return { ...words, credits: (amount: string) => say(SENTENCES.credits, amount), terms: say(SENTENCES.terms) }
}

/** What a customer sees of an invoice without signing in. */
import type { InvoiceDocument } from './document.ts'

/** An invoice that was sent, with what has become of it since. Amounts are decimals of its currency. */
export type PublicInvoice = {
  readonly document: InvoiceDocument
  /** When it was paid, `2026-03-01`; null: it is open. */
  readonly paidOn: string | null
  readonly isOverdue: boolean
  /** What was accepted; null: its total. */
  readonly accepted: string | null
  /** What was paid of it so far. */
  readonly settled: string
  /** What is still to be paid. */
  readonly due: string
  /** The logo of the seller by its id; null: there is none. */
  readonly logoId: string | null
  /** Which of its files can be fetched. */
  readonly files: { readonly pdf: boolean; readonly xml: boolean }
}

/** What the page of an invoice says beside what its PDF says. */
export type PageWords = {
  readonly lines: string
  readonly paid: string
  readonly overdue: string
  readonly accepted: string
  readonly settled: string
  readonly files: string
  readonly pdf: string
  readonly xml: string
}

export const PAGE_WORDS: Readonly<Record<InvoiceDocument['language'], PageWords>> = {
  en: {
    lines: 'Items',
    paid: 'Paid',
    overdue: 'Overdue',
    accepted: 'Accepted amount',
    settled: 'Paid so far',
    files: 'Files',
    pdf: 'Download PDF',
    xml: 'Download XML',
  },
  de: {
    lines: 'Positionen',
    paid: 'Bezahlt',
    overdue: 'Überfällig',
    accepted: 'Anerkannter Betrag',
    settled: 'Bereits bezahlt',
    files: 'Dateien',
    pdf: 'PDF herunterladen',
    xml: 'XML herunterladen',
  },
  fr: {
    lines: 'Lignes',
    paid: 'Payée',
    overdue: 'En retard',
    accepted: 'Montant accepté',
    settled: 'Déjà payé',
    files: 'Fichiers',
    pdf: 'Télécharger le PDF',
    xml: 'Télécharger le XML',
  },
  es: {
    lines: 'Conceptos',
    paid: 'Pagada',
    overdue: 'Vencida',
    accepted: 'Importe aceptado',
    settled: 'Ya pagado',
    files: 'Archivos',
    pdf: 'Descargar PDF',
    xml: 'Descargar XML',
  },
}

/** What a page says that is not there, whoever asks: nobody learns whether it ever was. */
export const NOT_HERE = {
  en: [
    'This invoice is not here',
    'The link is wrong, or is no longer valid. Please ask the company that sent it to you.',
  ],
  de: [
    'Diese Rechnung ist nicht hier',
    'Der Link ist falsch oder gilt nicht mehr. Bitte fragen Sie das Unternehmen, das ihn Ihnen geschickt hat.',
  ],
  fr: [
    'Cette facture ne se trouve pas ici',
    'Le lien est erroné ou n’est plus valable. Veuillez vous adresser à l’entreprise qui vous l’a envoyé.',
  ],
  es: [
    'Esta factura no está aquí',
    'El enlace es incorrecto o ya no es válido. Pregunte a la empresa que se lo envió.',
  ],
} as const

/** The same while the service cannot answer. */
export const NOT_NOW = {
  en: ['Please try again in a moment', 'This page cannot be shown right now.'],
  de: ['Bitte versuchen Sie es gleich noch einmal', 'Diese Seite kann gerade nicht gezeigt werden.'],
  fr: ['Veuillez réessayer dans un instant', 'Cette page ne peut pas être affichée pour le moment.'],
  es: ['Vuelva a intentarlo en un momento', 'Esta página no se puede mostrar ahora.'],
} as const

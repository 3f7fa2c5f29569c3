import type { InvoiceDocument } from '../invoice-documents/document.ts'
import type { EarlyOffer } from './early-payment.ts'

/** Sent invoice with its payments since. Amounts are decimals of its currency. */
export type PublicInvoice = {
  readonly document: InvoiceDocument
  /** Day of its payment, such as `2026-03-01`; null while it is open. */
  readonly paidOn: string | null
  readonly isOverdue: boolean
  /** Accepted amount; null for the total. */
  readonly accepted: string | null
  readonly settled: string
  readonly credited: string
  /** True if a credit note left nothing due. */
  readonly isCredited: boolean
  /** Sent credit notes whose files are written, in the order of their numbers. */
  readonly creditNotes: readonly { readonly id: string; readonly number: string; readonly total: string }[]
  readonly due: string
  /** Discounts for early payment, each with the amount that settles it. */
  readonly early: readonly EarlyOffer[]
  /** Discount by which an early payment settled it; null for none. */
  readonly discount: string | null
  readonly logoId: string | null
  readonly files: { readonly pdf: boolean; readonly xml: boolean }
}

/** Title and sentence of a missing page; they hide if it ever existed. */
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
  it: [
    'Questa fattura non si trova qui',
    'Il link è errato o non è più valido. Chiedete all’azienda che ve lo ha inviato.',
  ],
} as const

export const NOT_NOW = {
  en: ['Please try again in a moment', 'This page cannot be shown right now.'],
  de: ['Bitte versuchen Sie es gleich noch einmal', 'Diese Seite kann gerade nicht gezeigt werden.'],
  fr: ['Veuillez réessayer dans un instant', 'Cette page ne peut pas être affichée pour le moment.'],
  es: ['Vuelva a intentarlo en un momento', 'Esta página no se puede mostrar ahora.'],
  it: ['Riprovate tra un momento', 'Al momento questa pagina non può essere mostrata.'],
} as const

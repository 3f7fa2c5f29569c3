import type { InvoiceDocument } from './document.ts'

/** Fixed words of the payment part, in the languages of the guidelines (annex C). */
const WORDS = {
  en: {
    receipt: 'Receipt',
    part: 'Payment part',
    account: 'Account / Payable to',
    reference: 'Reference',
    more: 'Additional information',
    debtor: 'Payable by',
    blank: 'Payable by (name/address)',
    currency: 'Currency',
    amount: 'Amount',
    point: 'Acceptance point',
    separate: 'Separate before paying in',
  },
  de: {
    receipt: 'Empfangsschein',
    part: 'Zahlteil',
    account: 'Konto / Zahlbar an',
    reference: 'Referenz',
    more: 'Zusätzliche Informationen',
    debtor: 'Zahlbar durch',
    blank: 'Zahlbar durch (Name/Adresse)',
    currency: 'Währung',
    amount: 'Betrag',
    point: 'Annahmestelle',
    separate: 'Vor der Einzahlung abzutrennen',
  },
  fr: {
    receipt: 'Récépissé',
    part: 'Section paiement',
    account: 'Compte / Payable à',
    reference: 'Référence',
    more: 'Informations supplémentaires',
    debtor: 'Payable par',
    blank: 'Payable par (nom/adresse)',
    currency: 'Monnaie',
    amount: 'Montant',
    point: 'Point de dépôt',
    separate: 'A détacher avant le versement',
  },
  it: {
    receipt: 'Ricevuta',
    part: 'Sezione pagamento',
    account: 'Conto / Pagabile a',
    reference: 'Riferimento',
    more: 'Informazioni supplementari',
    debtor: 'Pagabile da',
    blank: 'Pagabile da (nome/indirizzo)',
    currency: 'Valuta',
    amount: 'Importo',
    point: 'Punto di accettazione',
    separate: 'Da staccare prima del versamento',
  },
} as const

export type SwissWords = (typeof WORDS)[keyof typeof WORDS]

/** Selects the words for a document; English where the guidelines have no such language. */
export const swissWordsOf = ({ language }: Pick<InvoiceDocument, 'language'>): SwissWords =>
  WORDS[language === 'es' ? 'en' : language]

import type { BillField } from './fields.ts'
import type { LineItem } from './line-item.ts'
import type { ReadPage } from './page.ts'

export type ReadField = {
  readonly field: BillField
  /**
   * Value as in Bill: a date as `2026-03-01`, an amount as a plain decimal (with `-` for money that we get), bank
   * details without blanks and dashes, all else as written, on one line.
   */
  readonly value: string
  /** From 1; null in a file without pages. */
  readonly page: number | null
  /** Left, top, width and height in points, from the top left of the page; null if it is invisible. */
  readonly box: readonly [x: number, y: number, width: number, height: number] | null
  /** Source of the value as written; in XML the path of its element. */
  readonly text: string | null
  /** From 0 to 1; 1 if the file says it exactly, null if unknown. */
  readonly confidence: number | null
}

/** Reasons why a field is empty although the file says something, or needs a look. */
export const DOUBT_CODES = [
  'malformed',
  'wrong_check_digits',
  'no_such_date',
  'ambiguous_date',
  'ambiguous_amount',
  'no_such_currency',
  'ambiguous_currency',
  'contradicted',
  'does_not_add_up',
  'several_accounts',
  'several_due_dates',
  'several_bills',
  'unconfirmed',
  'giro_number',
  'unread_pages',
] as const
export type DoubtCode = (typeof DOUBT_CODES)[number]

export type Doubt = { readonly code: DoubtCode; readonly fields: readonly BillField[]; readonly message: string }

/**
 * Reasons why nothing is to be transferred: money that we get, a direct debit, a card, no claim, paid already or not to
 * be paid, issued by the organization itself, or no bill but an offer, an order, a delivery note or a statement.
 */
export const NOT_PAYABLE = [
  'credit_note',
  'direct_debit',
  'card',
  'pro_forma',
  'paid',
  'own_invoice',
  'not_a_bill',
] as const
/** Reasons that a person can give; who issued a bill follows from its tax id. */
export const TYPED_NOT_PAYABLE = ['credit_note', 'direct_debit', 'card', 'pro_forma', 'paid', 'not_a_bill'] as const
export type NotPayable = (typeof NOT_PAYABLE)[number]

export type Reading = {
  /**
   * Name of the reader: `factur-x`, `zugferd-1`, `ubl`, `cii`, `fatturapa`, `facturae`, `ksef`, `swiss-qr`, `epc-qr`,
   * `text-layer`. Also `tesseract-5`, or `model:` and a model's name.
   */
  readonly method: string
  readonly fields: readonly ReadField[]
  readonly doubts: readonly Doubt[]
  readonly notPayable: NotPayable | null
  readonly lineItems?: readonly LineItem[]
}

export const valueOf = ({ fields }: Reading, wanted: BillField): string | undefined =>
  fields.find(({ field }) => field === wanted)?.value

/** Findings of all readers, and the pages that were read; no pages if XML says it exactly. */
export type OpenDocument = { readonly readings: readonly Reading[]; readonly pages: readonly ReadPage[] }

/** Pages that a language model is shown, and words of each. */
const [SHOWN_PAGES_MAX, SHOWN_WORDS_MAX] = [5, 3000]

/** Picks the pages that a language model may be shown; the others are of no use once their fields are read. */
export const pagesToShow = (pages: readonly ReadPage[]): readonly ReadPage[] =>
  pages.slice(0, SHOWN_PAGES_MAX).filter(({ words }) => words.length <= SHOWN_WORDS_MAX)

export type BillFile = { readonly bytes: Uint8Array; readonly contentType: string }

export type UnreadableCode =
  | 'not_a_bill'
  | 'unknown_format'
  | 'damaged'
  | 'encrypted'
  | 'hostile'
  | 'ambiguous'
  | 'too_large'
  | 'too_many_pages'

/** Unreadable file; `message` is a sentence for people that quotes nothing of the file. */
export class UnreadableBill extends Error {
  constructor(
    readonly code: UnreadableCode,
    message: string,
  ) {
    super(message)
  }
}

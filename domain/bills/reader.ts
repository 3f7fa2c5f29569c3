/** What reads the file of a bill, and what it hands over. */
import type { BillField } from './fields.ts'
import type { LineItem } from './line-item.ts'
import type { ReadPage } from './text/words.ts'

/** A field as a reader found it, and where. */
export type ReadField = {
  readonly field: BillField
  /**
   * As Bill has it: a date as `2026-03-01`, an amount as a plain decimal (with `-` if it is money that we get), bank
   * details without blanks and dashes, everything else as it is written, on one line.
   */
  readonly value: string
  /** From 1; null in a file without pages. */
  readonly page: number | null
  /** Left, top, width and height in points, from the top left of the page; null if nothing of it is seen. */
  readonly box: readonly [x: number, y: number, width: number, height: number] | null
  /** What the value was read from, as it is written there; in XML, the path of its element. */
  readonly text: string | null
  /** From 0 to 1; 1 if the file says it exactly, null if the reader cannot tell. */
  readonly confidence: number | null
}

/** Why a field stayed empty although the file says something, or why a person should look at it. */
export const DOUBT_CODES = [
  'malformed',
  'wrong_check_digits',
  'no_such_date',
  'ambiguous_date',
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
 * Why nothing is to be transferred: it is money that we get, it will be debited, it is charged to a card, it is no
 * claim, it is paid already or says that it must not be paid, or the organization issued it itself.
 */
export const NOT_PAYABLE = ['credit_note', 'direct_debit', 'card', 'pro_forma', 'paid', 'own_invoice'] as const
/** The reasons that a person can give: who issued a bill follows from its tax id. */
export const TYPED_NOT_PAYABLE = ['credit_note', 'direct_debit', 'card', 'pro_forma', 'paid'] as const
export type NotPayable = (typeof NOT_PAYABLE)[number]

/** What one reader found in a file. A field in doubt is not among the fields. */
export type Reading = {
  /**
   * `factur-x`, `zugferd-1`, `ubl`, `cii`, `fatturapa`, `facturae`, `swiss-qr`, `epc-qr`, `text-layer`, `tesseract-5`,
   * or `model:` and the name of a model.
   */
  readonly method: string
  readonly fields: readonly ReadField[]
  readonly doubts: readonly Doubt[]
  readonly notPayable: NotPayable | null
  /** Of XML whose sums are right. */
  readonly lineItems?: readonly LineItem[]
}

/** What a reading found for a field. */
export const valueOf = ({ fields }: Reading, wanted: BillField): string | undefined =>
  fields.find(({ field }) => field === wanted)?.value

/** What each reader found in a file, and the pages that were read so; none if XML says it exactly. */
export type Opened = { readonly readings: readonly Reading[]; readonly pages: readonly ReadPage[] }

export type BillFile = { readonly bytes: Uint8Array; readonly contentType: string }

/** Why a file is not read, however often one tries. */
export type UnreadableCode =
  | 'not_a_bill'
  | 'unknown_format'
  | 'damaged'
  | 'encrypted'
  | 'hostile'
  | 'ambiguous'
  | 'too_large'
  | 'too_many_pages'

/** Thrown for a file that cannot be read; `message` is a sentence for people, without anything that the file says. */
export class UnreadableBill extends Error {
  constructor(
    readonly code: UnreadableCode,
    message: string,
  ) {
    super(message)
  }
}

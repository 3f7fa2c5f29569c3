/** What makes two bills look like one, however people write it. */
import { skeletonOf } from '../skeleton.ts'
import { plain } from '../text.ts'
import { BILL_FIELDS, type BillFields } from './fields.ts'

/** Keeps letters and digits alone, in lower case and without accents. */
export const bare = (text: string): string => plain(text).replaceAll(/[^\p{L}\p{N}]+/gu, '')
/** The looks of letters and digits alone; null if there are none. */
const keyOf = (text: string | undefined): string | null => skeletonOf(text ?? '') || null

/** Of tax id, name and number what is equal if they are; null of what is not known. */
export const keysOf = ({ supplier_tax_id: taxId, supplier_name: name, bill_number: number }: BillFields) => ({
  tax_key: keyOf(taxId),
  name_key: keyOf(name),
  number_key: keyOf(number),
})

const SEARCHED = BILL_FIELDS.filter((field) =>
  ['bill_number', 'supplier_name', 'supplier_tax_id', 'payment_reference', 'amount', 'currency'].includes(field),
)

/** What a search looks through. */
export const searchedText = (fields: BillFields): string =>
  plain(SEARCHED.map((field) => fields[field] ?? '').join(' '))

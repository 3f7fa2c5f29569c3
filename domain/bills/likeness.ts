/** Likeness of bills, however people write them. */
import { skeletonOf } from '../skeleton.ts'
import { plain } from '../text.ts'
import { BILL_FIELDS, type BillFields } from './fields.ts'

/** Keeps letters and digits alone, in lower case without accents. */
export const bare = (text: string): string => plain(text).replaceAll(/[^\p{L}\p{N}]+/gu, '')
const keyOf = (text: string | undefined): string | null => skeletonOf(text ?? '') || null

/** Computes keys of tax id, name and number, equal for like values; null for unknown ones. */
export const keysOf = ({ supplier_tax_id: taxId, supplier_name: name, bill_number: number }: BillFields) => ({
  tax_key: keyOf(taxId),
  name_key: keyOf(name),
  number_key: keyOf(number),
})

const SEARCHED = BILL_FIELDS.filter((field) =>
  ['bill_number', 'supplier_name', 'supplier_tax_id', 'payment_reference', 'amount', 'currency'].includes(field),
)

export const textToSearch = (fields: BillFields): string =>
  plain(SEARCHED.map((field) => fields[field] ?? '').join(' '))

/** What makes two bills look like one, however people write it. */
import { plain } from '../text.ts'
import { BILL_FIELDS, type BillFields } from './fields.ts'

/** Letters and digits alone, in lower case and without accents; undefined if nothing is left. */
const bare = (text: string | undefined): string | undefined =>
  plain(text ?? '').replaceAll(/[^\p{L}\p{N}]+/gu, '') || undefined

/** Of tax id, name and number what is equal if they are; null of what is not known. */
export const keysOf = ({ supplier_tax_id: taxId, supplier_name: name, bill_number: number }: BillFields) => ({
  tax_key: bare(taxId) ?? null,
  name_key: bare(name) ?? null,
  number_key: bare(number) ?? null,
})

const SEARCHED = BILL_FIELDS.filter((field) =>
  ['bill_number', 'supplier_name', 'supplier_tax_id', 'payment_reference', 'amount', 'currency'].includes(field),
)

/** What a search looks through. */
export const searchedText = (fields: BillFields): string =>
  plain(SEARCHED.map((field) => fields[field] ?? '').join(' '))

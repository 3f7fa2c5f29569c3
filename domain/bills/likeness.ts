/** Likeness of bills, however people write them. */
import { companyKeyOf } from '../company-names.ts'
import { skeletonOf } from '../skeleton.ts'
import { taxIdKeyOf } from '../tax-id-keys.ts'
import { plain } from '../text.ts'
import { BILL_FIELDS, type BillFields } from './fields.ts'

/** Keeps letters and digits alone, in lower case without accents. */
export const bare = (text: string): string => plain(text).replaceAll(/[^\p{L}\p{N}]+/gu, '')
const keyOf = (text: string | undefined): string | null => skeletonOf(text ?? '') || null

/** Computes keys of tax id, name and number, equal for values that look alike; null for unknown ones. */
export const keysOf = ({ supplier_tax_id: taxId, supplier_name: name, bill_number: number }: BillFields) => ({
  tax_key: keyOf(taxId),
  name_key: keyOf(name),
  number_key: keyOf(number),
})

/** Computes keys of the supplier, equal however tax id and name are spelled; null for unknown ones. */
export const supplierKeysOf = ({ supplier_tax_id: taxId, supplier_name: name }: BillFields) => ({
  tax_number: taxId === undefined ? null : taxIdKeyOf(taxId),
  plain_name: companyKeyOf(name ?? '') || null,
})

const SEARCHED = BILL_FIELDS.filter((field) =>
  ['bill_number', 'supplier_name', 'supplier_tax_id', 'payment_reference', 'amount', 'currency'].includes(field),
)

export const textToSearch = (fields: BillFields): string =>
  plain(SEARCHED.map((field) => fields[field] ?? '').join(' '))

const NUMBER_MIN = 4
/** Compares letters and digits; one may have more around it, as "RE" before a number. */
export function isWithin(one: string, other: string): boolean {
  const [short = '', long = ''] = [bare(one), bare(other)].toSorted((a, b) => a.length - b.length)
  return short === long || (short.length >= NUMBER_MIN && long.includes(short))
}

/** Compares company names: one is within the other, they share an uncommon word, or are spelled in other ways. */
export const isSameName = (one: string, other: string): boolean =>
  isWithin(one, other) ||
  sharesWord(one, other) ||
  (companyKeyOf(one) !== '' && companyKeyOf(one) === companyKeyOf(other))

/** Compares company names without legal forms and common words. */
export function isEqualName(one: string, other: string): boolean {
  const [first, second] = [one, other].map((name) => wordsIn(name).toSorted().join(' '))
  return bare(one) === bare(other) || (first !== '' && first === second)
}

const COMMON: ReadonlySet<string> = new Set(
  `ltd limited inc incorporated llc llp plc corp corporation company co gmbh mbh ohg gbr ges stiftung verein sarl sas sasu
  eurl srl srls spa snc sapa slu sociedad limitada anonima ltda bvba vof aps the and und der die das les des del della de
  holding group gruppe groupe gruppo grupo service services solutions international deutschland germany france italia italy
  espana spain nederland belgium belgique austria osterreich schweiz suisse europe europa uk usa`.split(/\s+/),
)
const WORD = /[\p{L}\p{N}]{3,}/gu
const wordsIn = (name: string): string[] => (plain(name).match(WORD) ?? []).filter((word) => !COMMON.has(word))
const sharesWord = (one: string, other: string): boolean => {
  const words = new Set(wordsIn(one))
  return wordsIn(other).some((word) => words.has(word))
}

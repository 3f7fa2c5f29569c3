/** Merge of several readers' findings into one bill. */
import { compareDecimals } from '../../domain/money/decimal.ts'
import { ADDRESS_FIELDS, BANK_DETAILS, type BillField, isBankDetail } from '../../domain/bills/fields.ts'
import { isSameName, isWithin } from '../../domain/bills/likeness.ts'
import type { LineItem } from '../../domain/bills/line-item.ts'
import { type Doubt, type NotPayable, type ReadField, type Reading, valueOf } from '../../domain/bills/reader.ts'
import { bareTaxId, isVatId } from '../../domain/tax-ids.ts'
import { doubt } from './verified.ts'

export type MergedField = ReadField & { readonly method: string }

export type MergeResult = {
  readonly fields: readonly MergedField[]
  readonly doubts: readonly Doubt[]
  readonly notPayable: NotPayable | null
  readonly lineItems: readonly LineItem[]
}

/** Fields that mean something only together: all of one reader, or none. */
const GROUPS: readonly (readonly BillField[])[] = [['amount', 'currency', 'tax_total'], BANK_DETAILS, ADDRESS_FIELDS]
/** Fields that name the account. Two values that differ are two accounts, whichever reader is right. */
const ACCOUNTS = ['iban', 'account_number'] as const
/** Reasons that stop a payment even if a page may be of another bill. */
const SETTLED: readonly (NotPayable | null)[] = ['direct_debit', 'card', 'paid']

/**
 * Merges readings, best first. Each field is of the first reader that found it; all bank details are of one, and an
 * amount needs the same currency. No other reader fills in what a better one doubted. A reading that contradicts the
 * best one in what tells bills apart gives nothing; one without its number and amount gives no bank details. No account
 * is named if the bill is debited, or if two readers found different ones.
 */
export function mergeReadings(readings: readonly Reading[]): MergeResult {
  const [best] = readings
  const contradicted = new Map(readings.map((reading) => [reading, contradictions(best, reading)]))
  const taken = readings.filter((reading) => contradicted.get(reading)?.length === 0)
  const notPayable =
    taken.find((reading) => reading.notPayable)?.notPayable ??
    readings.find((reading) => SETTLED.includes(reading.notPayable))?.notPayable ??
    null
  const apart = [...new Set([...contradicted.values()].flat())]
  const doubts = [
    ...taken.flatMap((reading) => reading.doubts),
    ...(apart.length > 0 ? [doubt('contradicted', apart)] : []),
    ...(accountsDiffer(readings) ? [doubt('contradicted', [...ACCOUNTS])] : []),
  ]
  const fields = firstOfEach(taken)
  const isDebited = notPayable === 'direct_debit' || notPayable === 'card'
  const isStrange = !isDebited && !accountsDiffer(readings) && !isConfirmed(taken, fields)
  const dropped = new Set<BillField>(isDebited || accountsDiffer(readings) || isStrange ? BANK_DETAILS : [])
  const strange = isStrange ? ACCOUNTS.filter((field) => fields.has(field)) : []
  return {
    fields: [...fields.values()].filter(({ field }) => !dropped.has(field)),
    doubts: strange.length > 0 ? [...doubts, doubt('unconfirmed', strange)] : doubts,
    notPayable,
    lineItems: best?.lineItems ?? [],
  }
}

function firstOfEach(readings: readonly Reading[]): Map<BillField, MergedField> {
  const fields = new Map<BillField, MergedField>()
  const settled = new Set<BillField>()
  for (const reading of readings) {
    const isOther = differs(fields.get('currency')?.value, valueOf(reading, 'currency'))
    const found = reading.fields.filter(({ field }) => !settled.has(field) && !(field === 'amount' && isOther))
    for (const field of found) fields.set(field.field, { ...field, method: reading.method })
    for (const { field } of found) {
      // a currency alone is that of any amount
      for (const member of field === 'currency' ? [field] : groupOf(field)) settled.add(member)
    }
    for (const one of reading.doubts)
      for (const field of one.fields) for (const member of groupOf(field)) settled.add(member)
  }
  return fields
}

/**
 * Tells whether bank details belong to the bill: their reading names its number or amount, and contradicts neither. A
 * model's candidates are on pages that others read.
 */
function isConfirmed(readings: readonly Reading[], fields: ReadonlyMap<BillField, MergedField>): boolean {
  const account = [...fields.values()].find(({ field }) => isBankDetail(field))
  const source = readings.find(({ method }) => method === account?.method)
  if (!source || source.method.startsWith('model:')) return true
  const told = (['bill_number', 'amount'] as const).filter((field) => fields.has(field))
  const isSame = (field: 'bill_number' | 'amount') =>
    fields.get(field)?.method === source.method || isEqual(field, fields.get(field)?.value, valueOf(source, field))
  return told.length === 0 || told.some((field) => isSame(field) === true)
}

const differs = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other

const groupOf = (field: BillField): readonly BillField[] => GROUPS.find((group) => group.includes(field)) ?? [field]

const accountsDiffer = (readings: readonly Reading[]): boolean =>
  ACCOUNTS.some((field) => new Set(readings.map((reading) => valueOf(reading, field)).filter(Boolean)).size > 1)

/** Lists the distinguishing fields in which a reading contradicts the best one. */
function contradictions(best: Reading | undefined, reading: Reading): BillField[] {
  if (!best || reading === best) return []
  const told: BillField[] = ['bill_number', 'supplier_name', 'supplier_tax_id', 'amount', 'currency']
  return told.filter((field) => isEqual(field, valueOf(best, field), valueOf(reading, field)) === false)
}

/** Compares two readings of a field; null if one lacks it, or has another kind of it. */
function isEqual(field: BillField, one: string | undefined, other: string | undefined): boolean | null {
  if (one === undefined || other === undefined) return null
  switch (field) {
    case 'amount':
      // a page may show a credit without a sign
      return compareDecimals(one.replace('-', ''), other.replace('-', '')) === 0
    case 'bill_number':
      return isWithin(one, other)
    case 'supplier_name':
      return isSameName(one, other)
    case 'supplier_tax_id':
      return isVatId(one) && isVatId(other) ? bareTaxId(one) === bareTaxId(other) : null
    default:
      return one === other
  }
}

/** How the findings of several readers of one file become one bill. */
import { compareDecimals } from '../money/decimal.ts'
import { BANK_DETAILS, type BillField } from './fields.ts'
import { type Doubt, type NotPayable, type ReadField, type Reading, valueOf } from './reader.ts'
import { doubt } from './verified.ts'

/** A field with the method that found it. */
export type MergedField = ReadField & { readonly method: string }

export type Merged = {
  readonly fields: readonly MergedField[]
  readonly doubts: readonly Doubt[]
  readonly notPayable: NotPayable | null
}

/** Fields that mean something only together: they are of one reader, or of none. */
const GROUPS: readonly (readonly BillField[])[] = [['amount', 'currency'], BANK_DETAILS]
/** What names the account. Two that differ are two accounts, whoever of the readers is right. */
const ACCOUNTS = ['iban', 'account_number'] as const

/**
 * One reading of several, the best first: each field is of the first reader that found it, all bank details of one, and
 * an amount of one that names no other currency. What a better reader left in doubt no other fills in, and no account
 * is named if the bill will be debited, or if two readers found different ones.
 */
export function merged(readings: readonly Reading[]): Merged {
  const notPayable = readings.find((reading) => reading.notPayable)?.notPayable ?? null
  const doubts = [...readings.flatMap((reading) => reading.doubts), ...differences(readings)]
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
  const dropped = new Set<BillField>(
    notPayable === 'direct_debit' || notPayable === 'card' || accountsDiffer(readings) ? BANK_DETAILS : [],
  )
  return { fields: [...fields.values()].filter(({ field }) => !dropped.has(field)), doubts, notPayable }
}

const differs = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other

const groupOf = (field: BillField): readonly BillField[] => GROUPS.find((group) => group.includes(field)) ?? [field]

const accountsDiffer = (readings: readonly Reading[]): boolean =>
  ACCOUNTS.some((field) => new Set(readings.map((reading) => valueOf(reading, field)).filter(Boolean)).size > 1)

/** Told to a person: the best reader's amount stands, since a page is read less exactly than what is written in XML. */
function differences(readings: readonly Reading[]): Doubt[] {
  // a page may show what is credited without a sign
  const amounts = readings.flatMap((reading) => valueOf(reading, 'amount')?.replace('-', '') ?? [])
  const [first = '0'] = amounts
  const amountsDiffer = amounts.some((amount) => compareDecimals(amount, first) !== 0)
  return [
    ...(amountsDiffer ? [doubt('contradicted', ['amount'])] : []),
    ...(accountsDiffer(readings) ? [doubt('contradicted', [...ACCOUNTS])] : []),
  ]
}

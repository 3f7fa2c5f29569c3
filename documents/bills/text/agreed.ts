/** Agreement of several recognitions of the same pages. */
import type { BillField } from '../../../domain/bills/fields.ts'
import { type Reading, valueOf } from '../../../domain/bills/reader.ts'
import { doubt } from '../verified.ts'
import type { PagesRead } from './reading.ts'

/** Fields that check digits or sums can prove, each with what follows from it. */
const PROVABLE: readonly (readonly BillField[])[] = [
  ['iban', 'bank_country_alpha2'],
  ['amount', 'currency', 'tax_total'],
  ['supplier_tax_id'],
  ['payment_reference'],
]

/**
 * Chooses the best recognition, with another's values that check digits or sums prove. Two different proven values are
 * none, nor is a total of which less is payable. Invents no value: of 97 random accounts one has right check digits.
 */
export function chooseReading(best: PagesRead, others: readonly PagesRead[]): Reading {
  const { reading } = best
  const all = [best, ...others]
  const several = all.find((one) => one.reading.doubts.some(({ code }) => code === 'several_bills'))
  if (several) return several.reading
  const isPromised = all.some((one) => one.owes !== null)
  const isOther = (one: PagesRead, field: BillField) => field === 'amount' && isPromised && one.owes !== 'total'
  let fields = reading.fields.filter(({ field }) => !isOther(best, field))
  let { doubts } = reading
  for (const group of PROVABLE) {
    const [first = 'iban'] = group
    const proofs = all.filter((one) => one.proven.has(first) && !isOther(one, first))
    const rest = fields.filter(({ field }) => !group.includes(field))
    if (new Set(proofs.map((proof) => bare(valueOf(proof.reading, first)))).size > 1) {
      fields = rest
      doubts = [...doubts, doubt('contradicted', [first])]
    } else if (proofs[0] && !best.proven.has(first) && !isSettled(reading, first)) {
      fields = [...rest, ...proofs[0].reading.fields.filter(({ field }) => group.includes(field))]
      doubts = doubts.filter((one) => !one.fields.includes(first))
    }
  }
  // a direct debit names the payer's account: one reading that says so is enough
  const debited = all.map((one) => one.reading.notPayable).find((one) => one === 'direct_debit' || one === 'card')
  return { ...reading, fields, doubts, notPayable: debited ?? reading.notPayable }
}

const bare = (value: string | undefined): string | undefined => value?.replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Tells whether a reading names an account, or cannot tell which. */
const isSettled = ({ fields, doubts }: Reading, field: BillField): boolean =>
  field === 'iban' &&
  (fields.some((one) => one.field === 'account_number') || doubts.some(({ code }) => code === 'several_accounts'))

/** The fields of a bill at rest: the only writer of them. */
import { fingerprintsOf } from '../contacts/destination-encryption.ts'
import { record } from '../events.ts'
import { encryptForRow } from '../../platform/encryption.ts'
import { accountFaults, coordinatesOf, namesAccount } from '../../domain/bills/account.ts'
import { keptAmount } from '../../domain/bills/totals.ts'
import { billEvents } from '../../domain/bills/events.ts'
import { BANK_DETAILS, type BillField, type BillFields } from '../../domain/bills/fields.ts'
import type { Doubt } from '../../domain/bills/reader.ts'
import { keysOf, searchedText } from '../../domain/bills/likeness.ts'
import { isOwnTaxId } from '../../domain/bills/tax-ids.ts'
import { coordinatesIn } from '../../domain/contacts/destination.ts'
import { refuse } from '../../domain/errors.ts'
import type { BillId, EventId } from '../../domain/ids.ts'
import { type Tx, sql, within } from '../sql.ts'
import { type BillRow, billColumns, fieldsIn } from './bills.ts'
import { findDuplicates, isNewAccount } from './duplicates.ts'

/** Which event brought the value of a field, and whether a person typed it. */
export type Origins = Readonly<
  Partial<Record<BillField | 'not_payable', { readonly event: EventId; readonly typed?: true }>>
>

/** A bill that nobody else changes until the transaction ends; what it says is in fieldsIn(). */
export type LockedBill = BillRow & { readonly origins: Origins; readonly tries: number }

/** Locks a bill. Refuses `not_found`. */
export async function lockBill(tx: Tx, id: BillId): Promise<LockedBill> {
  const [row] = await tx<LockedBill[]>`
    select ${billColumns()}, origins, tries from bills where id = ${id} for no key update`
  return row ?? refuse('not_found')
}

/** What a bill is known to be. */
export type Known = {
  readonly fields: BillFields
  readonly origins: Origins
  readonly notPayable: BillRow['not_payable']
  readonly doubts: readonly Doubt[]
  /** A person typed bank details just now. */
  readonly bankTyped?: boolean
}

/**
 * Writes all fields of a bill, with what is derived from them, and says what stands out: a duplicate, a new account.
 */
export async function writeFields(
  tx: Tx,
  id: BillId,
  { fields, origins, notPayable, doubts, bankTyped }: Known,
): Promise<void> {
  const fingerprints = accountOf(tx, fields)
  const { tax_key: taxKey, name_key: nameKey, number_key: numberKey } = keysOf(fields)
  const changed = bankTyped ? sql`, bank_changed_at = business_now()` : sql``
  await tx`
    update bills set tax_total = ${fields.tax_total ?? null}, amount = ${keptAmount(fields)},
      currency = ${fields.currency ?? null},
      bill_number = ${fields.bill_number ?? null}, supplier_name = ${fields.supplier_name ?? null},
      supplier_tax_id = ${fields.supplier_tax_id ?? null}, payment_reference = ${fields.payment_reference ?? null},
      issue_date = ${fields.issue_date ?? null}, due_date = ${fields.due_date ?? null},
      sealed = ${sealedDetails(id, fields)}, fingerprint = decode(${fingerprints[0] ?? null}, 'hex'),
      not_payable = ${await whyNotPayable(tx, { fields, notPayable })}, origins = ${sql.json(origins)}, doubts = ${sql.json(doubts)},
      tax_key = ${taxKey}, name_key = ${nameKey}, number_key = ${numberKey}, words = ${searchedText(fields)},
      updated_at = business_now() ${changed}
    where id = ${id}`
  await noteWhatStandsOut(tx, id, fingerprints)
}

/** Gives the reason that was read or typed, or `own_invoice`, which typing cannot overrule. */
async function whyNotPayable(
  tx: Tx,
  { fields, notPayable }: Pick<Known, 'fields' | 'notPayable'>,
): Promise<Known['notPayable']> {
  const said = notPayable === 'own_invoice' ? null : notPayable
  if (said || !fields.supplier_tax_id) return said
  return isOwnTaxId(fields.supplier_tax_id, await findOwn(tx)) ? 'own_invoice' : null
}

type Own = Parameters<typeof isOwnTaxId>[1] & { readonly name: string; readonly invoice_name: string | null }

/** Reads the names of the organization, and its tax ids. */
export async function findOwn(tx: Tx): Promise<Own> {
  const [own] = await tx<Own[]>`
    select name, invoice_name, tax_id, vat_id, country_code from organizations where id = ${tx.organizationId}`
  return own ?? refuse('not_found')
}

/** Seals the bank details of a bill with the key that seals now; their fingerprint follows. */
export async function resealDetails(tx: Tx, id: BillId): Promise<void> {
  const fields = fieldsIn(await lockBill(tx, id))
  const [fingerprint = null] = accountOf(tx, fields)
  await tx`
    update bills set sealed = ${sealedDetails(id, fields)}, fingerprint = decode(${fingerprint}, 'hex') where id = ${id}`
}

const sealedDetails = (id: BillId, fields: BillFields): Buffer | null => {
  const details = Object.fromEntries(BANK_DETAILS.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])))
  return namesAccount(fields) ? encryptForRow(id, { details }) : null
}

/** The fingerprints of the account that a bill names, if all of it is known and nothing is wrong with it. */
export function accountOf(tx: Tx, fields: BillFields): readonly string[] {
  const coordinates = coordinatesOf(fields)
  if (!coordinates || !namesAccount(fields) || accountFaults(fields).length > 0) return []
  const account = coordinatesIn({ ...coordinates, default: false })
  return fingerprintsOf(tx.organizationId, { type: 'bank', coordinates: account, payee_organization_id: null })
}

/** Evidence of another bill that may be the same, and of bank details that the supplier did not have: once for each. */
async function noteWhatStandsOut(tx: Tx, id: BillId, fingerprints: readonly string[]): Promise<void> {
  const duplicates = await findDuplicates(within(tx), id)
  const causes = duplicates.map(({ bill_id: other, reason }) => `duplicate:${reason}:${other}`)
  await recordOnce(tx, id, billEvents.duplicate_found, causes)
  await noteNewAccount(tx, id, fingerprints)
}

/** Whether the supplier did not have this account before; the bill says so, and the log has it as evidence. */
export async function noteNewAccount(tx: Tx, id: BillId, fingerprints: readonly string[]): Promise<boolean> {
  const differs = await isNewAccount(tx, id, fingerprints)
  await tx`update bills set bank_details_differ = ${differs} where id = ${id} and bank_details_differ <> ${differs}`
  if (differs) await recordOnce(tx, id, billEvents.bank_details_differ, [`account:${fingerprints[0]}`])
  return differs
}

type Comparison = (typeof billEvents)['duplicate_found' | 'bank_details_differ']

async function recordOnce(tx: Tx, id: BillId, found: Comparison, causes: readonly string[]): Promise<void> {
  if (causes.length === 0) return
  const rows = await tx<{ cause: string }[]>`
    select cause from events where subject_id = ${id} and type = ${found.type} and cause = any (${[...causes]})`
  const known = new Set(rows.map(({ cause }) => cause))
  for (const cause of causes.filter((one) => !known.has(one))) {
    await record(tx, found, { subjectId: id, cause, provider: 'comparison' })
  }
}

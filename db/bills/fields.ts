/** The fields of a bill at rest: the only writer of them. */
import { fingerprintsOf } from '../contacts/destination-encryption.ts'
import { record } from '../events.ts'
import { encryptForRow } from '../encryption.ts'
import { accountFaults, coordinatesOf, namesAccount } from '../model/bills/account.ts'
import type { Bill } from '../model/bills/bill.ts'
import { BANK_DETAILS, type BillField, type BillFields } from '../model/bills/fields.ts'
import type { Doubt } from '../model/bills/reader.ts'
import { keysOf, searchedText } from '../model/bills/likeness.ts'
import { coordinatesIn } from '../model/contacts/destination.ts'
import { refuse } from '../model/errors.ts'
import type { BillId, EventId, UserId } from '../model/ids.ts'
import { type Tx, sql } from '../sql.ts'
import { type BillRow, billColumns, fieldsOf, toBill } from './bills.ts'
import { findDuplicates, isNewAccount } from './duplicates.ts'
import { within } from '../sql.ts'

/** Which event brought the value of a field, and whether a person typed it. */
export type Origins = Readonly<Partial<Record<BillField, { readonly event: EventId; readonly typed?: true }>>>

/** A bill that nobody else changes until the transaction ends. */
export type LockedBill = {
  readonly bill: Bill
  readonly fields: BillFields
  readonly origins: Origins
  readonly tries: number
  readonly bankChangedBy: UserId | null
}

/** Locks a bill. Refuses `not_found`. */
export async function lockBill(tx: Tx, id: BillId): Promise<LockedBill> {
  const [row] = await tx<
    (BillRow & { origins: Origins; tries: number; bank_changed_by: UserId | null })[]
  >`select ${billColumns()}, origins, tries, bank_changed_by from bills where id = ${id} for no key update`
  if (!row) refuse('not_found')
  const { origins, tries, bank_changed_by: bankChangedBy, ...rest } = row
  const bill = toBill(rest)
  return { bill, fields: fieldsOf(bill), origins, tries, bankChangedBy }
}

/** What a bill is known to be. */
export type Known = {
  readonly fields: BillFields
  readonly origins: Origins
  readonly notPayable: Bill['not_payable']
  readonly doubts: readonly Doubt[]
  /** Who typed other bank details just now. */
  readonly bankChangedBy?: UserId
}

/**
 * Writes all fields of a bill, with what is derived from them, and says what stands out: a duplicate, a new account.
 */
export async function writeFields(
  tx: Tx,
  id: BillId,
  { fields, origins, notPayable, doubts, bankChangedBy }: Known,
): Promise<void> {
  const fingerprints = accountOf(tx, fields)
  const { tax_key: taxKey, name_key: nameKey, number_key: numberKey } = keysOf(fields)
  const changed = bankChangedBy ? sql`, bank_changed_by = ${bankChangedBy}, bank_changed_at = business_now()` : sql``
  await tx`
    update bills set amount = ${fields.amount ?? null}, currency = ${fields.currency ?? null},
      bill_number = ${fields.bill_number ?? null}, supplier_name = ${fields.supplier_name ?? null},
      supplier_tax_id = ${fields.supplier_tax_id ?? null}, payment_reference = ${fields.payment_reference ?? null},
      issue_date = ${fields.issue_date ?? null}, due_date = ${fields.due_date ?? null}, sealed = ${sealedDetails(id, fields)},
      fingerprint = decode(${fingerprints[0] ?? null}, 'hex'), not_payable = ${notPayable}, origins = ${sql.json(origins)}, doubts = ${sql.json(doubts)},
      tax_key = ${taxKey}, name_key = ${nameKey}, number_key = ${numberKey}, words = ${searchedText(fields)},
      updated_at = business_now() ${changed}
    where id = ${id}`
  await noteWhatStandsOut(tx, id, fingerprints)
}

/** Seals the bank details of a bill with the key that seals now; their fingerprint follows. */
export async function resealDetails(tx: Tx, id: BillId): Promise<void> {
  const { fields } = await lockBill(tx, id)
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
  for (const { bill_id: other, reason } of duplicates) {
    await recordOnce(tx, id, { type: 'bill.duplicate_found', cause: `duplicate:${reason}:${other}` })
  }
  await noteNewAccount(tx, id, fingerprints)
}

/** Whether the supplier did not have this account before; the bill says so, and the log has it as evidence. */
export async function noteNewAccount(tx: Tx, id: BillId, fingerprints: readonly string[]): Promise<boolean> {
  const differs = fingerprints.length > 0 && (await isNewAccount(tx, id, fingerprints))
  await tx`update bills set bank_details_differ = ${differs} where id = ${id} and bank_details_differ <> ${differs}`
  if (differs) await recordOnce(tx, id, { type: 'bill.bank_details_differ', cause: `account:${fingerprints[0]}` })
  return differs
}

async function recordOnce(tx: Tx, id: BillId, { type, cause }: { type: string; cause: string }): Promise<void> {
  const [known] = await tx`select id from events where subject_id = ${id} and cause = ${cause} and type = ${type}`
  if (!known) await record(tx, { stream: 'bills', subjectId: id, type, cause, provider: 'comparison' })
}

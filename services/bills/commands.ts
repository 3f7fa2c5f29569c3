import { randomUUID } from 'node:crypto'
import { newCause, record } from '../events.ts'
import { changeExternal, isExternalAlone, splitExternal, toExternalRow } from '../external.ts'
import { type StoredFile, claim as claimFile } from '../files/files.ts'
import type { Person } from '../../domain/people/actor.ts'
import { canonicalDetails, typingFaults } from '../../domain/bills/account.ts'
import type { BillChange, NewBill } from '../../domain/bills/bill.ts'
import { billEvents, billMoves } from '../../domain/bills/events.ts'
import {
  ADDRESS_FIELDS,
  BANK_DETAILS,
  TYPED_FIELDS,
  type BillFields,
  isAddressField,
  isBankDetail,
} from '../../domain/bills/fields.ts'
import { withPrecision } from '../../domain/bills/totals.ts'
import { errorsOf, refuseFaults } from '../../domain/destinations/check.ts'
import { mask } from '../../domain/destinations/destination.ts'
import { refuse } from '../../domain/errors.ts'
import { type ExternalChange, externalInEvent } from '../../domain/external.ts'
import { billFlow } from '../../domain/bills/flow.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { type BillId, type EventId, type FileId, type InboundMailId, type UserId, newId } from '../../domain/ids.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { leaveTurn } from '../../db/processes/turns.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { fieldsIn } from './bills.ts'
import { type KnownFields, type LockedBill, lockAllBills, lockBill, readLockable, writeFields } from './fields.ts'
import { leaveRun, requireLeft } from '../run-rows/leaving.ts'
import { deleteFindings } from './reading.ts'

/**
 * Creates a bill of a file, which its process reads, or of typed fields. Refuses `not_found` for a file that was not
 * uploaded for a bill.
 */
export async function createBill(tx: Tx, person: Person, id: BillId, wanted: NewBill): Promise<void> {
  const { external, own } = splitExternal(wanted)
  const { file_id: fileId, ...given } = own
  const typed = withPrecision({}, given)
  const file = fileId && (await claimFile(tx, { fileId, purpose: 'bill', ownerId: tx.organizationId }))
  const event = newId<'event'>()
  const known = addTyped({ fields: {}, origins: {}, notPayable: null, doubts: [] }, typed, event)
  await insertBill(tx, { id, file: file || null, created_by: person.userId, ...toExternalRow(external) })
  await record(tx, billEvents.created, {
    id: event,
    subjectId: id,
    cause: `request:${id}`,
    payload: {
      ...(file && fileInEvent(file)),
      ...payloadOf(typed),
      ...externalInEvent(external),
    },
  })
  await writeFields(tx, id, { ...known, bankTyped: BANK_DETAILS.some((name) => typed[name] != null) })
  if (file) wake(tx, billFlow, { ids: [id], why: 'created', status: 'extracting' })
}

type NewBillRow = {
  readonly id: BillId
  readonly file: StoredFile | null
  readonly created_by?: UserId
  readonly inbound_mail_id?: InboundMailId
  readonly sender_is_unknown?: boolean
} & Partial<ReturnType<typeof toExternalRow>>

async function insertBill(tx: Tx, { id, file, ...more }: NewBillRow): Promise<void> {
  const status = file ? 'extracting' : 'extracted'
  const row = { id, organization_id: tx.organizationId, status, file_id: file?.id ?? null, ...more }
  await tx`insert into bills ${tx({ ...row, file_sha256: file?.sha256 ?? null })}`
}

/** Names the file of a bill in its first event, with its hash, which the log then proves. */
const fileInEvent = ({ id, filename, sha256 }: Pick<StoredFile, 'id' | 'filename' | 'sha256'>) => ({
  file_id: id,
  filename,
  sha256,
})

/** A bill that a mail brings: nobody has prepared it. */
type MailedBill = {
  readonly id: BillId
  readonly fileId: FileId
  readonly mailId: InboundMailId
  /** True until a person accepts the sender: it is read, and not paid. */
  readonly isFromStranger: boolean
}

/** Creates a bill of the file of a mail, which its process reads. */
export async function createMailedBill(tx: Tx, { id, fileId, mailId, isFromStranger }: MailedBill): Promise<void> {
  const file = await claimFile(tx, { fileId, purpose: 'bill', ownerId: tx.organizationId })
  await insertBill(tx, { id, file, inbound_mail_id: mailId, sender_is_unknown: isFromStranger })
  const payload = { ...fileInEvent(file), inbound_mail_id: mailId }
  await record(tx, billEvents.created, { subjectId: id, cause: `mail:${mailId}:${file.id}`, payload })
  await writeFields(tx, id, { fields: {}, origins: {}, notPayable: null, doubts: [] })
  wake(tx, billFlow, { ids: [id], why: 'created', status: 'extracting' })
}

/** Lets bills be paid whose sender a person has accepted, by this mail or by another one. */
export async function trustBills(tx: Tx, ids: readonly BillId[]): Promise<void> {
  await lockAllBills(tx, ids) // in the order of all who lock several
  await tx`
    update bills set sender_is_unknown = false, updated_at = business_now()
    where id = any (${[...ids]}) and sender_is_unknown`
}

/**
 * Writes typed fields, which no reading overwrites. A bill in a run leaves it. Refuses `service_unavailable` for
 * unreadable bank details, and `bill_payment_in_progress` once its run is approved.
 */
export async function changeBill(tx: Tx, id: BillId, wanted: BillChange & ExternalChange): Promise<void> {
  const parts = splitExternal(wanted)
  const { external, own: change } = parts
  await noteBill(tx, id, external)
  if (isExternalAlone(parts)) return
  if (Object.keys(changesIn(await readLockable(tx, id), change).changed).length > 0) await leaveRun(tx, id)
  const { before, changed } = changesIn(await lockOpenBill(tx, id), change)
  if (Object.keys(changed).length === 0) return
  await requireLeft(tx, id)
  const cause = newCause()
  const event = newId<'event'>()
  const known = addTyped(before, changed, event)
  await record(tx, billEvents.updated, { id: event, subjectId: id, cause, payload: payloadOf(changed) })
  const touched = BANK_DETAILS.filter((name) => name in changed)
  if (touched.length > 0) {
    const payload = { fields: touched, before: endOf(before.fields), after: endOf(known.fields) }
    await record(tx, billEvents.bank_details_changed, { subjectId: id, cause, payload })
  }
  await writeFields(tx, id, { ...known, bankTyped: touched.length > 0 })
}

/** Changes external id and metadata in any state. */
async function noteBill(tx: Tx, id: BillId, change: ExternalChange): Promise<void> {
  const { changed, logged } = await changeExternal(tx, 'bills', id, change)
  if (changed.length === 0) return
  await record(tx, billEvents.updated, { subjectId: id, cause: newCause(), payload: { changed, ...logged } })
}

/** Compares a change with the fields of before, by what the row of a bill has. */
function changesIn(
  row: LockedBill,
  change: BillChange,
): { readonly before: KnownFields; readonly changed: BillChange } {
  const { origins, not_payable: notPayable, doubts } = row
  const before = { fields: fieldsIn(row), origins, notPayable, doubts }
  return { before, changed: changesOf(before, withPrecision(before.fields, change)) }
}

/** Locks a bill whose reading is under way or done. Refuses `invalid_state`. */
async function lockOpenBill(tx: Tx, id: BillId): Promise<LockedBill> {
  const locked = await lockBill(tx, id)
  const { status } = locked
  if (status !== 'extracting' && status !== 'extracted') {
    refuse('invalid_state', { current: status, allowed: eventsFrom(billFlow, status) })
  }
  return locked
}

/** Selects the fields that differ from before, in canonical form. */
function changesOf({ fields, notPayable, origins }: KnownFields, change: BillChange): BillChange {
  const written = canonical(change)
  const differs = TYPED_FIELDS.filter(
    (name) => written[name] !== undefined && ((written[name] ?? undefined) !== fields[name] || !origins[name]?.typed),
  )
  const { not_payable: said } = change
  const says = said !== undefined && (said !== notPayable || !origins.not_payable?.typed)
  return {
    ...Object.fromEntries(differs.map((name) => [name, written[name]])),
    ...(says && { not_payable: said }),
  }
}

const canonical = (change: BillChange): BillChange => ({ ...change, ...canonicalDetails(fieldsOf(change)) })

const fieldsOf = (change: BillChange): BillFields =>
  Object.fromEntries(TYPED_FIELDS.flatMap((name) => (change[name] == null ? [] : [[name, change[name]]])))

/** Adds typed fields to the known ones. Refuses `invalid_bank_details`, each by the name of its field. */
function addTyped(before: KnownFields, change: BillChange, event: EventId): KnownFields {
  const typed = TYPED_FIELDS.filter((name) => change[name] !== undefined)
  const isTyped = (name: string) => typed.some((one) => one === name)
  const kept = Object.entries(before.fields).filter(([name]) => !isTyped(name))
  const fields: BillFields = { ...Object.fromEntries(kept), ...fieldsOf(canonical(change)) }
  refuseFaults(errorsOf(typingFaults(fields, typed), ''))
  const { not_payable: notPayable = before.notPayable } = change
  const named = [...typed, ...(change.not_payable === undefined ? [] : ['not_payable'])]
  const origins = { ...before.origins, ...Object.fromEntries(named.map((name) => [name, { event, typed: true }])) }
  return { fields, origins, notPayable, doubts: before.doubts.filter((doubt) => !doubt.fields.some(isTyped)) }
}

/** Selects the payload of the log, which is kept for ever: bank details and the address only by name. */
const payloadOf = (typed: BillChange): Record<string, unknown> => {
  const names = BANK_DETAILS.filter((name) => typed[name] !== undefined)
  const address = ADDRESS_FIELDS.filter((name) => typed[name] !== undefined)
  const others = Object.entries(typed).filter(([name]) => !isBankDetail(name) && !isAddressField(name))
  return {
    ...Object.fromEntries(others),
    ...(names.length > 0 && { bank_details: names }),
    ...(address.length > 0 && { payee_address: address }),
  }
}

const endOf = ({ iban, account_number: number }: BillFields): string | null => {
  const account = iban ?? number
  return account ? mask(account) : null
}

/** Requests a new reading of the file; typed fields stay, a run is left. Refuses `file_not_uploaded` without a file. */
export async function requestExtraction(tx: Tx, id: BillId): Promise<void> {
  await leaveRun(tx, id)
  const bill = await lockOpenBill(tx, id)
  if (bill.file_id === null) refuse('file_not_uploaded')
  if (bill.status === 'extracting') return
  await requireLeft(tx, id)
  const set = sql`tries = 0, ask_at = null, asks = 0, ask_note = null, unclear_since = null, extraction_failed_at = null,
    extraction_error = null`
  await transition(tx, billMoves, id, { events: ['extract'], cause: `extraction:${randomUUID()}`, set })
}

/** Puts a bill away; a run is left. Refuses `bill_payment_in_progress` once its run is approved. */
export async function cancelBill(tx: Tx, id: BillId): Promise<void> {
  await leaveRun(tx, id)
  const { status } = await lockBill(tx, id)
  if (status === 'cancelled') return
  await requireLeft(tx, id)
  await transition(tx, billMoves, id, { events: ['cancel'], cause: `cancellation:${id}` })
  await deleteFindings(tx, id)
  await leaveTurn(tx, id)
}

/** What people do to bills: they hand them in, type what is known, have them read again, and put them away. */
import { randomUUID } from 'node:crypto'
import { newCause, record } from '../events.ts'
import { type StoredFile, claim as claimFile } from '../files/files.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import type { Person } from '../../domain/actor.ts'
import { canonicalDetails, typingFaults } from '../../domain/bills/account.ts'
import { withPrecision } from '../../domain/bills/totals.ts'
import type { BillChange, NewBill } from '../../domain/bills/bill.ts'
import { billEvents, billMoves } from '../../domain/bills/events.ts'
import { BANK_DETAILS, TYPED_FIELDS, type BillFields, isBankDetail } from '../../domain/bills/fields.ts'
import { errorsOf, refuseFaults } from '../../domain/contacts/check.ts'
import { mask } from '../../domain/contacts/destination.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flows/flow.ts'
import { billFlow } from '../../domain/flows/bill.ts'
import { type BillId, type EventId, newId } from '../../domain/ids.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import { type Tx, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { leaveTurn } from '../turns.ts'
import { wake } from '../wakes.ts'
import { fieldsIn } from './bills.ts'
import { type Known, type LockedBill, lockBill, writeFields } from './fields.ts'
import { deleteFindings } from './findings.ts'

/**
 * Makes a bill of a file, which its process reads, or of what a person knows; false if another request has the claim.
 * Refuses `not_found` for a file that was not sent for a bill, `file_not_uploaded`, `amount_precision`,
 * `amount_too_large`, and `invalid_bank_details`.
 */
export async function createBill(tx: Tx, person: Person, claim: Claim, wanted: NewBill): Promise<boolean> {
  await requirePermissionLocked(tx, person, 'bills.create')
  if (claim.keyed && !(await takeClaim(tx, claim))) return false
  const { file_id: fileId, ...given } = wanted
  const typed = withPrecision({}, given)
  const id: BillId = claim.id
  const file = fileId && (await claimFile(tx, { fileId, purpose: 'bill', ownerId: tx.organizationId }))
  const event = newId<'event'>()
  const known = typedInto({ fields: {}, origins: {}, notPayable: null, doubts: [] }, typed, event)
  await insertBill(tx, id, person, file)
  const cause = `request:${claim.id}`
  await record(tx, billEvents.created, {
    id: event,
    subjectId: id,
    cause,
    payload: { ...(file && { file_id: file.id, filename: file.filename }), ...loggedOf(typed) },
  })
  await writeFields(tx, id, { ...known, bankTyped: BANK_DETAILS.some((name) => typed[name] != null) })
  if (file) wake(tx, billFlow, { ids: [id], why: 'created', status: 'extracting' })
  return true
}

async function insertBill(tx: Tx, id: BillId, { userId }: Person, file: StoredFile | undefined): Promise<void> {
  await tx`
    insert into bills (id, organization_id, status, file_id, file_sha256, created_by)
    values (${id}, ${tx.organizationId}, ${file ? 'extracting' : 'extracted'}, ${file?.id ?? null},
      ${file?.sha256 ?? null}, ${userId})`
}

/**
 * Takes what a person typed, which no reading overwrites afterwards. Refuses `not_found`, `invalid_state` for a bill
 * whose payment is under way or that was put away, `service_unavailable` while its bank details do not open, and
 * what createBill() refuses of what is typed.
 */
export async function changeBill(tx: Tx, person: Person, id: BillId, change: BillChange): Promise<void> {
  const locked = await lockOpenBill(tx, person, id)
  const { origins, not_payable: notPayable, doubts } = locked
  const before = { fields: fieldsIn(locked), origins, notPayable, doubts }
  const changed = changesOf(before, withPrecision(before.fields, change))
  if (Object.keys(changed).length === 0) return
  const cause = newCause()
  const event = newId<'event'>()
  const known = typedInto(before, changed, event)
  await record(tx, billEvents.updated, {
    id: event,
    subjectId: id,
    cause,
    payload: loggedOf(changed),
  })
  const touched = BANK_DETAILS.filter((name) => name in changed)
  if (touched.length > 0) {
    const payload = { fields: touched, before: endOf(before.fields), after: endOf(known.fields) }
    await record(tx, billEvents.bank_details_changed, { subjectId: id, cause, payload })
  }
  await writeFields(tx, id, { ...known, bankTyped: touched.length > 0 })
}

/** Locks a bill that may be changed: it is being read, or was. */
async function lockOpenBill(tx: Tx, person: Person, id: BillId): Promise<LockedBill> {
  await requirePermissionLocked(tx, person, 'bills.update')
  const locked = await lockBill(tx, id)
  const { status } = locked
  if (status !== 'extracting' && status !== 'extracted') {
    refuse('invalid_state', { current: status, allowed: eventsFrom(billFlow, status) })
  }
  return locked
}

/** What is typed and is not there already, as it is kept. */
function changesOf({ fields, notPayable, origins }: Known, change: BillChange): BillChange {
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

/** Bank details without blanks and dashes. */
const canonical = (change: BillChange): BillChange => ({ ...change, ...canonicalDetails(given(change)) })

const given = (change: BillChange): BillFields =>
  Object.fromEntries(TYPED_FIELDS.flatMap((name) => (change[name] == null ? [] : [[name, change[name]]])))

/** What is known with what a person typed. Refuses `invalid_bank_details`, each by the name of its field. */
function typedInto(before: Known, change: BillChange, event: EventId): Known {
  const typed = TYPED_FIELDS.filter((name) => change[name] !== undefined)
  const kept = Object.entries(before.fields).filter(([name]) => !typed.some((one) => one === name))
  const fields: BillFields = { ...Object.fromEntries(kept), ...given(canonical(change)) }
  refuseFaults(errorsOf(typingFaults(fields, typed), ''))
  const told = [...typed, ...(change.not_payable === undefined ? [] : ['not_payable'])]
  const origins = { ...before.origins, ...Object.fromEntries(told.map((name) => [name, { event, typed: true }])) }
  return {
    fields,
    origins,
    notPayable: change.not_payable === undefined ? before.notPayable : change.not_payable,
    doubts: before.doubts.filter((doubt) => !typed.some((name) => doubt.fields.includes(name))),
  }
}

/** What the log says of fields: the names of bank details alone, since it is kept for ever. */
const loggedOf = (typed: BillChange): Record<string, unknown> => {
  const names = BANK_DETAILS.filter((name) => typed[name] !== undefined)
  const others = Object.entries(typed).filter(([name]) => !isBankDetail(name))
  return { ...Object.fromEntries(others), ...(names.length > 0 && { bank_details: names }) }
}

/** The end of the account, by which people tell it from another. */
const endOf = ({ iban, account_number: number }: BillFields): string | null => {
  const account = iban ?? number
  return account ? mask(account) : null
}

/**
 * Has the file of a bill read again, whatever a person typed left alone. Refuses `not_found`, `invalid_state`, and
 * `file_not_uploaded` for a bill without a file.
 */
export async function requestExtraction(tx: Tx, person: Person, id: BillId): Promise<void> {
  const bill = await lockOpenBill(tx, person, id)
  if (bill.file_id === null) refuse('file_not_uploaded')
  if (bill.status === 'extracting') return
  const set = sql`tries = 0, ask_at = null, asks = 0, ask_note = null, unclear_since = null, extraction_failed_at = null,
    extraction_error = null`
  await transition(tx, billMoves, id, { events: ['extract'], cause: `extraction:${randomUUID()}`, set })
}

/** Puts a bill away that nobody pays. Refuses `not_found`, and `invalid_state` while its payment is under way. */
export async function cancelBill(tx: Tx, person: Person, id: BillId): Promise<void> {
  await requirePermissionLocked(tx, person, 'bills.cancel')
  const { status } = await lockBill(tx, id)
  if (status === 'cancelled') return
  await transition(tx, billMoves, id, { events: ['cancel'], cause: `cancellation:${id}` })
  await deleteFindings(tx, id)
  await leaveTurn(tx, id)
}

/** Steps of the run of a bill: merge the findings where no person has typed, or give up. */
import { encryptForRow } from '../../platform/encryption.ts'
import { record } from '../events.ts'
import { billEvents, billMoves } from '../../domain/bills/events.ts'
import {
  ADDRESS_FIELDS,
  BANK_DETAILS,
  BILL_FIELDS,
  type BillField,
  isAddressField,
  isBankDetail,
} from '../../domain/bills/fields.ts'
import { type MergeResult, mergeReadings } from '../../documents/bills/merged.ts'
import { isEqualName, isSameName } from '../../domain/bills/likeness.ts'
import type { Reading } from '../../domain/bills/reader.ts'
import { isOwnTaxId } from '../../domain/tax-id-keys.ts'
import { doubt } from '../../documents/bills/verified.ts'
import { type BillId, type EventId, type UserId, newId } from '../../domain/ids.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { fieldsIn, openDetails } from './bills.ts'
import { type KnownFields, type LockedBill, findOwn, lockBill, writeFields } from './fields.ts'
import { deleteFindings, discardFindings, openFindings } from './reading.ts'

/** Merges the findings, the surest reading first. Findings that do not open are read again. */
export async function mergeBill(tx: Tx, id: BillId): Promise<void> {
  const locked = await lockBill(tx, id)
  if (locked.status !== 'extracting') return
  const findings = await openFindings(tx, id)
  if (!findings || findings.asksModel) return
  if (openDetails(id, locked.sealed) === null) return discardFindings(tx, id)
  const { readings } = findings
  const cause = `reading:${newId()}`
  const found = readings.map((reading) => ({ reading, event: newId<'event'>() }))
  for (const one of found.toReversed()) await keepReading(tx, locked, cause, one)
  const known = withRead(locked, found, withoutPayer(mergeReadings(readings), await findOwn(tx)))
  const payload = { fields: BILL_FIELDS.filter((name) => known.origins[name] && !known.origins[name]?.typed) }
  const set = sql`line_items = ${sql.json(known.lineItems)}`
  await transition(tx, billMoves, id, { events: ['read'], cause, payload, set })
  await writeFields(tx, id, known)
  await deleteFindings(tx, id)
}

/** Discards findings that cannot be merged, so that the file is read again. */
export async function discardUnmerged(tx: Tx, id: BillId): Promise<void> {
  const { status } = await lockBill(tx, id)
  const found = await tx`select from bill_findings where bill_id = ${id} and not asks_model`
  if (status === 'extracting' && found.length > 0) await discardFindings(tx, id)
}

/** Gives up a bill whose file cannot be read: people type its fields. */
export async function giveUpBill(tx: Tx, id: BillId): Promise<void> {
  await lockBill(tx, id)
  const [row] = await tx<{ unreadable: string; tries: number }[]>`
    select unreadable, tries from bills where id = ${id} and status = 'extracting' and unreadable is not null`
  if (!row) return
  const { unreadable: why, tries } = row
  await transition(tx, billMoves, id, {
    events: ['give_up'],
    cause: `tries:${id}:${tries}:${newId()}`,
    set: sql`extraction_failed_at = business_now(), extraction_error = ${why}, unreadable = null`,
    payload: { reason: why },
  })
}

/**
 * Leaves out the organization's tax id and name that a page has for its supplier's: they are the payer's, unless both
 * are there.
 */
function withoutPayer(read: MergeResult, own: Awaited<ReturnType<typeof findOwn>>): MergeResult {
  const valueOf = (wanted: BillField) => read.fields.find(({ field }) => field === wanted)
  const taxId = valueOf('supplier_tax_id')
  const supplier = valueOf('supplier_name')
  const isOwn = [own.name, own.invoice_name].some((name) => name && supplier?.value && isSameName(name, supplier.value))
  const hasOwnId = taxId !== undefined && isOwnTaxId(taxId.value, own)
  // with the organization's tax id beside its name it is the organization's own bill
  if (isOwn && hasOwnId) return read
  const isPayers = [own.name, own.invoice_name].some(
    (name) => name && supplier && supplier.confidence !== 1 && isEqualName(name, supplier.value),
  )
  const strange = [
    ...(taxId && taxId.confidence !== 1 && hasOwnId ? [taxId] : []),
    ...(supplier && isPayers ? [supplier] : []),
  ]
  if (strange.length === 0) return read
  const left: readonly BillField[] = [...strange.map(({ field }) => field), ...(isPayers ? ADDRESS_FIELDS : [])]
  return {
    ...read,
    fields: read.fields.filter(({ field }) => !left.includes(field)),
    doubts: [...read.doubts, ...strange.map(({ field }) => doubt('unconfirmed', [field]))],
  }
}

type StoredReading = { readonly reading: Reading; readonly event: EventId }

/** Stores the fields of one reading, for people who may read bills; the log has only the fact. */
async function keepReading(tx: Tx, bill: LockedBill, cause: string, { reading, event }: StoredReading): Promise<void> {
  const { method, fields } = reading
  const { id, created_by_id: creator } = bill
  await record(tx, billEvents.read, {
    id: event,
    subjectId: id,
    cause: `${cause}:${method}`,
    provider: method,
    ...(creator && method.startsWith('model:') && { modelFor: creator as UserId }), // it reads for the creator of the bill
  })
  await tx`
    insert into bill_readings (id, organization_id, bill_id, method, sealed)
    values (${event}, ${tx.organizationId}, ${id}, ${method}, ${encryptForRow(event, { fields })})`
}

/**
 * Adds the read fields; typed ones stay. One typed bank detail keeps all, so that no account is mixed of two; likewise
 * one typed part of an address.
 */
function withRead(
  locked: LockedBill,
  found: readonly StoredReading[],
  read: MergeResult,
): KnownFields & Pick<MergeResult, 'lineItems'> {
  const { origins } = locked
  const fields = fieldsIn(locked)
  const isTyped = (name: BillField): boolean => origins[name]?.typed === true
  const typedBank = BANK_DETAILS.some(isTyped)
  const typedAddress = ADDRESS_FIELDS.some(isTyped)
  const stays = (name: BillField): boolean =>
    isBankDetail(name) ? typedBank : isAddressField(name) ? typedAddress : isTyped(name)
  const eventOf = (method: string) => found.find(({ reading }) => reading.method === method)?.event
  const taken = read.fields.filter(({ field }) => !stays(field))
  const kept = BILL_FIELDS.filter(stays)
  const { not_payable: said } = origins
  return {
    fields: {
      ...Object.fromEntries(kept.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))),
      ...Object.fromEntries(taken.map(({ field, value }) => [field, value])),
    },
    origins: {
      ...Object.fromEntries(kept.flatMap((name) => (origins[name] ? [[name, origins[name]]] : []))),
      ...(said && { not_payable: said }),
      ...Object.fromEntries(taken.map(({ field, method }) => [field, { event: eventOf(method) }])),
    },
    notPayable: said ? locked.not_payable : read.notPayable,
    lineItems: read.lineItems,
    doubts: read.doubts.filter((doubt) => !doubt.fields.some(stays)),
  }
}

/** The reading of a bill's file: tried three times, and what it brings taken over where no person has typed. */
import { askAgain } from '../asking.ts'
import { config } from '../../platform/config.ts'
import { encryptForRow } from '../../platform/encryption.ts'
import { record } from '../events.ts'
import { type StoredFile, claim } from '../files/files.ts'
import { billEvents, billMoves } from '../../domain/bills/events.ts'
import { BANK_DETAILS, BILL_FIELDS, type BillField, isBankDetail } from '../../domain/bills/fields.ts'
import { type Merged, isSameName, merged } from '../../domain/bills/merged.ts'
import type { Reading } from '../../domain/bills/reader.ts'
import { isOwnTaxId } from '../../domain/bills/tax-ids.ts'
import { doubt } from '../../domain/bills/verified.ts'
import { billFlow } from '../../domain/flows/bill.ts'
import { type BillId, type EventId, type FileId, type OrganizationId, type UserId, newId } from '../../domain/ids.ts'
import { type Tx, asSystem, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { wake } from '../wakes.ts'
import { fieldsIn } from './bills.ts'
import { type Known, type LockedBill, findOwn, lockBill, writeFields } from './fields.ts'

/** A reading that was begun so often and has brought nothing is given up. */
const TRIES_MAX = 3
const UNREAD = 'The file could not be read.'

/** A try that has begun: a later one makes it useless. */
export type Try = { readonly id: BillId; readonly number: number; readonly file: StoredFile }

/** Begins a try; null if there is nothing to read any more, or too many have ended nowhere. */
export const beginReading = (organizationId: OrganizationId, id: BillId): Promise<Try | null> =>
  asSystem(organizationId, async (tx) => {
    const [row] = await tx<{ tries: number; file_id: FileId }[]>`
      update bills set tries = tries + 1, updated_at = business_now()
      where id = ${id} and status = 'extracting' returning tries, file_id`
    if (!row) return null
    if (row.tries > TRIES_MAX) {
      await giveUp(tx, { id, number: row.tries }, UNREAD)
      return null
    }
    const file = await claim(tx, { fileId: row.file_id, purpose: 'bill', ownerId: organizationId })
    return { id, number: row.tries, file }
  })

/** Locks the bill of a try; undefined if another try has begun, or the bill is not read any more. */
async function lockTry(tx: Tx, { id, number }: Try): Promise<LockedBill | undefined> {
  const bill = await lockBill(tx, id)
  return bill.status === 'extracting' && bill.tries === number ? bill : undefined
}

/** Takes over what was read, the surest reading first; nothing if another try has begun. */
export const takeOver = (organizationId: OrganizationId, begun: Try, readings: readonly Reading[]) =>
  asSystem(organizationId, async (tx) => {
    const locked = await lockTry(tx, begun)
    if (!locked) return
    const { id } = begun
    const cause = `reading:${newId()}`
    const found = readings.map((reading) => ({ reading, event: newId<'event'>() }))
    for (const one of found.toReversed()) await keepReading(tx, locked, cause, one)
    const read = withoutPayer(merged(readings), await findOwn(tx))
    const known = withRead(locked, found, read)
    const payload = { fields: BILL_FIELDS.filter((name) => known.origins[name] && !known.origins[name]?.typed) }
    const set = sql`line_items = ${sql.json(known.lineItems)}`
    await transition(tx, billMoves, id, { events: ['read'], cause, payload, set })
    await writeFields(tx, id, known)
  })

/**
 * Leaves out a tax id of the organization that a page names: it is the payer's, unless the supplier is called as the
 * organization is.
 */
function withoutPayer(read: Merged, own: Awaited<ReturnType<typeof findOwn>>): Merged {
  const valueOf = (wanted: BillField) => read.fields.find(({ field }) => field === wanted)
  const taxId = valueOf('supplier_tax_id')
  const supplier = valueOf('supplier_name')?.value
  const isOwn = [own.name, own.invoice_name].some((name) => name && supplier && isSameName(name, supplier))
  if (!taxId || taxId.confidence === 1 || isOwn || !isOwnTaxId(taxId.value, own)) return read
  return {
    ...read,
    fields: read.fields.filter((field) => field !== taxId),
    doubts: [...read.doubts, doubt('unconfirmed', ['supplier_tax_id'])],
  }
}

type Found = { readonly reading: Reading; readonly event: EventId }

/** A language model reads for who handed the bill in. */
const isOfModel = (method: string): boolean => method.startsWith('model:')

/** The evidence of one reading: who may read bills sees what it found, and the log that it was there. */
async function keepReading(tx: Tx, bill: LockedBill, cause: string, { reading, event }: Found): Promise<void> {
  const { method, fields } = reading
  const { id, created_by_id: creator } = bill
  await record(tx, billEvents.read, {
    id: event,
    subjectId: id,
    cause: `${cause}:${method}`,
    provider: method,
    ...(isOfModel(method) && { modelFor: creator as UserId }), // as the row has it
  })
  await tx`
    insert into bill_readings (id, organization_id, bill_id, method, sealed)
    values (${event}, ${tx.organizationId}, ${id}, ${method}, ${encryptForRow(event, { fields })})`
}

/**
 * What is known of a bill with what was read. What a person typed stays, and with one bank detail all of them: no
 * account is made up of two.
 */
function withRead(locked: LockedBill, found: readonly Found[], read: Merged): Known & Pick<Merged, 'lineItems'> {
  const { origins } = locked
  const fields = fieldsIn(locked)
  const isTyped = (name: BillField): boolean => origins[name]?.typed === true
  const typedBank = BANK_DETAILS.some(isTyped)
  const stays = (name: BillField): boolean => (isBankDetail(name) ? typedBank : isTyped(name))
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

/** The file cannot be read, for a reason that a person may hear. Nothing if another try has begun. */
export const noteUnreadable = (organizationId: OrganizationId, begun: Try, why: string): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (await lockTry(tx, begun)) await giveUp(tx, begun, why)
  })

/** The try brought nothing: another one follows after a pause that doubles, or the reading is given up. */
export const noteFailedReading = (organizationId: OrganizationId, begun: Try): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (!(await lockTry(tx, begun))) return
    const { id, number } = begun
    if (number >= TRIES_MAX) return giveUp(tx, begun, UNREAD)
    await tx`${askAgain('bills', config.partnerPollSeconds, 'not read')} where id = ${id}`
    wake(tx, billFlow, { ids: [id], why: 'tried' })
  })

const giveUp = (tx: Tx, { id, number }: Pick<Try, 'id' | 'number'>, why: string): Promise<void> =>
  transition(tx, billMoves, id, {
    events: ['give_up'],
    cause: `tries:${id}:${number}:${newId()}`,
    set: sql`extraction_failed_at = business_now(), extraction_error = ${why}`,
    payload: { reason: why },
  })

/** Tries of reading a bill's file, and of asking a language model: three of each, after pauses that double. */
import { askAgain } from '../asking.ts'
import { config } from '../../platform/config.ts'
import { type StoredFile, claim } from '../files/files.ts'
import type { Opened, Reading } from '../../domain/bills/reader.ts'
import { billFlow } from '../../domain/flows/bill.ts'
import type { BillId, FileId, OrganizationId } from '../../domain/ids.ts'
import { type Tx, asSystem } from '../sql.ts'
import { wake } from '../wakes.ts'
import { type LockedBill, lockBill } from './fields.ts'
import { type Findings, completeFindings, insertFindings, noteAway, openFindings, readAgain } from './findings.ts'

/** A reading that was begun so often and has brought nothing is given up. */
const TRIES_MAX = 3
const UNREAD = 'The file could not be read.'

/** A try that has begun: a later one makes it useless. */
export type Try = { readonly id: BillId; readonly number: number; readonly file: StoredFile }

/** Begins a try; null if the file is read, or is not to be read any more, or too many tries have ended nowhere. */
export const beginReading = (organizationId: OrganizationId, id: BillId): Promise<Try | null> =>
  asSystem(organizationId, async (tx) => {
    const [row] = await tx<{ tries: number; file_id: FileId }[]>`
      update bills b set tries = tries + 1, updated_at = business_now()
      where b.id = ${id} and b.status = 'extracting' and b.unreadable is null
        and not exists (select from bill_findings f where f.bill_id = b.id) returning tries, file_id`
    if (!row) return null
    if (row.tries > TRIES_MAX) {
      await giveUpLater(tx, id, UNREAD)
      return null
    }
    const file = await claim(tx, { fileId: row.file_id, purpose: 'bill', ownerId: organizationId })
    return { id, number: row.tries, file }
  })

/** Locks the bill of a try; undefined if it has brought something, another one has begun, or the bill is not read. */
async function lockTry(tx: Tx, { id, number }: Try): Promise<LockedBill | undefined> {
  const bill = await lockBill(tx, id)
  const found = await tx`select from bill_findings where bill_id = ${id}`
  return bill.status === 'extracting' && bill.tries === number && found.length === 0 ? bill : undefined
}

/** Keeps what a try found, until it is merged; nothing if another try has begun. */
export const recordFindings = (
  organizationId: OrganizationId,
  begun: Try,
  { asksModel, ...found }: Opened & { readonly asksModel: boolean },
): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (!(await lockTry(tx, begun))) return
    const { id } = begun
    await insertFindings(tx, id, found, asksModel)
    await tx`update bills set ask_at = null, asks = 0, ask_note = null, unclear_since = null where id = ${id}`
    wake(tx, billFlow, { ids: [id], why: 'read' })
  })

/** Notes that the file cannot be read, for a reason that a person may hear. Nothing if another try has begun. */
export const noteUnreadable = (organizationId: OrganizationId, begun: Try, why: string): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (await lockTry(tx, begun)) await giveUpLater(tx, begun.id, why)
  })

/** Notes that a try brought nothing: another one follows, or the reading is given up. */
export const noteFailedReading = (organizationId: OrganizationId, begun: Try): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (!(await lockTry(tx, begun))) return
    const { id, number } = begun
    if (number >= TRIES_MAX) await giveUpLater(tx, id, UNREAD)
    else await readAgain(tx, id)
  })

/** Leaves it to the next step to give the reading up. */
async function giveUpLater(tx: Tx, id: BillId, why: string): Promise<void> {
  await tx`update bills set unreadable = ${why} where id = ${id}`
  wake(tx, billFlow, { ids: [id], why: 'unreadable' })
}

/** Opens what a language model is to be asked about; null if it is not to be asked any more. */
export const findModelQuestion = (organizationId: OrganizationId, id: BillId): Promise<Findings | null> =>
  asSystem(organizationId, async (tx) => {
    const { status } = await lockBill(tx, id)
    if (status !== 'extracting') return null
    const found = await openFindings(tx, id)
    return found?.asksModel ? found : null
  })

/** Adds the reading of the language model, if it has one, to the findings that it was asked about. */
export const recordModelReading = (
  organizationId: OrganizationId,
  id: BillId,
  { asked, reading }: { readonly asked: Findings; readonly reading: Reading | null },
): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (!(await isStillAsked(tx, id, asked))) return
    await completeFindings(tx, { id: asked.id, readings: reading ? [...asked.readings, reading] : asked.readings })
    wake(tx, billFlow, { ids: [id], why: 'model_answered' })
  })

/** Notes that the language model is away: it is asked again after a pause, or the bill is read without it. */
export const noteModelAway = (organizationId: OrganizationId, id: BillId, asked: Findings): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (!(await isStillAsked(tx, id, asked))) return
    await noteAway(tx, asked, asked.timesAway + 1 < TRIES_MAX)
    await tx`${askAgain('bills', config.partnerPollSeconds, 'the language model is away')} where id = ${id}`
    wake(tx, billFlow, { ids: [id], why: 'model_away' })
  })

/** Locks the bill, and tells whether its findings are those that the model was asked about. */
async function isStillAsked(tx: Tx, id: BillId, asked: Findings): Promise<boolean> {
  await lockBill(tx, id)
  const found = await tx`
    select from bill_findings where id = ${asked.id} and asks_model and times_away = ${asked.timesAway}`
  return found.length === 1
}

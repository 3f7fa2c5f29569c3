/** Reading of a bill's file, and of a language model's answer: tries, and their findings until they are merged. */
import { randomUUID } from 'node:crypto'
import { config } from '../../platform/config.ts'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { log } from '../../platform/log.ts'
import type { OpenDocument, Reading } from '../../domain/bills/reader.ts'
import { billFlow } from '../../domain/bills/flow.ts'
import type { BillId, FileId, OrganizationId } from '../../domain/ids.ts'
import { askAgain } from '../../db/processes/asking.ts'
import { type StoredFile, claim } from '../files/files.ts'
import { type Tx, asSystem } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { type LockedBill, lockBill } from './fields.ts'

/** Most tries to read a file, and to ask the language model. */
const TRIES_MAX = 3
const UNREAD = 'The file could not be read.'

/** Try that has begun; a later one makes it void. */
export type Try = {
  readonly id: BillId
  readonly number: number
  readonly file: StoredFile
  readonly isFromStranger: boolean
}

/** Findings in a file until they are merged; encrypted, since strangers wrote them. */
export type Findings = OpenDocument & {
  readonly id: string
  /** True if a language model has to be asked for missing fields. */
  readonly asksModel: boolean
  readonly timesAway: number
}

/** Begins a try; null if the file is read, needs no reading any more, or the tries are used up. */
export const beginReading = (organizationId: OrganizationId, id: BillId): Promise<Try | null> =>
  asSystem(organizationId, async (tx) => {
    const [row] = await tx<{ tries: number; file_id: FileId; sender_is_unknown: boolean }[]>`
      update bills b set tries = tries + 1, updated_at = business_now()
      where b.id = ${id} and b.status = 'extracting' and b.unreadable is null
        and not exists (select from bill_findings f where f.bill_id = b.id) returning tries, file_id, sender_is_unknown`
    if (!row) return null
    if (row.tries > TRIES_MAX) {
      await giveUpLater(tx, id, UNREAD)
      return null
    }
    const file = await claim(tx, { fileId: row.file_id, purpose: 'bill', ownerId: organizationId })
    return { id, number: row.tries, file, isFromStranger: row.sender_is_unknown }
  })

/** Locks the bill of a try; undefined if it has findings, another try has begun, or the bill is not read any more. */
async function lockTry(tx: Tx, { id, number }: Try): Promise<LockedBill | undefined> {
  const bill = await lockBill(tx, id)
  const found = await tx`select from bill_findings where bill_id = ${id}`
  return bill.status === 'extracting' && bill.tries === number && found.length === 0 ? bill : undefined
}

/** Stores the findings of a try until they are merged, unless another try has begun. */
export const recordFindings = (
  organizationId: OrganizationId,
  begun: Try,
  { asksModel, ...found }: OpenDocument & { readonly asksModel: boolean },
): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (!(await lockTry(tx, begun))) return
    const { id: billId } = begun
    const id = randomUUID()
    await tx`
      insert into bill_findings (id, organization_id, bill_id, asks_model, sealed)
      values (${id}, ${organizationId}, ${billId}, ${asksModel}, ${sealFindings(id, found)})`
    await tx`update bills set ask_at = null, asks = 0, ask_note = null, unclear_since = null where id = ${billId}`
    wake(tx, billFlow, { ids: [billId], why: 'read' })
  })

/** Records why the file cannot be read, unless another try has begun. */
export const noteUnreadable = (organizationId: OrganizationId, begun: Try, why: string): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (await lockTry(tx, begun)) await giveUpLater(tx, begun.id, why)
  })

/** Schedules another try after a failed one, or marks the file as unreadable after the last. */
export const noteFailedReading = (organizationId: OrganizationId, begun: Try): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (!(await lockTry(tx, begun))) return
    const { id, number } = begun
    if (number >= TRIES_MAX) await giveUpLater(tx, id, UNREAD)
    else await scheduleReading(tx, id, 'not read', 'tried')
  })

/** Marks the file as unreadable: the next step of the run gives it up. */
async function giveUpLater(tx: Tx, id: BillId, why: string): Promise<void> {
  await tx`update bills set unreadable = ${why} where id = ${id}`
  wake(tx, billFlow, { ids: [id], why: 'unreadable' })
}

async function scheduleReading(tx: Tx, id: BillId, note: string, why: string): Promise<void> {
  await tx`${askAgain('bills', config.partnerPollSeconds, note)} where id = ${id}`
  wake(tx, billFlow, { ids: [id], why })
}

/** Opens the findings to ask a language model about; null if it must not be asked any more. */
export const findModelQuestion = (organizationId: OrganizationId, id: BillId): Promise<Findings | null> =>
  asSystem(organizationId, async (tx) => {
    const { status } = await lockBill(tx, id)
    const found = status === 'extracting' ? await openFindings(tx, id) : null
    return found?.asksModel ? found : null
  })

/** Adds the answer of the language model, if it has one, to the findings. Drops the pages, not needed any more. */
export const recordModelReading = (
  organizationId: OrganizationId,
  id: BillId,
  { asked, reading }: { readonly asked: Findings; readonly reading: Reading | null },
): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (!(await isStillAsked(tx, id, asked))) return
    const readings = reading ? [...asked.readings, reading] : asked.readings
    const sealed = sealFindings(asked.id, { readings, pages: [] })
    await tx`update bill_findings set asks_model = false, sealed = ${sealed} where id = ${asked.id}`
    wake(tx, billFlow, { ids: [id], why: 'model_answered' })
  })

/** Schedules another question to an unavailable model; after the last try the bill is read without it. */
export const noteModelAway = (organizationId: OrganizationId, id: BillId, asked: Findings): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    if (!(await isStillAsked(tx, id, asked))) return
    const asksModel = asked.timesAway + 1 < TRIES_MAX
    await tx`update bill_findings set times_away = times_away + 1, asks_model = ${asksModel} where id = ${asked.id}`
    await scheduleReading(tx, id, 'the language model is away', 'model_away')
  })

/** Locks the bill, and tells if its findings are still those that the model was asked about. */
async function isStillAsked(tx: Tx, id: BillId, asked: Findings): Promise<boolean> {
  await lockBill(tx, id)
  const found = await tx`
    select from bill_findings where id = ${asked.id} and asks_model and times_away = ${asked.timesAway}`
  return found.length === 1
}

/** Opens the findings of a bill; null if there are none. If they do not open, the file is read again. */
export async function openFindings(tx: Tx, billId: BillId): Promise<Findings | null> {
  const [row] = await tx<{ id: string; asks_model: boolean; times_away: number; sealed: Buffer }[]>`
    select id, asks_model, times_away, sealed from bill_findings where bill_id = ${billId}`
  if (!row) return null
  try {
    const found = decryptForRow(row.id, row.sealed) as OpenDocument // as sealFindings() seals
    return { ...found, id: row.id, asksModel: row.asks_model, timesAway: row.times_away }
  } catch (error) {
    log.error({ err: error, bill_id: billId }, 'findings of a bill could not be decrypted')
    await discardFindings(tx, billId)
    return null
  }
}

const sealFindings = (id: string, { readings, pages }: OpenDocument): Buffer => encryptForRow(id, { readings, pages })

/** Deletes the findings of a bill, and schedules another reading of its file. */
export async function discardFindings(tx: Tx, billId: BillId): Promise<void> {
  await deleteFindings(tx, billId)
  await scheduleReading(tx, billId, 'not read', 'tried')
}

export async function deleteFindings(tx: Tx, billId: BillId): Promise<void> {
  await tx`delete from bill_findings where bill_id = ${billId}`
}

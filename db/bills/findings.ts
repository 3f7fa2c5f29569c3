/** Findings of a bill: what was read of its file, until it is merged. Strangers wrote it: it is sealed. */
import { randomUUID } from 'node:crypto'
import type { Opened } from '../../domain/bills/reader.ts'
import { billFlow } from '../../domain/flows/bill.ts'
import type { BillId } from '../../domain/ids.ts'
import { config } from '../../platform/config.ts'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { log } from '../../platform/log.ts'
import { askAgain } from '../asking.ts'
import type { Tx } from '../sql.ts'
import { wake } from '../wakes.ts'

export type Findings = Opened & {
  readonly id: string
  /** A language model is to be asked for what is missing. */
  readonly asksModel: boolean
  /** How often it was away. */
  readonly timesAway: number
}

/** Stores what was read of a bill, in place of what an earlier try found. */
export async function insertFindings(tx: Tx, billId: BillId, found: Opened, asksModel: boolean): Promise<void> {
  await deleteFindings(tx, billId)
  const id = randomUUID()
  await tx`
    insert into bill_findings (id, organization_id, bill_id, asks_model, sealed)
    values (${id}, ${tx.organizationId}, ${billId}, ${asksModel}, ${sealedOf(id, found)})`
}

/** Opens what was read of a bill; null if there is nothing. If it does not open, the file is read again. */
export async function openFindings(tx: Tx, billId: BillId): Promise<Findings | null> {
  const [row] = await tx<{ id: string; asks_model: boolean; times_away: number; sealed: Buffer }[]>`
    select id, asks_model, times_away, sealed from bill_findings where bill_id = ${billId}`
  if (!row) return null
  try {
    const found = decryptForRow(row.id, row.sealed) as Opened // as insertFindings() seals
    return { ...found, id: row.id, asksModel: row.asks_model, timesAway: row.times_away }
  } catch (error) {
    log.error({ err: error, bill_id: billId }, 'what was read of a bill does not open')
    await discardFindings(tx, billId)
    return null
  }
}

/** Deletes what was read of a bill, and has its file read again. */
export async function discardFindings(tx: Tx, billId: BillId): Promise<void> {
  await deleteFindings(tx, billId)
  await readAgain(tx, billId)
}

/** Has the file of a bill read again, after a pause that doubles. */
export async function readAgain(tx: Tx, billId: BillId): Promise<void> {
  await tx`${askAgain('bills', config.partnerPollSeconds, 'not read')} where id = ${billId}`
  wake(tx, billFlow, { ids: [billId], why: 'tried' })
}

/** Replaces what was found by what there is with the answer of the language model, which needs the pages no longer. */
export async function completeFindings(tx: Tx, { id, readings }: Pick<Findings, 'id' | 'readings'>): Promise<void> {
  await tx`
    update bill_findings set asks_model = false, sealed = ${sealedOf(id, { readings, pages: [] })} where id = ${id}`
}

/** Notes that the language model was away, and whether it is asked again. */
export async function noteAway(tx: Tx, { id }: Pick<Findings, 'id'>, isAskedAgain: boolean): Promise<void> {
  await tx`update bill_findings set times_away = times_away + 1, asks_model = ${isAskedAgain} where id = ${id}`
}

/** Deletes what was read of a bill that was merged, given up or put away. */
export async function deleteFindings(tx: Tx, billId: BillId): Promise<void> {
  await tx`delete from bill_findings where bill_id = ${billId}`
}

const sealedOf = (id: string, { readings, pages }: Opened): Buffer => encryptForRow(id, { readings, pages })

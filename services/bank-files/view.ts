/** View of a file: what its run decides by. */
import { type BankFileStatus, bankFileFlow } from '../../domain/bank-files/flow.ts'
import { ENDED } from '../../domain/bank-files/payment-status.ts'
import { isDriven } from '../../domain/flow.ts'
import type { BankFileId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { type AtRest, type ProcessRef, type Standing, sayState } from '../../domain/process.ts'
import { type Fragment, type Rows, sql } from '../../db/postgres/sql.ts'

type Facts = {
  readonly connection: ConnectionName
  /** Its time has come. */
  readonly due: boolean
  /** The bank's files were read since it began: what the bank already knows of is not sent again. */
  readonly folder_read: boolean
  /** It waits for no schedule: the folder is listed for it. */
  readonly urgent: boolean
  /** Each of its payments has ended. */
  readonly all_ended: boolean
}

/** Builds the condition: the folder of the bank was listed after the file `f` began, and all that was there is read. */
export const isFolderRead = (f: Fragment): Fragment => sql`(
  exists (select from bank_folders d where d.connection = ${f}.connection and d.listed_at >= ${f}.inserted_at)
  and not exists (select from bank_files i where i.connection = ${f}.connection and i.status = 'fetched'))`

/** Builds the condition: each payment of the file `f` has ended, those too that the outbox has forgotten. */
export const hasEnded = (f: Fragment): Fragment => sql`(
  not exists (select from bank_payments p where p.file_id = ${f}.id and p.status <> all (${[...ENDED]}::text[]))
  and not exists (select from bank_reported_payments r where r.file_id = ${f}.id and r.status <> all (${[...ENDED]}::text[])
    and not exists (select from bank_payments p
      where p.connection = r.connection and p.end_to_end_id = r.end_to_end_id)))`

export async function viewBankFile(
  rows: Rows,
  { id }: ProcessRef<BankFileId>,
): Promise<(Standing<BankFileStatus> & Facts) | AtRest | undefined> {
  const [row] = await rows<Facts & { status: BankFileStatus; due_at: string | null }>(sql`
    select f.status, f.connection, f.due_at, coalesce(f.due_at <= business_now(), false) as due,
      f.status = 'collecting' and ${isFolderRead(sql`f`)} as folder_read,
      f.status = 'collecting' and f.scheme = 'sepa_instant' as urgent,
      f.status in ('uploaded', 'acknowledged', 'on_hold') and ${hasEnded(sql`f`)} as all_ended
    from bank_files f where f.id = ${id}`)
  if (!row) return undefined
  const { status, due_at: dueAt, ...facts } = row
  if (!isDriven(bankFileFlow, status)) return { at_rest: true, status, says: sayState('file', status) }
  const isWritten = status === 'written' || status === 'fetched'
  const isDue =
    isWritten || facts.all_ended || (facts.due && (status === 'uploaded' || facts.folder_read || facts.urgent))
  const waits = (status === 'collecting' || status === 'uploaded') && !facts.due
  return {
    at_rest: false,
    status,
    ...facts,
    step_due: isDue,
    look_at: waits ? dueAt : null,
    says: sayOf(status, dueAt),
  }
}

function sayOf(status: BankFileStatus, dueAt: string | null): string {
  if (status === 'collecting' && dueAt) return `Collects payments, and is written at ${minuteOf(dueAt)}.`
  if (status === 'uploaded' && dueAt) return `The bank has until ${minuteOf(dueAt)} to acknowledge it.`
  if (status === 'on_hold') return 'The bank has not acknowledged it in time: operators ask the bank.'
  return sayState('file', status)
}

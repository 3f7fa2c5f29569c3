/** Rows of a batch that pay bills: written together, and judged as rows of a file are. */
import { randomUUID } from 'node:crypto'
import { columnsOf, read, sealCells } from '../batches/cells.ts'
import { recount } from '../batches/batches.ts'
import { markDuplicates, readRowRules, verdictAssignments, verdictColumns, verdictsOn } from '../batches/verdicts.ts'
import { storeAccount } from '../contacts/payee-accounts.ts'
import { recordAll } from '../events.ts'
import { batchEvents } from '../../domain/batches/events.ts'
import { batchFlow } from '../../domain/batches/flow.ts'
import { COLUMNS, type Cells } from '../../domain/batches/columns.ts'
import type { Remark } from '../../domain/batches/remark.ts'
import type { BatchId, BatchRowId, BillId, DestinationId, PayeeAddressId } from '../../domain/ids.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'

/** Credit note that is set against a bill, and what the bill costs less by it. */
export type UsedCredit = { readonly billId: BillId; readonly amount: string }

/** Row that pays a bill. */
export type NewBillRow = {
  readonly id: BatchRowId
  readonly billId: BillId
  readonly cells: Cells
  /** Account that is paid, or that is known under another name. */
  readonly destinationId: DestinationId
  /** Address by the bill, for a payee without one. */
  readonly addressId: PayeeAddressId | null
  readonly credits: readonly UsedCredit[]
}

/** Row as it was judged. */
export type JudgedRow = {
  readonly id: BatchRowId
  readonly bill_id: BillId
  readonly row_number: number
  readonly amount: string | null
  readonly currency: string | null
  readonly errors: readonly Remark[]
}

/**
 * Adds rows to the end of a draft, judges them, and deletes those that cannot be paid. Answers all of them, in their
 * order. The caller has locked the draft.
 */
export async function addBillRows(tx: Tx, batchId: BatchId, rows: readonly NewBillRow[]): Promise<JudgedRow[]> {
  if (rows.length === 0) return []
  await insertRows(tx, batchId, rows)
  await insertCredits(tx, rows)
  const named = COLUMNS.filter((column) => rows.some(({ cells }) => column in cells))
  await tx`
    update payment_batches b set columns = b.columns || array(
      select c from unnest(${named}::text[]) with ordinality u (c, place) where c <> all (b.columns) order by place)
    where b.id = ${batchId}`
  const judged = await judgeRows(tx, rows)
  const faulty = judged.filter(({ errors }) => errors.length > 0).map(({ id }) => id)
  if (faulty.length > 0) await tx`delete from payment_batch_rows where id = any (${faulty}::uuid[])`
  const added = judged.filter(({ errors }) => errors.length === 0)
  await markDuplicates(tx, batchId)
  await recount(tx, batchId)
  await askAboutBills(tx, batchId)
  const cause = `bills:${randomUUID()}`
  const events = added.map((row) => ({
    id: batchId,
    cause: `${cause}:${row.row_number}`,
    payload: { row_number: row.row_number, columns: [], bill_id: row.bill_id },
  }))
  await recordAll(tx, batchEvents.row_added, events)
  return judged
}

async function insertRows(tx: Tx, batchId: BatchId, rows: readonly NewBillRow[]): Promise<void> {
  const written = []
  for (const { id, billId, cells, destinationId, addressId } of rows) {
    const whole = { cells, more: [], short: false }
    const { account, fingerprints: _, ...own } = columnsOf(tx.organizationId, read(whole))
    written.push({
      ...own,
      id,
      bill_id: billId,
      sealed: sealCells(id, whole).toString('hex'),
      account_id: account && (await storeAccount(tx, account)),
      named_destination_id: destinationId,
      named_address_id: addressId,
    })
  }
  // skipped until they have their verdicts, in this transaction
  await tx`
    insert into payment_batch_rows (id, organization_id, payment_batch_id, row_number, line, sealed, status, errors,
      warnings, cell_errors, payee, svc_id, named_contact_id, fingerprint, account_id, name_key, holder_key, amount,
      currency, payout_reason, statement_description, internal_notes, reference, bill_id, named_destination_id,
      named_address_id)
    select w.id, ${tx.organizationId}, ${batchId}, n.before + w.place, n.line + w.place, decode(w.sealed, 'hex'), 'skipped',
      '[]', '[]', w.cell_errors::jsonb, w.payee, w.svc_id, w.named_contact_id, decode(w.fingerprint, 'hex'), w.account_id,
      w.name_key, w.holder_key, w.amount, w.currency, w.payout_reason, w.statement_description, w.internal_notes,
      w.reference, w.bill_id, w.named_destination_id, w.named_address_id
    from (select coalesce(max(row_number), 0) as before, coalesce(max(line), 1) as line
      from payment_batch_rows where payment_batch_id = ${batchId}) n,
      jsonb_to_recordset(${sql.json(written.map((row, index) => ({ ...row, place: index + 1 })))}) w (id uuid,
        place integer, sealed text, cell_errors text, payee text, svc_id text, named_contact_id uuid, fingerprint text,
        account_id uuid, name_key text, holder_key text, amount numeric, currency text, payout_reason text,
        statement_description text, internal_notes text, reference text, bill_id uuid, named_destination_id uuid,
        named_address_id uuid)`
}

async function insertCredits(tx: Tx, rows: readonly NewBillRow[]): Promise<void> {
  const credits = rows.flatMap(({ id, credits: used }) => used.map((credit) => ({ row: id, ...credit })))
  if (credits.length === 0) return
  await tx`
    insert into payment_batch_credits (row_id, bill_id, organization_id, amount)
    select c.row_id, c.bill, ${tx.organizationId}, c.amount
    from unnest(${credits.map(({ row }) => row)}::uuid[], ${credits.map(({ billId }) => billId)}::uuid[],
      ${credits.map(({ amount }) => amount)}::numeric[]) c (row_id, bill, amount)`
}

async function judgeRows(tx: Tx, rows: readonly NewBillRow[]): Promise<JudgedRow[]> {
  const ids = rows.map(({ id }) => id)
  const source = sql`select ${verdictColumns()} from payment_batch_rows where id = any (${ids}::uuid[])`
  await tx`
    update payment_batch_rows r set ${verdictAssignments(sql`v`)}
    from (${verdictsOn(tx, source, await readRowRules(within(tx)))}) v where r.id = v.id`
  return tx<JudgedRow[]>`
    select id, bill_id, row_number, amount, currency, errors from payment_batch_rows
    where id = any (${ids}::uuid[]) order by row_number`
}

/** Marks a draft whose bank is to be asked about payees of bills. */
async function askAboutBills(tx: Tx, batchId: BatchId): Promise<void> {
  const asks = await tx`
    update payment_batches set payees_unasked = true where id = ${batchId} and exists (
      select from payment_batch_rows r
      where r.payment_batch_id = ${batchId} and r.bill_id is not null and r.rail = 'fiat' and r.status = 'valid')
    returning id`
  if (asks.length > 0) wake(tx, batchFlow, { ids: [batchId], why: 'row_changed', status: 'draft' })
}

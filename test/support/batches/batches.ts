/** Batches with validated rows, and the calls about them. */
import { readRows } from '../../../documents/batches/csv.ts'
import { bank, heavy, main, rows as pages } from '../../../activities/index.ts'
import { recount } from '../../../services/batches/batches.ts'
import { insertStaged, stage } from '../../../services/batches/staging.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import { COLUMNS, type Cells } from '../../../domain/batches/columns.ts'
import type { BatchId, OrganizationId } from '../../../domain/ids.ts'
import type { ProcessRef } from '../../../domain/process.ts'
import { type TestPerson, api, approve, organization, person } from '../api.ts'
import { owner } from '../database.ts'
import { newBatch } from './imports.ts'
import { until } from '../until.ts'

/** A row: to an organization, to a contact, or to a bank account. */
export type TestRow = {
  amount: string
  svc?: { id: string; svcId: string }
  contact?: { id: string }
  iban?: string
  invalid?: boolean
}

/** An IBAN for euros that no other test uses. */
export const IBAN = 'DE89370400440532013000'

const textsOf = (row: TestRow): Cells => ({
  amount: row.invalid ? 'a lot' : row.amount,
  currency: row.iban ? 'EUR' : 'USD',
  payout_reason: 'services',
  statement_description: 'Pay of June',
  ...(row.svc && !row.contact && { payee_svc_id: row.svc.svcId }),
  ...(row.contact && { payment_contact_id: row.contact.id }),
  ...(row.iban && { account_holder_name: 'Jane Doe', iban: row.iban }),
})

/** Makes a draft of these rows, judged and stored as those of a file. */
export async function draftOf(boss: TestPerson, organizationId: string, rows: readonly TestRow[]): Promise<string> {
  const id = (await newBatch(boss, organizationId)) as BatchId
  if (rows.length === 0) return id
  const texts = rows.map(textsOf)
  const columns = COLUMNS.filter((column) => texts.some((cells) => column in cells))
  const lines = [columns, ...texts.map((cells) => columns.map((column) => cells[column] ?? ''))]
  await asSystem(organizationId as OrganizationId, async (tx) => {
    await stage(tx, readRows(Buffer.from(lines.join('\n'))))
    await insertStaged(tx, id)
    await recount(tx, id)
    await tx`update payment_batches set columns = ${columns} where id = ${id}`
  })
  return id
}

export async function rowIdOf(batchId: string): Promise<string> {
  const [row] = await owner<{ id: string }[]>`
    select id from payment_batch_rows where payment_batch_id = ${batchId} order by row_number limit 1`
  return row?.id ?? ''
}

export const payees = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => organization(await person(), 'Payee')))

export const submit = (by: TestPerson, id: string, body: object = {}) =>
  api('POST', `/payment-batches/${id}/submit`, { token: by.token, body })

export const cancel = (by: TestPerson, id: string) => api('POST', `/payment-batches/${id}/cancel`, { token: by.token })

export async function submitted(boss: TestPerson, organizationId: string, rows: readonly TestRow[]) {
  const answer = await submit(boss, await draftOf(boss, organizationId, rows))
  if (answer.status !== 200) throw new Error(`submit: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** An approved batch, which is being paid. */
export async function approved(boss: TestPerson, organizationId: string, rows: readonly TestRow[]) {
  const batch = await submitted(boss, organizationId, rows)
  const answer = await approve(boss, batch)
  if (answer.status !== 200) throw new Error(`approve: ${answer.status} ${JSON.stringify(answer.body)}`)
  return batch
}

type BatchRef = ProcessRef<BatchId>
const refOf = (batch: { id: string; organization_id: string }): BatchRef => ({
  id: batch.id as BatchId,
  organizationId: batch.organization_id as OrganizationId,
})

const PAYING = {
  page: pages.payBatchRows,
  put_off: main.putOffBatch,
  give_up_day: main.giveUpBatchDay,
}

/** Takes the due step of a batch as its run does; false if it waits or has ended. */
export async function takeStep(ref: BatchRef): Promise<boolean> {
  const batch = await viewed(ref)
  if (batch.at_rest) return false
  switch (batch.status) {
    case 'importing':
      if (!batch.waits_for_turn) await heavy.importBatch(ref)
      return !batch.waits_for_turn
    case 'draft':
      await bank.checkBatchPayees(ref)
      return true
    case 'awaiting_approval':
      if (batch.approval.due === 'expiry') await main.expireApproval(ref)
      else if (batch.approval.due === 'reminder') await main.remindApprovers(ref)
      return batch.approval.due !== null
    case 'processing':
    case 'cancelling':
      if (!batch.rows_left) return closeBatch(ref, batch)
      if (batch.waits_for_day || batch.stopped || batch.bank_full) return false
      await (batch.status === 'cancelling' ? pages.skipBatchRows : PAYING[batch.due ?? 'page'])(ref)
      return true
    default:
      return closeBatch(ref, batch)
  }
}

type View = Awaited<ReturnType<typeof viewed>>

/** Ends a batch whose payments are over, or counts one again that had ended; false if neither is due. */
export async function closeBatch(ref: BatchRef, batch: View): Promise<boolean> {
  if (batch.at_rest) return false
  switch (batch.status) {
    case 'importing':
    case 'draft':
    case 'awaiting_approval':
      return false
    case 'processing':
    case 'cancelling':
      if (batch.rows_left || batch.payments_under_way > 0) return false
      await main.endBatch(ref)
      return true
    case 'completed':
    case 'partially_completed':
    case 'failed':
    case 'cancelled':
      await main.recountBatch(ref)
      return true
    default:
      return batch satisfies never
  }
}

export async function viewed(ref: BatchRef) {
  for (;;) {
    const batch = await main.viewBatch(ref)
    if (!batch.again) return batch
  }
}

/** Takes the due steps of a batch as its run does, until it waits or ends; returns the last view. */
export async function drive(batch: { id: string; organization_id: string }) {
  while (await takeStep(refOf(batch)));
  return viewed(refOf(batch))
}

export const payPage = (batch: { id: string; organization_id: string }) => pages.payBatchRows(refOf(batch))

const ENDED = ['completed', 'partially_completed', 'failed', 'cancelled']

export const ended = (id: string, patienceMs?: number) =>
  until(
    `the end of batch ${id}`,
    async () => {
      const [row] = await owner`select * from payment_batches where id = ${id}`
      return ENDED.includes(row?.['status']) && row
    },
    patienceMs,
  )

/** The end of each row, in order: its payment's status and detail, or its own status. */
export async function outcomes(id: string): Promise<string[]> {
  const rows = await owner<{ outcome: string }[]>`
    select coalesce(p.status || case when p.status = 'failed' then ' ' || p.status_detail else '' end, r.status) as outcome
    from payment_batch_rows r left join payments p on p.id = r.payment_id
    where r.payment_batch_id = ${id} order by r.row_number`
  return rows.map(({ outcome }) => outcome)
}

export async function violations(organizationId: string): Promise<string[]> {
  const [row] = await owner.begin(async (tx) => {
    await tx`select set_config('app.organization_id', ${organizationId}, true)`
    return tx<{ violations: { check: string; subject: string }[] }[]>`select violations from ledger_integrity()`
  })
  return (row?.violations ?? []).map(({ check, subject }) => `${check} ${subject}`)
}

/** Expires the batch's approval, and lets its run look. */
export async function expire(batch: { id: string; organization_id: string; approval_request_id: string }) {
  await owner`update approvals set expires_at = business_now() where id = ${batch.approval_request_id}`
  return drive(batch)
}

/** Batches with validated rows, and the calls about them. */
import { randomUUID } from 'node:crypto'
import { heavy, main, partners } from '../../../activities/index.ts'
import { sealCells } from '../../../db/batches/cells.ts'
import { fingerprintsOf } from '../../../db/contacts/destination-encryption.ts'
import { coordinatesIn } from '../../../domain/contacts/destination.ts'
import { readCells } from '../../../domain/batches/row.ts'
import { COLUMNS, type Cells } from '../../../domain/batches/columns.ts'
import type { BatchId, OrganizationId } from '../../../domain/ids.ts'
import type { ProcessRef } from '../../../domain/process.ts'
import { type TestPerson, api, approve, organization, person } from '../api.ts'
import { owner } from '../database.ts'
import { until } from '../until.ts'

/** A row: to an organization, to a contact, or to a bank account. */
export type TestRow = {
  amount: string
  currency?: string
  svc?: { id: string; svcId: string }
  contact?: { id: string; destinationId: string; payee?: string }
  iban?: string
  invalid?: boolean
}

/** An IBAN for euros that no other test uses. */
export const IBAN = 'DE89370400440532013000'

const textsOf = (row: TestRow): Cells => ({
  amount: row.amount,
  currency: row.currency ?? (row.iban ? 'EUR' : 'USD'),
  payout_reason: 'services',
  statement_description: 'Pay of June',
  ...(row.svc && !row.contact && { payee_svc_id: row.svc.svcId }),
  ...(row.contact && { payment_contact_id: row.contact.id }),
  ...(row.iban && { account_holder_name: 'Jane Doe', iban: row.iban }),
})

export async function draftOf(boss: TestPerson, organizationId: string, rows: readonly TestRow[]): Promise<string> {
  const id = randomUUID()
  const columns = COLUMNS.filter((column) => rows.some((row) => column in textsOf(row)))
  await owner`
    insert into payment_batches (id, organization_id, name, created_by, columns, rows_total, rows_valid, rows_invalid)
    values (${id}, ${organizationId}, 'Pay of June', ${boss.userId}, ${columns}, ${rows.length},
      ${rows.filter(({ invalid }) => !invalid).length}, ${rows.filter(({ invalid }) => invalid).length})`
  const given = rows.map((row, index) => rowOf(organizationId as OrganizationId, row, index))
  await owner`
    insert into payment_batch_rows (id, organization_id, payment_batch_id, row_number, line, sealed, status, errors, warnings,
      cell_errors, named_contact_id, payee, svc_id, payee_organization_id, payment_contact_id, destination_id, fingerprint, rail, amount,
      currency, payout_reason, statement_description)
    select g.id, ${organizationId}, ${id}, g.row_number, g.row_number + 1, decode(g.sealed, 'hex'), g.status, g.errors, '[]',
      g.errors, g.payment_contact_id, g.payee, g.svc_id, g.payee_organization_id, g.payment_contact_id, g.destination_id,
      decode(g.fingerprint, 'hex'), g.rail, g.amount, g.currency, 'services', 'Pay of June'
    from jsonb_to_recordset(${owner.json(given)}) g (id uuid, row_number integer, sealed text, status text, errors jsonb,
      payee text, svc_id text, payee_organization_id uuid, payment_contact_id uuid, destination_id uuid,
      fingerprint text, rail text, amount numeric, currency text)`
  return id
}

export async function rowIdOf(batchId: string): Promise<string> {
  const [row] = await owner<{ id: string }[]>`
    select id from payment_batch_rows where payment_batch_id = ${batchId} order by row_number limit 1`
  return row?.id ?? ''
}

function rowOf(organizationId: OrganizationId, row: TestRow, index: number) {
  const id = randomUUID()
  const cells = textsOf(row)
  const { payee } = readCells(cells)
  const coordinates = payee?.way === 'bank' ? coordinatesIn({ default: false, ...payee.account }) : null
  const account = { type: 'bank', coordinates, payee_organization_id: null } as const
  return {
    id,
    row_number: index + 1,
    sealed: sealCells(id, { cells, more: [], short: false }).toString('hex'),
    status: row.invalid ? 'invalid' : 'valid',
    errors: row.invalid ? [{ column: 'amount', code: 'malformed', message: 'is not a number' }] : [],
    payee: row.iban ? 'Jane Doe' : (row.contact?.payee ?? 'Payee'),
    svc_id: row.contact ? null : (row.svc?.svcId ?? null),
    payee_organization_id: row.svc?.id ?? null,
    payment_contact_id: row.contact?.id ?? null,
    destination_id: row.contact?.destinationId ?? null,
    fingerprint: coordinates ? fingerprintsOf(organizationId, account)[0] : null,
    rail: row.iban || (row.contact && !row.svc) ? 'fiat' : 'svc_id',
    amount: row.amount,
    currency: cells.currency,
  }
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

/** Takes the due step of a batch as its run does; false if it waits or has ended. */
export async function takeStep(ref: BatchRef): Promise<boolean> {
  const batch = await viewed(ref)
  if (batch.at_rest) return false
  if ('approval' in batch) {
    if (batch.approval.due === 'expiry') await main.expireApproval(ref)
    else if (batch.approval.due === 'reminder') await main.remindApprovers(ref)
    return batch.approval.due !== null
  }
  if ('waits_for_turn' in batch) {
    if (!batch.waits_for_turn) await heavy.importBatch(ref)
    return !batch.waits_for_turn
  }
  if (!('rows_left' in batch)) {
    await main.recountBatch(ref)
    return true
  }
  if (!batch.rows_left) {
    if (batch.payments_under_way === 0) await main.endBatch(ref)
    return batch.payments_under_way === 0
  }
  if (batch.stopped || batch.bank_full) return false
  await (batch.status === 'cancelling' ? partners.skipBatchRows(ref) : partners.payBatchRows(ref))
  return true
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

export const payPage = (batch: { id: string; organization_id: string }) => partners.payBatchRows(refOf(batch))

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

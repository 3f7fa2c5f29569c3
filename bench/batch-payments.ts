/** G8: a batch from its approval to its end, through Temporal, against settlements one by one without it. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { batchTarget } from '../services/batches/approval-target.ts'
import { submitBatch } from '../services/batches/submission.ts'
import type { Person } from '../domain/people/actor.ts'
import type { BatchId, OrganizationId } from '../domain/ids.ts'
import { asSystem, inOrganization } from '../db/postgres/sql.ts'
import { announceCommits } from '../temporal/announce.ts'
import { settleSingly } from './ledger.ts'
import { type Round, against, compare, itemAt, line } from './measure.ts'
import { owner } from './owner.ts'

const ROWS = 10_000
const SINGLY = 600
const LOOK_MS = 10

/** Reports G8. A worker must run: it pays the rows. */
export async function benchBatches(ids: readonly OrganizationId[], rounds: number): Promise<void> {
  announceCommits()
  const [payer, payees] = [itemAt(ids, 0), ids.slice(1)]
  const result = await compare(
    rounds,
    () => payBatch(payer, payees),
    () => settleSingly(SINGLY, ids, (index) => itemAt(payees, index)),
  )
  const note = against(result.a.rate, result.b.rate, '/s', 0)
  line(`G8 batch of ${ROWS} rows ÷ settled singly`, result.rate, { atLeast: 2 }, note)
}

/** Pays a batch of 10,000 rows; measures from the commit of the approval to that of the end. */
export async function payBatch(payer: OrganizationId, payees: readonly OrganizationId[]): Promise<Round> {
  const id = await insertApprovedBatch(payer, payees)
  const begun = performance.now()
  await owner`update approvals set status = 'approved', processed_at = business_now() where target_id = ${id}`
  await asSystem(payer, async (tx) => {
    const [asked] = await tx<
      { hash: string }[]
    >`select subject_body::jsonb ->> 'sha256' as hash from approvals where target_id = ${id}`
    const asks = { approved_hash: asked?.hash ?? null, without_address: 0, blocked_payees: 0, changes: [] }
    const state = { id, status: 'awaiting_approval', ...asks } as const
    await batchTarget.approve(tx, state, `decision:${randomUUID()}`)
  })
  for (;;) {
    const [batch] = await owner<{ status: string }[]>`select status from payment_batches where id = ${id}`
    if (batch?.status === 'completed') break
    if (batch?.status !== 'processing') throw new Error(`the batch is ${batch?.status}`)
    await delay(LOOK_MS)
  }
  const seconds = (performance.now() - begun) / 1000
  return { rate: ROWS / seconds, p50Ms: seconds * 1000 }
}

async function insertApprovedBatch(payer: OrganizationId, payees: readonly OrganizationId[]): Promise<BatchId> {
  const id = randomUUID() as BatchId // of the batch that this bench inserts
  const [member] = await owner<{ user_id: string }[]>`select user_id from members where organization_id = ${payer}`
  const userId = member?.user_id ?? ''
  await owner`
    insert into payment_batches (id, organization_id, name, created_by) values (${id}, ${payer}, 'Bench', ${userId})`
  await owner`
    insert into payment_batch_rows (id, organization_id, payment_batch_id, row_number, line, sealed, status, errors, warnings,
      cell_errors, payee, svc_id, payee_organization_id, rail, amount, currency, payout_reason, statement_description)
    select gen_random_uuid(), ${payer}, ${id}, n, n + 1, '', 'valid', '[]', '[]', '[]', 'Payee', 'bench',
      (${[...payees]}::uuid[])[1 + n % ${payees.length}], 'svc_id', 1, 'USD', 'services', 'Bench'
    from generate_series(1, ${ROWS}) n`
  // ids of existing rows
  const person = { kind: 'user', userId, sessionId: randomUUID(), deviceId: randomUUID() } as Person
  const terms = { exclude_invalid: false, acknowledge_payee_check: false, on: null }
  await inOrganization(person, payer, (tx) => submitBatch(tx, person, id, terms))
  return id
}

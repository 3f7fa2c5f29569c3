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
import { against, compare, itemAt, line } from './measure.ts'
import { owner } from './owner.ts'
import type { Round } from './turns.ts'

const ROWS = 10_000
const SINGLY = 600
const LOOK_MS = 10

/** Reports G8. A worker must run: it pays the rows. */
export async function benchBatches(ids: readonly OrganizationId[], rounds: number): Promise<void> {
  announceCommits()
  const [payer, payees] = [itemAt(ids, 0), ids.slice(1)]
  const name = `G8 batch of ${ROWS} rows ÷ settled singly`
  const result = await compare(
    name,
    rounds,
    () => payBatch(payer, payees),
    () => settleSingly(SINGLY, ids, (index) => itemAt(payees, index), { wakes: false }),
  )
  const note = against(result.a.rate, result.b.rate, '/s', 0)
  line(name, result.rate, note)
}

/** Pays a batch; measures from the commit of the approval to that of the end. */
export async function payBatch(
  payer: OrganizationId,
  payees: readonly OrganizationId[],
  rows: number = ROWS,
): Promise<Round> {
  const id = await insertApprovedBatch(payer, payees, rows)
  const begun = performance.now()
  await owner`update approvals set status = 'approved', processed_at = business_now() where target_id = ${id}`
  await asSystem(payer, async (tx) => {
    const [asked] = await tx<
      { hash: string }[]
    >`select subject_body::jsonb ->> 'sha256' as hash from approvals where target_id = ${id}`
    const asks = {
      approved_hash: asked?.hash ?? null,
      without_address: 0,
      paying: null,
      ways: [],
      blocked_payees: 0,
      held_payees: 0,
      changes: [],
    }
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
  return { rate: rows / seconds, p50Ms: seconds * 1000, count: rows }
}

async function insertApprovedBatch(
  payer: OrganizationId,
  payees: readonly OrganizationId[],
  rows: number,
): Promise<BatchId> {
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
    from generate_series(1, ${rows}) n`
  // ids of existing rows
  const person = { kind: 'user', userId, sessionId: randomUUID(), deviceId: randomUUID() } as Person
  const terms = { exclude_invalid: false, acknowledge_payee_check: false, on: null, bills: { ids: [], barred: [] } }
  await inOrganization(person, payer, (tx) => submitBatch(tx, person, id, terms))
  return id
}

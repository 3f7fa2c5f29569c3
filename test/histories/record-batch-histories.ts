/** `npm run histories`: walks the paths of payment batches and records their histories. */
import { beforeAll, expect, vi } from 'vitest'
import type { OrganizationId } from '../../domain/ids.ts'
import { moveOrganization } from '../support/organizations/status.ts'
import {
  type TestOrganization,
  type TestPerson,
  api,
  approvalPath,
  approve,
  fund,
  organization,
  person,
} from '../support/api.ts'
import { joined } from '../support/approvals/approvals.ts'
import { IBAN, approved, cancel, payees, submitted } from '../support/batches/batches.ts'
import { owner } from '../support/database.ts'
import { closeGate, installGates } from '../support/faults/gates.ts'
import { advance } from '../support/identity/identity.ts'
import { HEADER, TERMS, imported, newBatch } from '../support/batches/imports.ts'
import { fault, usePartners } from '../support/partners/partners.ts'
import { advance as advancePayout } from '../support/payments/payouts.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { reconcile } from '../support/partners/reconcile.ts'
import { waits } from '../support/runs/runs.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-batches-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
usePartners()
useWorker({ whole: true })
beforeAll(() => installGates({ settle: { on: 'update on payment_batches', when: 'new.rows_begun > old.rows_begun' } }))

const MINUTE = 60

async function scene() {
  const boss = await person({ name: PRIVATE.firstName })
  const payer = await organization(boss, PRIVATE.payer)
  for (const currency of ['USD', 'EUR']) await fund(payer.id, '100.00', currency)
  const [svc] = (await payees(1)) as [TestOrganization]
  const rows = [
    { svc, amount: PRIVATE.amount },
    { iban: IBAN, amount: '1.00' },
  ]
  return { boss, payer, rows, byServiceId: rows.slice(0, 1) }
}

const run = (batch: { id: string }) => runOf('payment-batch', batch.id)

async function draftFrom(file: string) {
  const { boss, payer } = await scene()
  const id = await newBatch(boss, payer.id)
  await imported(boss, id, file)
  return run({ id })
}

async function waiting() {
  const at = await scene()
  const batch = await submitted(at.boss, at.payer.id, at.rows)
  await waits(batch)
  return { ...at, batch }
}

/** An approved batch that begins nothing before `work` is done: its organization is held until then. */
async function held(work: (at: { boss: TestPerson; payer: TestOrganization; id: string }) => Promise<unknown>) {
  const { boss, payer, byServiceId } = await scene()
  const batch = await submitted(boss, payer.id, byServiceId)
  await owner.begin(async (tx) => {
    await tx`select from organizations where id = ${payer.id} for no key update`
    expect((await approve(boss, batch)).status).toBe(200)
    await work({ boss, payer, id: batch.id })
    await tx`update organizations set status = 'paused' where id = ${payer.id}`
  })
  return { payer, batch }
}

/** The number of payments with callbacks at once. */
const BURST = 8

/** Lets the bank take all payments of a batch and pay them at one moment. */
async function settle({ id }: { id: string }): Promise<void> {
  const taken = await until('the bank to have them all', async () => {
    const rows = await owner<{ id: string; status: string; begun: number; total: number }[]>`
      select p.id, p.status, b.rows_begun as begun, b.rows_total as total from payments p
      join payment_batches b on b.id = p.payment_batch_id where b.id = ${id} and p.rail = 'fiat'`
    const all = rows.every(({ status, begun, total }) => status === 'processing' && begun === total)
    return rows.length > 0 && all && rows
  })
  const answers = await Promise.all(taken.map((payment) => advancePayout(payment, 'succeeded')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
}

recordPaths({
  'payment-batch-imported': () =>
    draftFrom(`${HEADER}\nnobody,,,,${PRIVATE.amount},USD,${TERMS}\n,,${PRIVATE.payer},${IBAN},1.00,EUR,${TERMS}\n`),
  'payment-batch-import-failed': () => draftFrom('name\n'),
  async 'payment-batch-completed'() {
    const { boss, batch } = await waiting()
    expect((await approve(boss, batch)).status).toBe(200)
    return run(batch)
  },
  async 'payment-batch-short-of-funds'() {
    const { boss, payer, rows } = await scene()
    const [row] = rows as [(typeof rows)[number]]
    return run(await approved(boss, payer.id, [row, { ...row, amount: '1000.00' }]))
  },
  async 'payment-batch-rejected'() {
    const { payer, batch } = await waiting()
    const [admin] = await joined(payer.id, 'admin', 1)
    const answer = await api('POST', `${approvalPath(batch)}/reject`, { token: admin?.token, body: {} })
    expect(answer.status).toBe(200)
    return run(batch)
  },
  async 'payment-batch-expired'() {
    const { batch } = await waiting()
    await owner`update approvals set expires_at = business_now() where id = ${batch.approval_request_id}`
    await reconcile()
    return run(batch)
  },
  async 'payment-batch-cancelled'() {
    const { boss, batch } = await waiting()
    expect((await cancel(boss, batch.id)).status).toBe(200)
    return run(batch)
  },
  async 'payment-batch-paused-then-banned'() {
    const { payer, batch } = await held(async () => {})
    await waits(batch)
    await moveOrganization(payer.id as OrganizationId, 'ban')
    await advance(2 * MINUTE)
    return run(batch)
  },
  async 'payment-batch-cancelled-midway'() {
    const { batch } = await held(({ boss, id }) => cancel(boss, id))
    return run(batch)
  },
  async 'payment-batch-approved-by-two-at-once'() {
    const { boss, payer, batch } = await waiting()
    const [admin] = (await joined(payer.id, 'admin', 1)) as [TestPerson]
    const answers = await Promise.all([boss, admin].map((one) => approve(one, batch)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    return run(batch)
  },
  async 'payment-batch-cancelled-while-approved'() {
    const { boss, batch } = await waiting()
    const answers = await Promise.all([approve(boss, batch), cancel(boss, batch.id)])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    return run(batch)
  },
  async 'payment-batch-cancelled-at-its-last-page'() {
    const { boss, payer, batch } = await waiting()
    await fault('bank', 'manual') // keeps its payments open beyond the page
    const gate = await closeGate('settle', payer.id)
    expect((await approve(boss, batch)).status).toBe(200)
    await gate.waiting()
    const cancelled = cancel(boss, batch.id)
    await gate.open()
    expect((await cancelled).body.status).toBe('cancelling')
    await settle(batch)
    return run(batch)
  },
  /** Path: the run of a payment that is returned after the end. */
  async 'payment-batch-returned'() {
    const { boss, payer } = await scene()
    await fault('bank', 'manual', 1)
    const batch = await approved(boss, payer.id, [{ iban: IBAN, amount: '1.00' }])
    await settle(batch)
    await run(batch).result()
    const [payment] = await owner<{ id: string }[]>`select id from payments where payment_batch_id = ${batch.id}`
    await advancePayout({ id: payment?.id ?? '' }, 'reversed')
    const isRecounted = () => owner`select from payment_batches where id = ${batch.id} and rows_failed = 1`
    await until('it to be counted again', async () => (await isRecounted())[0])
    return run(batch)
  },
  async 'payment-batch-called-back-at-once'() {
    const { boss, payer } = await scene()
    await fault('bank', 'manual', BURST)
    const batch = await approved(
      boss,
      payer.id,
      Array.from({ length: BURST }, () => ({ iban: IBAN, amount: '1.00' })),
    )
    await settle(batch)
    return run(batch)
  },
})

import { expect, test } from 'vitest'
import { client } from '../../../temporal/client.ts'
import { endOrphans, listOpenRuns } from '../../../temporal/orphans.ts'
import { CHORES, reconcile } from '../../../temporal/reconciler.ts'
import { LOCKS } from '../../../db/postgres/locks.ts'
import { config } from '../../../platform/config.ts'
import { type TestPerson, api, approvalPath, approve, createPayment, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { advance } from '../../support/identity/identity.ts'
import { type Payment, eventually, runOf, stateOf, terminate, waits } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker({ whole: true })
const THIRTY_DAYS_SECONDS = 30 * 24 * 3600
const namespace = config.temporalNamespace

async function waiting() {
  const { boss, payer, payee, contactId } = await payerAndPayee('100.00')
  const payment: Payment = await createPayment(boss, contactId, '60.00')
  await waits(payment)
  return { boss, payer, payee, contactId, payment }
}

const statusOf = async ({ id }: Payment) => (await owner`select status from payments where id = ${id}`)[0]?.['status']
const movesOf = async ({ id }: Payment) =>
  Number((await owner`select count(*) as n from ledger_transfers where key like ${`payment:${id}:%`}`)[0]?.['n'])
const runIdOf = async (payment: Payment) => (await runOf(payment).describe()).runId
const balanceOf = async (by: TestPerson, organizationId: string) => {
  const { body } = await api('GET', `/organizations/${organizationId}/balances`, { token: by.token })
  return [body.data[0].available.amount, body.data[0].held.amount]
}

/** Runs a round of the reconciler as if nothing had changed for a minute; the next sweep starts the missing runs. */
async function round(): Promise<number> {
  await owner`update processes set changed_at = changed_at - interval '2 minutes'`
  return reconcile()
}
/** Expects the payment cancelled, and its run over. */
async function expectCancelled(payment: Payment): Promise<void> {
  await eventually(() => statusOf(payment)).toBe('cancelled')
  await eventually(() => stateOf(payment)).toBe('COMPLETED')
}
/** Repeats rounds until there is a run after this one; a worker's own round may have the lease. */
const startedAgain = (payment: Payment, before?: string) =>
  eventually(async () => {
    await round()
    const run = await runOf(payment)
      .describe()
      .catch(() => undefined)
    return run?.status.name === 'RUNNING' && run.runId !== before
  }).toBe(true)

/** Ids of payments whose workflow Temporal lists as running; its list is a moment late. */
async function listed(): Promise<Set<string>> {
  const ids = new Set<string>()
  const query = `ExecutionStatus = 'Running' AND TaskQueue = '${config.taskQueuePrefix}main'`
  for await (const run of client.workflow.list({ query })) ids.add(run.workflowId.slice('payment-'.length))
  return ids
}
const unlisted = (payment: Payment) => eventually(async () => (await listed()).has(payment.id)).toBe(false)

async function expectSettledOnce(by: TestPerson, payment: Payment): Promise<void> {
  await eventually(() => statusOf(payment)).toBe('succeeded')
  await eventually(() => stateOf(payment)).toBe('COMPLETED')
  expect(await movesOf(payment)).toBe(2) // one reserve, one settlement
  expect(await balanceOf(by, payment.organization_id)).toEqual(['40.00', '0.00'])
  const path = `/organizations/${payment.organization_id}/ledger/integrity`
  expect((await api('GET', path, { token: by.token })).body).toMatchObject({ ok: true, violations: [] })
}

/** Deletes the run, as on a wiped server or after the retention. */
async function erase(payment: Payment): Promise<void> {
  const workflowExecution = { workflowId: `payment-${payment.id}` }
  await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution }) // which ends it too
  await eventually(() => stateOf(payment).catch((error: Error) => error.name)).toBe('WorkflowNotFoundError')
}

test.each([
  ['an operator ended', terminate],
  ['Temporal forgot', erase],
])('a run that %s is started again by the next decision, or by reconcilers, and is decided then', async (_, lose) => {
  const [one, other] = [await waiting(), await waiting()]
  const before = await runIdOf(other.payment)
  await Promise.all([lose(one.payment), lose(other.payment)])
  expect((await approve(one.boss, one.payment)).body).toMatchObject({ status: 'approved' })
  await expectSettledOnce(one.boss, one.payment)
  await unlisted(other.payment)
  await Promise.all([round(), round(), round()])
  await startedAgain(other.payment, before)
  await approve(other.boss, other.payment)
  await expectSettledOnce(other.boss, other.payment)
})

test('a run that came back with an earlier Temporal looks, finds its row at rest, and ends', async () => {
  const { payment } = await waiting()
  await owner`update payments set status = 'cancelled' where id = ${payment.id}`
  await owner`delete from processes where id = ${payment.id}`
  await eventually(async () => (await listed()).has(payment.id)).toBe(true)
  await endOrphans(await listOpenRuns(), { graceMs: 0 })
  await eventually(() => stateOf(payment)).toBe('COMPLETED')
  expect(await movesOf(payment)).toBe(0)
})

test('what runs, what has ended and what was touched just now is left alone', async () => {
  const { boss, contactId, payment: running } = await waiting()
  const rejected: Payment = await createPayment(boss, contactId, '1.00')
  const settled: Payment = await createPayment(boss, contactId, '2.00')
  await api('POST', `${approvalPath(rejected)}/reject`, { token: boss.token, body: {} })
  await approve(boss, settled)
  for (const ended of [rejected, settled]) await eventually(() => stateOf(ended)).toBe('COMPLETED')
  await eventually(async () => (await listed()).has(running.id)).toBe(true)
  const all = [running, rejected, settled]
  const before = await Promise.all(all.map(runIdOf))
  expect(await round()).toBe(0)
  expect(await Promise.all(all.map(runIdOf))).toEqual(before)
  await owner`update processes set changed_at = clock_timestamp() where id = ${running.id}`
  await terminate(running)
  await unlisted(running)
  expect(await reconcile()).toBe(0)
  expect(await stateOf(running)).toBe('TERMINATED')
  await approve(boss, running)
})

test('while maintenance waits for a table, lost runs are started again', async () => {
  const { payment } = await waiting()
  let release = () => {}
  const locked = new Promise<void>((resolve) => (release = resolve))
  const blocking = owner.begin(async (tx) => {
    await tx`lock table messages in access exclusive mode`
    await locked
  })
  const chores: Promise<unknown>[] = [CHORES.keepWitness(), CHORES.keepDailyRates()]
  await eventually(async () => {
    chores.push(CHORES.runMaintenance()) // does nothing while one is under way, such as that of the worker's start
    const waiters = await owner`
      select from pg_locks l where l.locktype = 'advisory' and l.objid = ${LOCKS.maintenance} and l.granted
        and exists (select from pg_locks w where w.relation = 'messages'::regclass and not w.granted)`
    return waiters.length > 0
  }).toBe(true)
  await terminate(payment)
  await startedAgain(payment)
  release()
  await Promise.all([blocking, ...chores])
})

test('a run that is started again keeps the deadline of its approval', async () => {
  const { payment } = await waiting()
  const before = await runIdOf(payment)
  await terminate(payment)
  await startedAgain(payment, before)
  await advance(THIRTY_DAYS_SECONDS - 60)
  expect(await statusOf(payment)).toBe('awaiting_approval')
  await advance(61)
  await expectCancelled(payment)
})

test('time that moved without anybody being told is heard of by the sweep', async () => {
  const { payment } = await waiting()
  await owner`update business_clock set offset_seconds = offset_seconds + ${THIRTY_DAYS_SECONDS + 1}`
  await expectCancelled(payment)
})

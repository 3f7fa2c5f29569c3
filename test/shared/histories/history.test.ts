import { expect, test } from 'vitest'
import { api, approvalPath, approve, createPayment, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import type { History } from '../../support/histories/recorded.ts'
import { eventually, historyOf, runOf, stateOf, waits } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
const { boss, payer, contactId } = await payerAndPayee()
const detailsOf = async (payment: { id: string }) =>
  (await runOf(payment).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails

const count = ({ events }: History, type: string) =>
  events.filter((event) => event.eventType === `EVENT_TYPE_${type}`).length
const counts = (history: History) => ({
  events: history.events.length,
  workflowTasks: count(history, 'WORKFLOW_TASK_COMPLETED'),
  recordings: count(history, 'MARKER_RECORDED'),
  timers: count(history, 'TIMER_STARTED'),
  regularActivities: count(history, 'ACTIVITY_TASK_SCHEDULED'),
  upserts: count(history, 'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES'),
})
const transactionsOf = async ({ id, approval_request_id: approval }: { id: string; approval_request_id: string }) =>
  (await owner`select distinct xact from events where subject_id in (${id}, ${approval})`).length

/** Cost of a payment that awaits approval: its start with the first signal, one look, one timer. */
const CREATING = { events: 7, workflowTasks: 1, recordings: 1, timers: 1, regularActivities: 0, upserts: 0 }
const created = async () => {
  const payment = await createPayment(boss, contactId)
  await eventually(async () => counts(await historyOf(payment))).toEqual(CREATING)
  return payment
}
const versionOf = async ({ id }: { id: string }) => owner`select version from processes where id = ${id}`

/** Expects what a payment costs once it is decided: one more workflow task and look. */
async function expectCost(payment: { id: string; approval_request_id: string }) {
  await eventually(() => stateOf(payment)).toBe('COMPLETED')
  expect(counts(await historyOf(payment))).toEqual({ ...CREATING, events: 14, workflowTasks: 2, recordings: 2 })
  expect(await transactionsOf(payment)).toBe(2)
}

test('a payment costs 14 events: 1 workflow task and 1 look when created, 1 and 1 when settled, or rejected', async () => {
  const [paid, rejected] = [await created(), await created()]
  for (const payment of [paid, rejected]) expect(await transactionsOf(payment)).toBe(1)
  expect((await approve(boss, paid)).status).toBe(200)
  await expectCost(paid)
  const call = { token: boss.token, body: {} }
  expect((await api('POST', `${approvalPath(rejected)}/reject`, call)).status).toBe(200)
  await expectCost(rejected)
})

test('an answer from the row costs the workflow nothing: a repeat of either request wakes nobody', async () => {
  const key = 'history-once'
  const payment = await createPayment(boss, contactId, '10.00', key)
  expect((await createPayment(boss, contactId, '10.00', key)).id).toBe(payment.id)
  expect(await versionOf(payment)).toEqual([{ version: '1' }])
  await approve(boss, payment)
  await eventually(() => stateOf(payment)).toBe('COMPLETED')
  expect((await approve(boss, payment)).status).toBe(200)
  expect(await versionOf(payment)).toEqual([]) // no look is needed
})

test('an operator finds a payment by organization, status and rail, and reads what it waits for and until when', async () => {
  const payment = await createPayment(boss, contactId)
  await waits(payment)
  const run = await runOf(payment).describe()
  const attributes = { OrganizationId: [payer.id], BusinessStatus: ['awaiting_approval'], Rail: ['svc_id'] }
  expect(run.searchAttributes).toMatchObject(attributes)
  expect(run.priority).toMatchObject({ priorityKey: 1, fairnessKey: payer.id })
  // as stored by the server, without the codec's key
  const summary = run.raw.executionConfig?.userMetadata?.summary?.data
  expect(Buffer.from(summary ?? '').toString()).toBe('"Payment by service ID"')
  const { created_at, expires_at } = (await api('GET', approvalPath(payment), { token: boss.token })).body
  const minute = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`
  expect(await detailsOf(payment)).toBe(
    `Waits for approval since ${minute(created_at)}, until ${minute(expires_at)}: step 1 of 1: 1 more of owner, admin.`,
  )
  const timer = (await historyOf(payment)).events.find(({ eventType }) => eventType === 'EVENT_TYPE_TIMER_STARTED')
  expect(Buffer.from(timer?.['userMetadata']?.summary.data ?? '', 'base64').toString()).toBe('"Approval, step 1 of 1"')
  await approve(boss, payment)
  await eventually(() => stateOf(payment)).toBe('COMPLETED')
  expect(await detailsOf(payment)).toBe('The payment is succeeded.')
})

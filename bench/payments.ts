/** G1 and G7: payments over HTTP with everything on, against an empty workflow of the same shape. */
import { randomUUID } from 'node:crypto'
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client'
import { processorTimeSince, processorTimes } from './cpu.ts'
import { against, compare, itemAt, line, run } from './measure.ts'
import { makeNaiveAccounts, payNaively } from './naive/client.ts'
import { created, decide, type empty } from './empty/workflow.ts'
import { type Call, type OwnerAccount, callerOf, insertOwned, owner, untilIdle } from './owner.ts'
import { type Round, isPaired } from './turns.ts'

const ALONE = 40
const AT_ONCE = 16
const MANY = 240
const AWAY = 200

export type Payer = OwnerAccount & { readonly contactId: string; readonly call: Call }

export async function makePayers(apiUrl: string, count: number): Promise<Payer[]> {
  const svcId = newSvcId()
  await insertOwned('payee', svcId)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const payer = await insertOwned('payer', newSvcId())
      const call = callerOf(apiUrl, payer.token)
      await call('POST', '/sandbox/deposits', {
        organization_id: payer.organizationId,
        rail: 'fiat',
        amount: { amount: '1000000.00', currency: 'USD' },
      })
      const contact = { name: 'Payee', type: 'business', destinations: [{ type: 'svc_id', svc_id: svcId }] }
      const { id } = await call('POST', `/organizations/${payer.organizationId}/payment-contacts`, contact)
      return { ...payer, call, contactId: id }
    }),
  )
}

const newSvcId = (): string => `b-${randomUUID().slice(0, 13)}`

/** Creates, approves and reads a payment; answers the milliseconds of its step-up. */
export async function onePayment(payer: Payer): Promise<number> {
  const { call } = payer
  const payment = await call('POST', '/payments', {
    amount: { amount: '1.00', currency: 'USD' },
    payment_contact_id: payer.contactId,
    payout_reason: 'services',
    statement_description: 'Bench',
  })
  const path = `/organizations/${payer.organizationId}/approvals/${payment.approval_request_id}`
  const asked = performance.now()
  await earnStepUp(payer, payment.approval_request_id)
  const aside = performance.now() - asked
  await call('POST', `${path}/approve`, {})
  const { status } = await call('GET', `/payments/${payment.id}`)
  if (status !== 'succeeded') throw new Error(`the payment is ${status}`)
  return aside
}

async function earnStepUp(payer: Payer, approvalId: string): Promise<void> {
  const { claimFor, sealHash } = await import('../services/idempotency.ts')
  const pattern = '/organizations/{organization_id}/approvals/{approval_id}/approve'
  const params = { organization_id: payer.organizationId, approval_id: approvalId }
  const { bodyHash } = claimFor(payer.userId, 'post', pattern, undefined, { params, body: {} })
  const written = await owner`
    insert into step_ups (session_id, user_id, operation, target, body_hash, mode, status, methods, delivery, factor,
      expires_at, verified_at)
    select ${payer.sessionId}, ${payer.userId}, ${`POST ${pattern}`}, 'approval:' || id || ':' || subject_hash, ${sealHash(bodyHash)},
      'once', 'verified', '{totp}', 'authenticator', 'totp', business_now() + interval '10 minutes', business_now()
    from approvals where id = ${approvalId} returning id`
  if (written.length !== 1) throw new Error(`no step-up for approval ${approvalId}`)
}

export async function benchPayments(apiUrl: string, temporalAddress: string, rounds: number): Promise<void> {
  await owner`create table if not exists bench_rows (id uuid primary key, value text)`
  const payers = await makePayers(apiUrl, AT_ONCE)
  const connection = await Connection.connect({ address: temporalAddress })
  const client = new Client({ connection })
  const payments = (count: number, lanes: number) => (): Promise<Round> =>
    run(count, lanes, (index) => onePayment(itemAt(payers, index)))
  const empties = (count: number, lanes: number) => (): Promise<Round> => run(count, lanes, () => oneEmpty(client))
  await payments(AT_ONCE, 4)() // warm-up
  await empties(AT_ONCE, 4)()
  const [answered, ended] = ['G1 payment answered ÷ empty workflow, p50', 'G1 payment ended ÷ empty, rate at 16']
  const alone = await compare(answered, rounds, payments(ALONE, 1), empties(ALONE, 1))
  line(answered, alone.p50, against(alone.a.p50Ms, alone.b.p50Ms, 'ms'))
  const many = await compare(ended, rounds, untilEnded(payments(MANY, AT_ONCE)), empties(MANY, AT_ONCE))
  line(ended, many.rate, against(many.a.rate, many.b.rate, '/s'))
  if (isPaired()) return
  const naive = (): Promise<Round> => run(MANY, AT_ONCE, (index) => payNaively(client, 1 + (index % AT_ONCE)))
  await makeNaiveAccounts(AT_ONCE)
  await run(AT_ONCE, 4, () => payNaively(client, 1)) // warm-up
  const title = 'payment ended ÷ naive payment, rate at 16'
  const field = await compare(title, rounds, untilEnded(payments(MANY, AT_ONCE)), naive)
  line(title, field.rate, against(field.a.rate, field.b.rate, '/s'))
  await tellProcessorTime('payment', untilEnded(payments(MANY, AT_ONCE)))
  await tellProcessorTime('empty', empties(MANY, AT_ONCE))
  await tellProcessorTime('naive', naive)
  const commits = await run(MANY, AT_ONCE, threeCommits)
  console.log(
    `     G1 (b) the same three commits in plain SQL      p50 ${commits.p50Ms.toFixed(1)} ms, ${commits.rate.toFixed(0)}/s`,
  )
  await provePayers(payers)
  await connection.close()
}

/** G9: payments approved while Temporal is paused, and the time until they end after its return. */
export async function benchAway(apiUrl: string, temporal: { pause: (stands: boolean) => void }): Promise<void> {
  const payers = await makePayers(apiUrl, AT_ONCE)
  temporal.pause(true)
  const before = processorTimes()
  const answered = await run(AWAY, AT_ONCE, (index) => onePayment(itemAt(payers, index)))
  console.log(`     G9 processor time of each answer            ${processorTimeSince(before, AWAY)}`)
  temporal.pause(false)
  const back = performance.now()
  await untilIdle()
  const seconds = (performance.now() - back) / 1000
  console.log(
    `${seconds <= 30 ? 'ok  ' : 'MISS'} G9 ${AWAY} payments without Temporal, ended ${seconds.toFixed(1)} s after its return ` +
      `(goal ≤ 30 s); answered p50 ${answered.p50Ms.toFixed(1)} ms`,
  )
  await provePayers(payers)
}

/** Measures the rate of ended runs: the round lasts until no process is open. */
export const untilEnded = (round: () => Promise<Round>) => async (): Promise<Round> => {
  const started = performance.now()
  const answered = await round()
  await untilIdle()
  return { ...answered, rate: answered.count / ((performance.now() - started) / 1000) }
}

async function tellProcessorTime(name: string, round: () => Promise<Round>): Promise<void> {
  const before = processorTimes()
  await round()
  console.log(`     G1 processor time of each ${name.padEnd(22)}${processorTimeSince(before, MANY)}`)
}

async function oneEmpty(client: Client): Promise<void> {
  const id = randomUUID()
  const start = () =>
    new WithStartWorkflowOperation<typeof empty>('empty', {
      workflowId: `empty-${id}`,
      taskQueue: 'empty',
      args: [{ id }],
      workflowIdConflictPolicy: 'USE_EXISTING',
    })
  await client.workflow.executeUpdateWithStart(created, { startWorkflowOperation: start(), args: [] })
  const args: [{ decision_id: string }] = [{ decision_id: id }]
  await client.workflow.executeUpdateWithStart(decide, { startWorkflowOperation: start(), args })
}

async function threeCommits(): Promise<void> {
  for (let i = 0; i < 3; i += 1) await owner`insert into bench_rows values (${randomUUID()}, 'payment')`
}

/** Proves the books of each payer by the service itself. */
export async function provePayers(payers: readonly Payer[]): Promise<void> {
  for (const { call, organizationId } of payers) {
    const proof = await call('GET', `/organizations/${organizationId}/ledger/integrity`)
    if (!proof.ok) throw new Error(`the ledger of ${organizationId} does not balance`)
  }
}

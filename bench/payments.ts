/** G1 and G7: a payment through HTTP with everything on, against an empty workflow with the same start and update. */
import { randomUUID } from 'node:crypto'
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client'
import { processorTimeSince, processorTimes } from './cpu.ts'
import { type Round, compare, line, run } from './measure.ts'
import { created, decide, type empty } from './empty/workflow.ts'
import { type Owned, insertOwned, owner } from './owner.ts'

const ALONE = 40
const AT_ONCE = 16
const MANY = 240
const AWAY = 200

export type Payer = Owned & { readonly contactId: string }

/** Payers with money and one payee, made through the database and the sandbox. */
export async function makePayers(apiUrl: string, count: number): Promise<Payer[]> {
  const payee = await makeOrganization('payee')
  return Promise.all(
    Array.from({ length: count }, async () => {
      const payer = await makeOrganization('payer')
      await call(apiUrl, 'POST', '/sandbox/deposits', undefined, {
        organization_id: payer.organizationId,
        rail: 'fiat',
        amount: { amount: '1000000.00', currency: 'USD' },
      })
      const contact = await call(
        apiUrl,
        'POST',
        `/organizations/${payer.organizationId}/payment-contacts`,
        payer.token,
        {
          name: 'Payee',
          type: 'business',
          destinations: [{ type: 'svc_id', svc_id: payee.handle }],
        },
      )
      return { ...payer, contactId: contact.id }
    }),
  )
}

async function makeOrganization(name: string) {
  const handle = `b-${randomUUID().slice(0, 13)}`
  return { ...(await insertOwned(name, handle)), handle }
}

/** Any answer but 2xx ends the bench. */
async function call(
  apiUrl: string,
  method: string,
  path: string,
  token: string | undefined,
  body?: object,
): Promise<any> {
  const response = await fetch(`${apiUrl}/api/v1${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as object
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

/**
 * Create, approve, settled and visible. The step-up is earned by the side: people need longer than any of this. Answers
 * how long that took, which is none of the payment's time.
 */
export async function onePayment(apiUrl: string, payer: Payer): Promise<number> {
  const payment = await call(apiUrl, 'POST', '/payments', payer.token, {
    amount: { amount: '1.00', currency: 'USD' },
    payment_contact_id: payer.contactId,
    payout_reason: 'services',
    statement_description: 'Bench',
  })
  const path = `/organizations/${payer.organizationId}/approvals/${payment.approval_request_id}`
  const asked = performance.now()
  await earnStepUp(payer, payment.approval_request_id, `${path}/approve`)
  const aside = performance.now() - asked
  await call(apiUrl, 'POST', `${path}/approve`, payer.token, {})
  const { status } = await call(apiUrl, 'GET', `/payments/${payment.id}`, payer.token)
  if (status !== 'succeeded') throw new Error(`the payment is ${status}`)
  return aside
}

async function earnStepUp(payer: Payer, approvalId: string, path: string): Promise<void> {
  const { claimFor, storedHash } = await import('../db/idempotency.ts')
  const pattern = '/organizations/{organization_id}/approvals/{approval_id}/approve'
  const params = { organization_id: payer.organizationId, approval_id: approvalId }
  const { bodyHash } = claimFor(payer.userId, 'post', pattern, undefined, { params, body: {} })
  const written = await owner`
    insert into step_ups (session_id, user_id, operation, target, body_hash, mode, status, methods, delivery, factor,
      expires_at, verified_at)
    select ${payer.sessionId}, ${payer.userId}, ${`POST ${pattern}`}, 'approval:' || id || ':' || subject_hash, ${storedHash(bodyHash)},
      'once', 'verified', '{totp}', 'authenticator', 'totp', business_now() + interval '10 minutes', business_now()
    from approvals where id = ${approvalId} returning id`
  if (written.length !== 1) throw new Error(`no step-up for ${path}`)
}

/** The report lines of G1. */
export async function benchPayments(apiUrl: string, temporalAddress: string, rounds: number): Promise<void> {
  const payers = await makePayers(apiUrl, AT_ONCE)
  const connection = await Connection.connect({ address: temporalAddress })
  const client = new Client({ connection })
  const payments = (count: number, lanes: number) => (): Promise<Round> =>
    run(count, lanes, (index) => onePayment(apiUrl, payers[index % payers.length] ?? refuseEmpty()))
  const empties = (count: number, lanes: number) => (): Promise<Round> => run(count, lanes, () => oneEmpty(client))
  await payments(AT_ONCE, 4)() // warm
  await empties(AT_ONCE, 4)()
  const alone = await compare(rounds, payments(ALONE, 1), empties(ALONE, 1))
  line('G1 payment answered ÷ empty workflow, p50', alone.p50, { atMost: 1 }, ms(alone))
  const many = await compare(rounds, untilEnded(payments(MANY, AT_ONCE)), empties(MANY, AT_ONCE))
  line('G1 payment ended ÷ empty, rate at 16', many.rate, { atLeast: 1 }, perSecond(many))
  await tellProcessorTime('payment', untilEnded(payments(MANY, AT_ONCE)))
  await tellProcessorTime('empty', empties(MANY, AT_ONCE))
  const commits = await run(MANY, AT_ONCE, threeCommits)
  console.log(
    `     G1 (b) the same three commits in plain SQL      p50 ${commits.p50Ms.toFixed(1)} ms, ${commits.rate.toFixed(0)}/s`,
  )
  await provePayers(apiUrl, payers)
  await connection.close()
}

/**
 * G9: payments that are made and approved while Temporal stands still, and how long they take to end when it goes on.
 */
export async function benchAway(apiUrl: string, temporal: { pause: (stands: boolean) => void }): Promise<void> {
  const payers = await makePayers(apiUrl, AT_ONCE)
  temporal.pause(true)
  const before = processorTimes()
  const answered = await run(AWAY, AT_ONCE, (index) =>
    onePayment(apiUrl, payers[index % payers.length] ?? refuseEmpty()),
  )
  console.log(`     G9 processor time of each answer            ${processorTimeSince(before, AWAY)}`)
  temporal.pause(false)
  const back = performance.now()
  while ((await owner`select from processes limit 1`).length > 0) await new Promise((resume) => setTimeout(resume, 20))
  const seconds = (performance.now() - back) / 1000
  console.log(
    `${seconds <= 30 ? 'ok  ' : 'MISS'} G9 ${AWAY} payments without Temporal, ended ${seconds.toFixed(1)} s after its return ` +
      `(goal ≤ 30 s); answered p50 ${answered.p50Ms.toFixed(1)} ms`,
  )
  await provePayers(apiUrl, payers)
}

/** The same, and its rate is that at which the runs have ended: no process is open any more. */
const untilEnded = (round: () => Promise<Round>) => async (): Promise<Round> => {
  const started = performance.now()
  const answered = await round()
  while ((await owner`select from processes limit 1`).length > 0) await new Promise((resume) => setTimeout(resume, 10))
  return { ...answered, rate: MANY / ((performance.now() - started) / 1000) }
}

/** For orientation: which process a payment keeps busy, and for how long. */
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

async function provePayers(apiUrl: string, payers: readonly Payer[]): Promise<void> {
  for (const payer of payers) {
    const proof = await call(apiUrl, 'GET', `/organizations/${payer.organizationId}/ledger/integrity`, payer.token)
    if (!proof.ok) throw new Error(`the ledger of ${payer.organizationId} does not balance`)
  }
}

type Compared = { a: Round; b: Round }
const ms = (result: Compared) => `${result.a.p50Ms.toFixed(1)} ms against ${result.b.p50Ms.toFixed(1)} ms`
const perSecond = (result: Compared) => `${result.a.rate.toFixed(1)}/s against ${result.b.rate.toFixed(1)}/s`

function refuseEmpty(): never {
  throw new Error('no payers')
}

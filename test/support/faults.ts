/** Faults at exact moments, made from outside: statements that wait at a lock, commits that are durable and not told. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { expect } from 'vitest'
import { client } from '../../api/temporal.ts'
import {
  type Answer,
  type TestPerson,
  approvalPath,
  contact,
  createPayment,
  fund,
  organization,
  payerAndPayee,
  paymentBody,
  person,
  verifyStepUp,
} from './api.ts'
import { owner } from './database.ts'
import { call } from './processes.ts'

const CONDITION_MS = 25_000
const CONDITION_PAUSE_MS = 20
const INSIST_MS = 45_000
const INSIST_PAUSE_MS = 50

/** What the service does by itself from time to time, where a test cannot wait for it. */
export type Meanwhile = () => Promise<unknown>
const nothing: Meanwhile = async () => {}

/** Answers what the condition found, as soon as it finds something. */
export async function until<Found>(what: string, condition: () => Promise<Found | undefined | false>): Promise<Found> {
  const deadline = Date.now() + CONDITION_MS
  for (;;) {
    const found = await condition()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`in vain waited for: ${what}`)
    await delay(CONDITION_PAUSE_MS)
  }
}

/** The API that callers reach at this moment. */
export type Reach = () => { url: string }
export type Payment = { id: string; organization_id: string; approval_request_id: string }

/** Repeats a call while it is told to come again: a 503 says when, and no answer on the way is a 500. */
export async function insist(attempt: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + INSIST_MS
  for (;;) {
    const answer = await attempt()
    expectNoBug(answer)
    if (answer.status !== 503 || Date.now() > deadline) return answer
    await delay(INSIST_PAUSE_MS)
  }
}

/** Whatever is away: the answer is 503 with its Retry-After, never a 500. */
export function expectNoBug({ status, body, headers }: Answer): void {
  if (status < 500) return
  expect([status, body.error.type, headers.get('retry-after')]).toEqual([
    503,
    'service_unavailable',
    expect.any(String),
  ])
}

/** Creates a payment with this key, whatever happens meanwhile. */
export async function createInsistently(reach: Reach, by: TestPerson, contactId: string, amount: string, key: string) {
  const body = paymentBody(contactId, amount)
  const answer = await insist(() => call(reach(), 'POST', '/payments', { token: by.token, key, body }))
  expect(answer).toMatchObject({ status: 201 })
  return answer.body as Payment // the contract's Payment
}

/** Approves with this key through its step-up, whatever happens meanwhile. */
export async function approveInsistently(reach: Reach, by: TestPerson, payment: Payment, key: string): Promise<Answer> {
  const approve = () => call(reach(), 'POST', `${approvalPath(payment)}/approve`, { token: by.token, key, body: {} })
  return insist(async () => {
    const asked = await approve()
    if (asked.body.error?.type !== 'step_up_required') return asked
    const path = `/sandbox/step-up/${asked.body.error.step_up.id}/decide`
    const verified = await call(reach(), 'POST', path, { body: { decision: 'allow' } })
    return verified.status === 200 ? approve() : verified
  })
}

export type Payer = { boss: TestPerson; organizationId: string; contactId: string }

/** Payers with 1000.00 each, each of whom pays the next one in a ring: whoever settles locks books that others need. */
export async function ringOfPayers(count: number): Promise<Payer[]> {
  const people = await Promise.all(Array.from({ length: count }, () => person({ authenticator: true })))
  const members = await Promise.all(people.map(async (boss) => ({ boss, ...(await organization(boss, 'Payer')) })))
  return Promise.all(
    members.map(async ({ boss, id }, index) => {
      await fund(id, '1000.00')
      const next = members[(index + 1) % count]
      return { boss, organizationId: id, contactId: await contact(boss, id, next?.svcId ?? '') }
    }),
  )
}

export type Errand = { payer: Payer; amount: string; paid: boolean }

/** Creates each payment and approves those that are to be paid, so many at once, whatever happens meanwhile. */
export async function carryOut(reach: Reach, errands: Errand[], atOnce: number, answered: (count: number) => void) {
  const waiting = [...errands]
  const done: { id: string; paid: boolean }[] = []
  let answers = 0
  const lane = async () => {
    for (let errand = waiting.shift(); errand; errand = waiting.shift()) {
      const { payer, amount, paid } = errand
      const payment = await createInsistently(reach, payer.boss, payer.contactId, amount, randomUUID())
      answered((answers += 1))
      done.push({ id: payment.id, paid })
      if (!paid) continue
      const approved = await approveInsistently(reach, payer.boss, payment, randomUUID())
      expect(approved).toMatchObject({ status: 200, body: { status: 'approved' } })
      answered((answers += 1))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return done
}

/** Waits for every payment that was approved, then expects each exactly once and the books of all in order. */
export async function expectCarriedOut(
  reach: Reach,
  payers: Payer[],
  done: { id: string; paid: boolean }[],
  meanwhile = nothing,
) {
  const paid = done.filter((payment) => payment.paid).map(({ id }) => id)
  await until('every approved payment to succeed', async () => {
    await meanwhile()
    const [row] = await owner`select count(*)::int as n from payments where id = any (${paid}) and status = 'succeeded'`
    return row?.['n'] === paid.length
  })
  const [written] = await owner`
    select count(*)::int as n from payments where organization_id = any (${payers.map((payer) => payer.organizationId)})`
  expect(written).toEqual({ n: done.length })
  await expectOnce(done, meanwhile)
  const members = payers.map(({ boss, organizationId }) => ({ token: boss.token, organizationId }))
  await expectBooks(reach, members, `${payers.length * 1000}.00`)
}

/** What a worker writes, one transaction each. */
type Moment = 'create' | 'decide' | 'settle'

/** Makes every such transaction pass a gate before its first write of the moment; all gates are open. */
export async function installGates(): Promise<void> {
  await owner.unsafe(`
    create function pass_gate() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtextextended(tg_argv[0] || new.organization_id, 0));
      return new;
    end $$;
    create trigger create_gate before insert on payments for each row execute function pass_gate('create');
    create trigger decide_gate before insert on approval_decisions for each row execute function pass_gate('decide');
    create trigger settle_gate before update on payments for each row when (new.status = 'succeeded')
      execute function pass_gate('settle');`)
}

export type Gate = { waiting: () => Promise<number>; open: () => Promise<void> }

/** Closes a gate for one payer. `waiting` answers the backend of the transaction that came to it. */
export async function closeGate(moment: Moment, organizationId: string): Promise<Gate> {
  const session = postgres(process.env['MIGRATION_DATABASE_URL'] ?? '', { max: 1, onnotice: () => {} })
  const [keeper] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`
  await session`select pg_advisory_lock(hashtextextended(${moment + organizationId}, 0))`
  return {
    waiting: () =>
      until(`a worker to ${moment}`, async () => {
        const [waiter] = await owner<{ pid: number }[]>`
          select pid from pg_stat_activity where wait_event = 'advisory' and ${keeper?.pid ?? 0} = any (pg_blocking_pids(pid))`
        return waiter?.pid
      }),
    open: () => session.end({ timeout: 1 }),
  }
}

/** Commits that are written to disk, and that nobody is told of or sees, as if their answer were still under way. */
type HeldCommits = {
  /** Resolves when the backend's commit is held. */
  holds: (pid: number) => Promise<unknown>
  release: () => Promise<void>
  /** The server that starts next holds nothing; this one goes on holding. */
  releaseAtStart: () => Promise<void>
}

/** Holds every commit of the server: each waits for a standby that there is not, after its own log is flushed. */
async function holdCommits(): Promise<HeldCommits> {
  const held = async (pid: number) => {
    const [row] = await owner`select from pg_stat_activity where pid = ${pid} and wait_event = 'SyncRep'`
    return row !== undefined
  }
  const prober = postgres(process.env['MIGRATION_DATABASE_URL'] ?? '', { max: 1, onnotice: () => {} })
  const [probe] = await prober<{ pid: number }[]>`select pg_backend_pid() as pid`
  await owner.unsafe(`alter system set synchronous_standby_names = 'nobody'`)
  await owner`select pg_reload_conf()`
  let answered = true
  await until('the server to hold a commit of ours', () => {
    if (answered) {
      answered = false
      prober`select pg_logical_emit_message(true, 'probe', '')`.then(
        () => (answered = true),
        () => {}, // the server was killed
      )
    }
    return held(probe?.pid ?? 0)
  })
  return {
    holds: (pid) => until(`the commit of backend ${pid} to be held`, () => held(pid)),
    release: async () => {
      await owner.unsafe('alter system reset synchronous_standby_names')
      await owner`select pg_reload_conf()`
      await until('the server to let go', async () => answered)
      await prober.end()
    },
    releaseAtStart: async () => {
      await owner.unsafe('alter system reset synchronous_standby_names')
      await prober.end({ timeout: 0 })
    },
  }
}

type Step = {
  name: string
  moment: Moment
  /** Whether the transaction of the moment is committed; its worker has not heard of it. */
  committed: boolean
  /** Whether the worker had reported what went before. */
  reported?: true
  /** What Postgres holds when the fault comes. */
  left: 'awaiting_approval' | 'submitted' | 'succeeded' | undefined
}

/** Every moment of a payment's life that a fault can hit. */
export const STEPS: readonly Step[] = [
  { name: 'before the payment is written', moment: 'create', committed: false, left: undefined },
  { name: 'after the payment is written', moment: 'create', committed: true, left: 'awaiting_approval' },
  { name: 'before the decision is written', moment: 'decide', committed: false, left: 'awaiting_approval' },
  { name: 'after the decision, before it is reported', moment: 'decide', committed: true, left: 'submitted' },
  { name: 'between reserve and settlement', moment: 'settle', committed: false, left: 'submitted' },
  {
    name: 'between reserve and settlement, with the decision reported',
    moment: 'settle',
    committed: false,
    reported: true,
    left: 'submitted',
  },
  { name: 'after the settlement, before it is reported', moment: 'settle', committed: true, left: 'succeeded' },
]

type Parties = Awaited<ReturnType<typeof payerAndPayee>>
type Stopped = {
  step: Step
  parties: Parties
  gate: Gate
  pid: number
  /** What the client that waits is told in the end; undefined where the API dies. */
  answer: Promise<Answer | undefined>
  /** The same request, with the same key, again. */
  repeat: () => Promise<Answer>
}

/** One payment, stopped in the transaction of a step while its client waits. */
async function stopAt(step: Step, reach: Reach): Promise<Stopped> {
  const parties = await payerAndPayee('100.00')
  const { boss, payer, contactId } = parties
  const request = { token: boss.token, key: randomUUID() }
  const create = () => call(reach(), 'POST', '/payments', { ...request, body: paymentBody(contactId, '10.00') })
  const repeat = step.moment === 'create' ? create : await preparedApproval(reach, parties, request.key)
  const gate = await closeGate(step.moment, payer.id)
  const answer = repeat().catch(() => undefined)
  const pid = await gate.waiting()
  if (step.reported) expect(await answer).toMatchObject({ status: 200 })
  return { step, parties, gate, pid, answer, repeat }
}

/** An approval whose step-up is earned and not used. */
async function preparedApproval(reach: Reach, { boss, contactId }: Parties, key: string) {
  const payment: Payment = await createPayment(boss, contactId, '10.00')
  const approve = () => call(reach(), 'POST', `${approvalPath(payment)}/approve`, { token: boss.token, key, body: {} })
  await verifyStepUp(await approve())
  return approve
}

export type EveryStep = {
  stopped: (name: string) => Stopped
  /** Lets every transaction go on; where its worker is dead, it comes to nothing or was committed before. */
  release: () => Promise<void>
  /** Kills Postgres in the middle of all of them. */
  perish: (kill: () => Promise<void>) => Promise<void>
}

/** One payment at every step, all of them at the same time. */
export async function stopAtEveryStep(reach: Reach): Promise<EveryStep> {
  const slow = await Promise.all(STEPS.filter((step) => step.reported).map((step) => stopAt(step, reach)))
  const quick = await Promise.all(STEPS.filter((step) => !step.reported).map((step) => stopAt(step, reach)))
  const all = [...slow, ...quick]
  const commits = await holdCommits()
  for (const { step, gate, pid } of all) {
    if (!step.committed) continue
    await gate.open()
    await commits.holds(pid)
  }
  const openGates = () => Promise.all(all.filter(({ step }) => !step.committed).map(({ gate }) => gate.open()))
  return {
    stopped: (name) => all.find(({ step }) => step.name === name) ?? refuseName(name),
    release: async () => {
      await commits.release()
      await openGates()
    },
    perish: async (kill) => {
      await commits.releaseAtStart()
      await kill()
      await openGates() // their keepers died with the server
    },
  }
}

const refuseName = (name: string): never => {
  throw new Error(`there is no step ${name}`)
}

/** Waits until the transactions of a dead worker are over, and tells the payment that each step left behind. */
export async function whatIsLeft(every: EveryStep): Promise<Record<string, string | undefined>> {
  const left: Record<string, string | undefined> = {}
  for (const { name } of STEPS) {
    const { pid, parties } = every.stopped(name)
    await until(`backend ${pid} to end`, async () => {
      const rows = await owner`select from pg_stat_activity where pid = ${pid} and xact_start is not null`
      return rows.length === 0
    })
    const [payment] = await owner`select status from payments where organization_id = ${parties.payer.id}`
    left[name] = payment?.['status']
  }
  return left
}

const PAID_ONCE = {
  status: 'succeeded',
  approval: 'approved',
  decisions: 'approve',
  step_ups: 1,
  transfers: 'reserve settle',
  feed: 'in 1 out 1',
  repeated_events: null,
}
const WAITS = {
  status: 'awaiting_approval',
  approval: 'pending',
  decisions: null,
  step_ups: 0,
  transfers: null,
  feed: null,
  repeated_events: null,
}

/**
 * Expects that each payment is succeeded exactly once, in every book, or else waits untouched: one decision, one
 * step-up used, one reserve, one settlement, one row in the feed of each side, no event twice, its workflow ended.
 */
export async function expectOnce(payments: { id: string; paid: boolean }[], meanwhile = nothing): Promise<void> {
  const found = await owner`
    select p.id, p.status, a.status as approval,
      (select string_agg(d.decision, ' ') from approval_decisions d where d.approval_id = a.id) as decisions,
      (select count(*)::int from approval_decisions d join step_ups s on s.id = d.step_up_id
        where d.approval_id = a.id and s.status = 'consumed') as step_ups,
      (select string_agg(split_part(t.key, ':', 3), ' ' order by t.key) from ledger_transfers t
        where t.key like 'payment:' || p.id || ':%') as transfers,
      (select string_agg(side.direction || ' ' || side.rows, ' ' order by side.direction) from (
        select t.direction, count(*) as rows from transactions t
        where t.payment_id = p.id and t.status = 'posted' and t.amount = p.deducting_amount
          and case t.direction when 'in' then t.organization_id = p.payee_organization_id
            else t.organization_id = p.organization_id and t.id = p.transaction_id end
        group by 1) side) as feed,
      (select string_agg(twice.type, ' ') from (select e.type from events e where e.subject_id in (p.id, a.id)
        group by e.type having count(*) > 1) twice) as repeated_events
    from payments p join approvals a on a.id = p.approval_request_id
    where p.id = any (${payments.map(({ id }) => id)})`
  const byId = new Map(found.map(({ id, ...books }) => [id, books]))
  for (const { id, paid } of payments) {
    expect(byId.get(id), `payment ${id}`).toEqual(paid ? PAID_ONCE : WAITS)
    const expected = paid ? 'COMPLETED' : 'RUNNING'
    await until(`the workflow of ${id} to be ${expected}`, async () => {
      await meanwhile()
      const { status } = await client.workflow.getHandle(`payment-${id}`).describe()
      return status.name === expected
    })
  }
}

/** Expects that the books of each organization hold together, and that together they have what they had. */
export async function expectBooks(reach: Reach, members: { token: string; organizationId: string }[], total: string) {
  for (const { token, organizationId } of members) {
    const { body } = await call(reach(), 'GET', `/organizations/${organizationId}/ledger/integrity`, { token })
    expect(body).toMatchObject({ ok: true })
  }
  const [sum] = await owner`
    select sum(balance) filter (where kind = 'available')::numeric(20, 2) as available,
      sum(balance) filter (where kind = 'held')::numeric(20, 2) as held
    from ledger_accounts where organization_id = any (${members.map((member) => member.organizationId)})`
  expect(sum).toEqual({ available: total, held: '0.00' })
}

/**
 * Expects that the client that waited was told the truth or 503 (nothing, where the API died), that whoever asks again
 * with its key gets the truth, and that the payment was paid exactly once.
 */
export async function expectRecovered(
  reach: Reach,
  { step, parties, answer, repeat }: Stopped,
  { apiLived = true, meanwhile = nothing } = {},
): Promise<void> {
  const { boss, payeeBoss, payer, payee } = parties
  const first = await answer
  const again = await insist(repeat)
  const expected = step.moment === 'create' ? 201 : 200
  if (first) expectNoBug(first)
  expect(apiLived ? [expected, 503] : [undefined]).toContain(first?.status)
  expect(again).toMatchObject({ status: expected })
  const [payment, ...others] = await owner<Payment[]>`
    select id, organization_id, approval_request_id from payments where organization_id = ${payer.id}`
  if (!payment) throw new Error('a key that answered 201 has no payment')
  expect(others).toEqual([])
  if (step.moment === 'create') {
    expect(again.body.id).toBe(payment.id)
    await expectOnce([{ id: payment.id, paid: false }], meanwhile)
    expect(await approveInsistently(reach, boss, payment, randomUUID())).toMatchObject({ status: 200 })
  }
  await until('the payment to succeed', async () => {
    await meanwhile()
    const { body } = await insist(() => call(reach(), 'GET', `/payments/${payment.id}`, { token: boss.token }))
    return body.status === 'succeeded'
  })
  await expectOnce([{ id: payment.id, paid: true }], meanwhile)
  const members = [
    { token: boss.token, organizationId: payer.id },
    { token: payeeBoss.token, organizationId: payee.id },
  ]
  await expectBooks(reach, members, '100.00')
}

/** Faults at exact moments: statements that wait at a lock, and durable commits that are not answered. */
import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { type Answer, approvalPath, createPayment, payerAndPayee, paymentBody, verifyStepUp } from '../api.ts'
import { owner } from '../database.ts'
import { type Gate, type Moment, closeGate, installGates } from './gates.ts'
import { call } from '../processes.ts'
import { until } from '../until.ts'
import type { Payment, Reach } from './outcomes.ts'

/** Makes each transaction of a payment pass a gate before its first write of the moment. */
export const installPaymentGates = (): Promise<void> =>
  installGates({
    create: { on: 'insert on payments' },
    decide: { on: 'insert on approval_decisions' },
    settle: { on: 'update on payments', when: "new.status = 'succeeded'" },
    look: { on: 'update on processes', when: 'old.unseen_since is not null and new.unseen_since is null' },
  })

/** Commits on disk that no one sees yet, as if their answer were still under way. */
type HeldCommits = {
  /** Resolves when the backend's commit is held. */
  holds: (pid: number) => Promise<unknown>
  release: () => Promise<void>
  /** Lets the next server hold nothing; this one goes on holding. */
  releaseAtStart: () => Promise<void>
}

/** Holds every commit of the server: each waits for a missing standby after its own log is flushed. */
export async function holdCommits(): Promise<HeldCommits> {
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

type Status = 'awaiting_approval' | 'succeeded'
type Step = {
  name: string
  moment: Moment
  /** Whether the transaction of the moment is committed, unknown to its sender. */
  committed: boolean
  /** The status in Postgres once it completes. */
  done: Status
}

const CREATION = { moment: 'create', done: 'awaiting_approval' } as const

/** Every moment of a payment's life that a fault can hit: in its requests, and in a look of its run. */
export const STEPS: readonly Step[] = [
  { name: 'before the payment is written', ...CREATION, committed: false },
  { name: 'after the payment is written, before anybody is told', ...CREATION, committed: true },
  { name: 'before the decision is written', moment: 'decide', committed: false, done: 'succeeded' },
  { name: 'between decision and settlement', moment: 'settle', committed: false, done: 'succeeded' },
  { name: 'after the settlement, before anybody is told', moment: 'settle', committed: true, done: 'succeeded' },
  { name: 'before a look has seen the payment', ...CREATION, moment: 'look', committed: false },
]

type Parties = Awaited<ReturnType<typeof payerAndPayee>>
export type Stopped = {
  step: Step
  parties: Parties
  gate: Gate
  pid: number
  /** The final answer to the waiting client, or the one before the look; undefined if the API dies. */
  answer: Promise<Answer | undefined>
  /** Repeats the request with the same key. */
  repeat: () => Promise<Answer>
}

async function stopAt(step: Step, reach: Reach): Promise<Stopped> {
  const parties = await payerAndPayee('100.00')
  const { boss, payer, contactId } = parties
  const request = { token: boss.token, key: randomUUID() }
  const create = () => call(reach(), 'POST', '/payments', { ...request, body: paymentBody(contactId, '10.00') })
  const isCreation = step.moment === 'create' || step.moment === 'look'
  const repeat = isCreation ? create : await preparedApproval(reach, parties, request.key)
  const gate = await closeGate(step.moment, payer.id)
  const answer = repeat().catch(() => undefined)
  const pid = await gate.waiting()
  return { step, parties, gate, pid, answer, repeat }
}

async function preparedApproval(reach: Reach, { boss, contactId }: Parties, key: string) {
  const payment: Payment = await createPayment(boss, contactId, '10.00')
  const approve = () => call(reach(), 'POST', `${approvalPath(payment)}/approve`, { token: boss.token, key, body: {} })
  await verifyStepUp(await approve())
  return approve
}

export type EveryStep = {
  stopped: (name: string) => Stopped
  /** Lets every transaction go on; a dead sender's is rolled back, or was committed before. */
  release: () => Promise<void>
  perish: (kill: () => Promise<void>) => Promise<void>
}

export async function stopAtEveryStep(reach: Reach): Promise<EveryStep> {
  const all = await Promise.all(STEPS.map((step) => stopAt(step, reach)))
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
      await openGates() // their locks died with the server
    },
  }
}

const refuseName = (name: string): never => {
  throw new Error(`there is no step ${name}`)
}

export const isOver = (pid: number): Promise<unknown> =>
  until(`the transaction of backend ${pid} to end`, async () => {
    const rows = await owner`select from pg_stat_activity where pid = ${pid} and xact_start is not null`
    return rows.length === 0
  })

/** Waits for the end of the stopped transactions; returns the payment that each step left. */
export async function whatIsLeft(every: EveryStep): Promise<Record<string, string | undefined>> {
  const left: Record<string, string | undefined> = {}
  for (const { name } of STEPS) {
    const { pid, parties } = every.stopped(name)
    await isOver(pid)
    const [payment] = await owner`select status from payments where organization_id = ${parties.payer.id}`
    left[name] = payment?.['status']
  }
  return left
}

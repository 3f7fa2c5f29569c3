/** Offered load of a rehearsal: an open loop of payments and reads, which never repeats what failed. */
import { setTimeout as delay } from 'node:timers/promises'

import { itemAt, quantile } from '../../bench/measure.ts'
import type { Flags } from './flags.ts'
import type { Answer, Ask, Payer } from './town.ts'

export type PaidPayment = { readonly id: string; readonly rail: 'svc_id' | 'bank' }

type Sample = { readonly at: number; readonly ms: number }

export type Load = {
  /** Payments that their approver approved. */
  readonly approved: PaidPayment[]
  readonly offered: () => number
  readonly failures: string[]
  /** Computes a quantile of the milliseconds of the calls that began between two instants. */
  readonly quantileMs: (share: number, from: number, to: number) => number
  /** Ends the loop; resolves when all calls are answered. */
  readonly stop: () => Promise<void>
}

/** Begins to offer `rate` payments a second, each with its approval, its step-up and reads. */
export function offerLoad(ask: Ask, payers: readonly Payer[], { rate, reads }: Flags): Load {
  const [approved, failures, samples]: [PaidPayment[], string[], Sample[]] = [[], [], []]
  let offered = 0
  const call = async (wanted: readonly number[], ...args: Parameters<Ask>): Promise<Answer> => {
    offered += 1
    const at = Date.now()
    const began = performance.now()
    const answer = await ask(...args)
    samples.push({ at, ms: performance.now() - began })
    if (wanted.includes(answer.status)) return answer
    const time = new Date(at).toISOString().slice(11, 19)
    failures.push(
      `${time} ${args[0]} ${args[1]} answered ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`,
    )
    throw new RequestFailure()
  }
  const pay = async (index: number) => {
    const payer = itemAt(payers, index)
    const rail = index % 2 ? ('bank' as const) : ('svc_id' as const)
    const id = await payOnce(call, payer, rail)
    approved.push({ id, rail })
    for (let read = 0; read < reads; read += 1) await call([200], 'GET', `/payments/${id}`, undefined, payer.token)
  }
  const loop = loopEvery(1000 / rate, (index) =>
    pay(index).catch((error: unknown) => {
      if (!(error instanceof RequestFailure)) failures.push(String(error))
    }),
  )
  return {
    approved,
    failures,
    offered: () => offered,
    quantileMs: (share, from, to) =>
      quantile(
        samples.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms),
        share,
      ),
    stop: loop.stop,
  }
}

/** A call that failed and is counted already. */
class RequestFailure extends Error {}

export type Call = (wanted: readonly number[], ...args: Parameters<Ask>) => Promise<Answer>

/** Creates and approves one payment, allowing its step-up as a device of the approver would. */
export async function payOnce(call: Call, payer: Payer, rail: PaidPayment['rail']): Promise<string> {
  const { id, approve } = await requestPayment(call, payer, rail)
  await approve()
  return id
}

/** Creates a payment; `approve` approves it. */
export async function requestPayment(
  call: Call,
  { organizationId, token, contacts }: Payer,
  rail: PaidPayment['rail'],
): Promise<{ id: string; approve: () => Promise<void> }> {
  const terms = { payout_reason: 'services', statement_description: 'Rehearsal' }
  const order = {
    payment_contact_id: contacts[rail],
    amount: { amount: '1.00', currency: rail === 'bank' ? 'EUR' : 'USD' },
  }
  const execute = async () => {
    const { body: quote } = await call([200], 'POST', '/payments/preflight', { ...order, side: 'landing' }, token)
    return call([201], 'POST', '/payments/execute', { ...terms, quote_id: quote.quote_id }, token)
  }
  const { body: payment } = await (rail === 'bank'
    ? execute()
    : call([201], 'POST', '/payments', { ...terms, ...order }, token))
  const path = `/organizations/${organizationId}/approvals/${payment.approval_request_id}/approve`
  return {
    id: payment.id,
    approve: async () => void (await callProved(call, 'POST', path, {}, token)),
  }
}

/** Makes a call, allowing the step-up that it may ask for as a device of the person would. */
export async function callProved(call: Call, ...args: Parameters<Ask>): Promise<any> {
  const asked = await call([200, 201, 403], ...args)
  if (asked.status !== 403) return asked.body
  await call([200], 'POST', `/sandbox/step-up/${asked.body.error.step_up?.id}/decide`, { decision: 'allow' })
  return (await call([200, 201], ...args)).body
}

/** Starts work at a constant interval, however long the works before take. */
function loopEvery(everyMs: number, work: (index: number) => Promise<void>): { stop: () => Promise<void> } {
  const underWay = new Set<Promise<void>>()
  let stopped = false
  const run = async () => {
    const started = performance.now()
    for (let index = 0; !stopped; index += 1) {
      const early = started + index * everyMs - performance.now()
      if (early > 0) await delay(early)
      const working = work(index).finally(() => underWay.delete(working))
      underWay.add(working)
    }
  }
  const running = run()
  return {
    async stop() {
      stopped = true
      await running
      await Promise.all(underWay)
    },
  }
}

/** Clients of a chaos run: they complete their errands whatever dies, with idempotent repeats. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Call, TestPerson } from '../api.ts'
import { type BatchErrand, type KnownBatch, batchErrand, payBatch } from './batches.ts'
import { type Handed, orderOfBill } from './bills.ts'
import { type House, RAILS, type Rail, currencyOf } from './city.ts'
import { OTHER, OWN } from '../deposits/deposits.ts'
import { call } from '../processes.ts'

type Random = (limit: number) => number
/** Intended ends of a payment; a `short` one gets fewer approvals than its policy asks for. */
const STORIES = ['pay', 'short', 'reject', 'withdraw', 'cancel', 'fail', 'hold', 'reverse'] as const
export type Story = (typeof STORIES)[number]

export type Errand =
  | { kind: 'payment'; house: House; rail: Rail; story: Story; by: TestPerson; amount: string; bill?: Handed }
  | { kind: 'deposit'; house: House; rail: 'fiat' | 'crypto'; amount: string; answered: 'own' | 'other' | 'never' }
  | { kind: 'swap'; house: House; amount: string }
  | BatchErrand

/** The clients' knowledge of their own calls, with the answered amounts. */
export type Known = {
  payments: {
    id: string
    house: House
    rail: Rail
    story: Story
    deducting: string
    landing: string
    currency: string
  }[]
  deposits: { id: string; house: House; amount: string; currency: string }[]
  swaps: { house: House; source: string; target: string }[]
  batches: KnownBatch[]
  complaints: string[]
  repeats: number
}

/** Errands for this number of payments, with bills, deposits, swaps and batches among them. */
export function errandsFor(houses: readonly House[], payments: number, random: Random): Errand[] {
  const any = <One>(all: readonly One[]): One => all[random(all.length)] as One
  const paying = Array.from({ length: payments }, (_, index): Errand => {
    const house = any(houses)
    const rail = RAILS[index % RAILS.length] as Rail
    const amount = `${1 + random(40)}.${10 + random(90)}`
    const order = {
      kind: 'payment',
      house,
      rail,
      story: storyFor(rail, random),
      by: any(house.requesters),
      amount,
    } as const
    const bill = rail === 'fiat' ? any([undefined, 'typed', house.hasDollars ? 'typed' : 'file'] as const) : undefined
    return bill ? { ...order, bill } : order
  })
  const others = Array.from({ length: Math.ceil(payments / 6) }, (_, index): Errand => {
    const house = any(houses)
    if (index % 3 === 2) return { kind: 'swap', house, amount: `${1 + random(90)}.00` }
    const rail = index % 3 === 0 ? 'crypto' : 'fiat'
    const amount = rail === 'crypto' && random(3) > 0 ? `${1000 + random(900)}.00` : `${1 + random(90)}.00`
    return { kind: 'deposit', house, rail, amount, answered: any(['own', 'other', 'never'] as const) }
  })
  const batches = Array.from({ length: Math.ceil(payments / 6) }, () => {
    const house = any(houses)
    return batchErrand(house, any(house.requesters), random)
  })
  const all = [...paying]
  for (const other of [...others, ...batches]) all.splice(random(all.length), 0, other)
  return all
}

function storyFor(rail: Rail, random: Random): Story {
  const lot = random(100)
  if (lot < 50) return 'pay'
  if (lot < 58) return 'short'
  if (lot < 64) return 'reject'
  if (lot < 70) return 'withdraw'
  if (rail === 'svc_id') return 'pay'
  if (lot < 80) return rail === 'crypto' ? 'cancel' : 'pay'
  return (['fail', 'hold', 'reverse'] as const)[random(3)] ?? 'pay'
}

const PAUSE_MS = 100
/** Statuses to retry: unavailable, still running, rate limited. */
const AGAIN = new Set([429, 503])

export class Overdue extends Error {}
export type Town = { url: () => string; deadline: () => number; known: Known }

async function insist({ url, deadline, known }: Town, method: string, path: string, given: Call): Promise<Answer> {
  for (;;) {
    const answer = await call({ url: url() }, method, path, given).catch(() => undefined)
    const type = answer?.body?.error?.type
    if (answer && answer.status >= 500 && answer.status !== 503) known.complaints.push(`${method} ${path}: ${type}`)
    if (answer && !AGAIN.has(answer.status)) return answer
    if (Date.now() > deadline()) throw new Overdue(`${method} ${path}: ${answer?.status ?? 'no answer'} ${type ?? ''}`)
    known.repeats += 1
    await delay(PAUSE_MS)
  }
}

/** Sends a call until its final answer, and complains unless it has the expected status. */
async function must(town: Town, expected: number, method: string, path: string, given: Call): Promise<any> {
  const answer = await insist(town, method, path, given)
  if (answer.status === expected) return answer.body
  throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body.error ?? answer.body)}`)
}

export const sendingOf = (town: Town): Parameters<typeof payBatch>[0] => ({
  insist: (method, path, given) => insist(town, method, path, given),
  must: (expected, method, path, given) => must(town, expected, method, path, given),
  put: (url, headers, body) => put(town, url, headers, body),
  approve: (by, target) => approve(town, by, target),
  known: (batch) => void town.known.batches.push(batch),
})

async function put({ deadline, known }: Town, url: string, headers: Record<string, string>, body: string) {
  const { 'content-length': _, ...rest } = headers // fetch sets it itself
  for (;;) {
    const status = await fetch(url, { method: 'PUT', headers: rest, body }).then(
      (answer) => answer.text().then(() => answer.status),
      () => 0,
    )
    if (status >= 500 && status !== 503) known.complaints.push(`PUT ${url}: ${status}`)
    if (status > 0 && !AGAIN.has(status)) return status
    if (Date.now() > deadline()) throw new Overdue(`PUT ${url}: ${status}`)
    known.repeats += 1
    await delay(PAUSE_MS)
  }
}

type Payment = { id: string; organization_id: string; approval_request_id: string }
const pathOf = (payment: Payment) =>
  `/organizations/${payment.organization_id}/approvals/${payment.approval_request_id}`

/** Approves through the step-up with a double click: both get the same answer. */
async function approve(town: Town, by: TestPerson, payment: Payment): Promise<void> {
  const path = `${pathOf(payment)}/approve`
  const key = randomUUID()
  const click = async () => {
    for (;;) {
      const { status, body } = await insist(town, 'POST', path, { token: by.token, key, body: {} })
      if (status === 200) return
      const { type, step_up: proof } = body.error
      if (type !== 'step_up_required') throw new Error(`approve: ${status} ${JSON.stringify(body.error)}`)
      await insist(town, 'POST', `/sandbox/step-up/${proof.id}/decide`, { body: { decision: 'allow' } })
    }
  }
  await Promise.all([click(), click()])
}

async function order(town: Town, errand: Errand & { kind: 'payment' }): Promise<any> {
  const { house, rail, by, amount, bill } = errand
  if (bill) return orderOfBill(sendingOf(town), errand, bill)
  const [token, key, to] = [by.token, randomUUID(), house.contacts[rail]]
  const asked = { amount, currency: currencyOf(house, rail) }
  const text = { payout_reason: 'services', statement_description: 'Invoice 1' }
  if (rail === 'svc_id') {
    return must(town, 201, 'POST', '/payments', {
      token,
      key,
      body: { ...text, amount: asked, payment_contact_id: to },
    })
  }
  const quote = await must(town, 200, 'POST', '/payments/preflight', {
    token,
    body: { payment_contact_id: to, amount: asked, side: 'landing' },
  })
  return must(town, 201, 'POST', '/payments/execute', { token, key, body: { ...text, quote_id: quote.quote_id } })
}

const LED = { fail: 'failed', hold: 'on_hold', reverse: 'reversed' } as const

async function pay(town: Town, errand: Errand & { kind: 'payment' }): Promise<void> {
  const { house, rail, story, by } = errand
  const payment = await order(town, errand)
  const [deducting, landing] = [payment.deducting.amount, payment.landing.amount]
  const { currency } = payment.deducting
  town.known.payments.push({ id: payment.id, house, rail, story, deducting, landing, currency })
  if (story === 'reject' || story === 'withdraw') {
    const [deed, whom] = story === 'reject' ? ['reject', house.approvers[0] ?? by] : ['cancel', by]
    await must(town, 200, 'POST', `${pathOf(payment)}/${deed}`, { token: whom.token, key: randomUUID(), body: {} })
    return
  }
  const approvers = story === 'short' ? house.approvers.slice(0, -1) : house.approvers
  const cancelled = async () => {
    const answer = await insist(town, 'POST', `/payments/${payment.id}/cancel`, { token: by.token })
    if (answer.status !== 200 && answer.body.error.type !== 'payment_not_cancellable') {
      throw new Error(`cancel: ${JSON.stringify(answer.body)}`)
    }
  }
  for (const one of approvers) {
    await Promise.all([approve(town, one, payment), ...(story === 'cancel' ? [cancelled(), cancelled()] : [])])
  }
  if (story === 'cancel') await cancelled()
  else if (story in LED) await lead(town, by, payment.id, story as keyof typeof LED)
}

/** Acts as the partner's staff: stops a payment in time, or returns it after success. */
async function lead(town: Town, by: TestPerson, id: string, story: keyof typeof LED): Promise<void> {
  const patience = Date.now() + 20_000
  for (;;) {
    const answer = await insist(town, 'POST', `/sandbox/payments/${id}/advance`, { body: { to: LED[story] } })
    if (answer.status === 200 || story !== 'reverse' || Date.now() > patience) return
    const { body } = await insist(town, 'GET', `/payments/${id}`, { token: by.token })
    if (body.status === 'failed' || body.status === 'reversed') return
    await delay(PAUSE_MS)
  }
}

async function receive(town: Town, errand: Errand & { kind: 'deposit' }): Promise<void> {
  const { house, rail, amount, answered } = errand
  const currency = currencyOf(house, rail)
  const body = { organization_id: house.id, rail, amount: { amount, currency } }
  const deposit = await must(town, 201, 'POST', '/sandbox/deposits', { key: randomUUID(), body })
  town.known.deposits.push({ id: deposit.id, house, amount, currency })
  if (deposit.status !== 'held' || answered === 'never') return
  const path = `/deposits/${deposit.id}/sender-travel-rule`
  const said = { token: house.people[0].token, key: randomUUID(), body: answered === 'own' ? OWN : OTHER }
  await insist(town, 'POST', path, said) // its status is read in the end
}

async function exchange(town: Town, { house, amount }: Errand & { kind: 'swap' }): Promise<void> {
  const { token } = house.people[0]
  for (;;) {
    const asked = { source_currency: 'USD', target_currency: 'EUR', source_amount: amount }
    const quote = await must(town, 200, 'POST', `/organizations/${house.id}/swaps/quote`, { token, body: asked })
    const given = { token, key: randomUUID(), body: { quote_id: quote.quote_id } }
    const { status, body } = await insist(town, 'POST', '/swaps/execute', given)
    if (status === 201) {
      town.known.swaps.push({ house, source: quote.source_amount, target: quote.target_amount })
      return
    }
    if (body.error.type !== 'quote_expired') throw new Error(`swap: ${status} ${JSON.stringify(body.error)}`)
  }
}

function doing(town: Town, errand: Errand): Promise<void> {
  if (errand.kind === 'payment') return pay(town, errand)
  if (errand.kind === 'deposit') return receive(town, errand)
  return errand.kind === 'swap' ? exchange(town, errand) : payBatch(sendingOf(town), errand)
}

/** Completes all errands, `atOnce` at a time; failures become complaints. */
export async function carryOut(town: Town, errands: readonly Errand[], atOnce: number): Promise<void> {
  const waiting = [...errands]
  const lane = async () => {
    for (let errand = waiting.shift(); errand; errand = waiting.shift()) {
      await doing(town, errand).catch((error: unknown) => town.known.complaints.push(String(error)))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/** Bills led by the commands of their model, and compared with it: API, balances, log and books. */
import { expect } from 'vitest'
import { type Try, beginReading, noteFailedReading, noteUnreadable } from '../../../services/bills/reading.ts'
import type { Reading } from '../../../domain/bills/reader.ts'
import type { BillId, OrganizationId } from '../../../domain/ids.ts'
import { type Answer, type TestPerson, api, fund } from '../api.ts'
import type { Role } from '../approvals/model.ts'
import { takeOver, takeSteps } from './runs.ts'
import {
  type Command,
  type Model,
  type Race,
  answerTo,
  answerToPerson,
  carriedOut,
  currentOf,
  made,
  moneyOf,
} from './payment-model.ts'
import { IBAN, cancel, change, create, detail, requestPayment, sentFile, typedBill } from './bills.ts'
import { owner } from '../database.ts'
import { RULES, type RuleName, bankSays, decided, payerUnder, told } from '../walks.ts'

export const ROLES: readonly (Role | undefined)[] = ['owner', 'admin', 'admin', 'member', undefined]
export type Scene = {
  readonly m: Model
  readonly id: string
  readonly people: readonly TestPerson[]
  readonly payer: { readonly id: string }
  readonly trials: Try[]
  asked?: { id: string; organization_id: string; approval_request_id: string }
}

const money = (cents: number): string => (cents / 100).toFixed(2)
const SUPPLIER = { currency: 'EUR', supplier_name: 'Müller & Söhne GmbH', iban: IBAN }

/** A bill of an unread file, or a typed one of 10.00. */
export async function scene(rule: RuleName, hasFile: boolean, cents: number): Promise<Scene> {
  const { payer, people } = await payerUnder(ROLES, rule, 'withdrawal')
  const boss = people[0] as TestPerson
  if (cents > 0) await fund(payer.id, money(cents), 'EUR')
  const bill = hasFile
    ? await billOfFile(boss, payer.id)
    : await typedBill(boss, payer.id, { ...SUPPLIER, amount: '10.00' })
  return { m: made(ROLES, RULES[rule], hasFile, cents), id: bill.id, people, payer, trials: [] }
}

async function billOfFile(by: TestPerson, organizationId: string) {
  const fileId = await sentFile(by, organizationId, Buffer.from('<bill/>'), 'application/xml')
  return (await create(by, organizationId, { file_id: fileId })).body
}

const named = (s: Scene, who: number): TestPerson => s.people[who] as TestPerson
const paymentOf = (s: Scene) => ({ id: s.asked?.id ?? '', organizationId: s.payer.id })
const refOf = (s: Scene) => ({ id: s.id as BillId, organizationId: s.payer.id as OrganizationId })

async function deed(s: Scene, command: Command): Promise<string> {
  if ('way' in command) return decided(s.asked, command.do, named(s, command.who))
  const { id: organizationId } = s.payer as { id: OrganizationId }
  switch (command.do) {
    case 'begin': {
      const begun = await beginReading(organizationId, s.id as BillId)
      if (begun) s.trials.push(begun)
      await takeSteps(refOf(s))
      return 'done'
    }
    case 'found':
    case 'broke':
    case 'unreadable':
      await ended(s, command)
      return 'done'
    case 'type':
      return told(
        await change(named(s, command.who), s.id, { amount: command.cents === null ? null : money(command.cents) }),
      )
    case 'extract':
      return told(await api('POST', `/bills/${s.id}/extract`, { token: named(s, command.who).token, body: {} }))
    case 'put away':
      return told(await cancel(named(s, command.who), s.id))
    case 'request':
      return requested(s, await requestPayment(named(s, command.who), s.id))
    case 'bank says':
      await bankSays(
        { ...paymentOf(s), isOrdered: currentOf(s.m)?.status !== 'submitted' },
        command.word,
        (id) => owner`update payments set callbacks_received = callbacks_received + 1, ask_at = null where id = ${id}`,
      )
      return 'done'
    default:
      throw new Error('two people at once are for race()')
  }
}

function requested(s: Scene, answer: Answer): string {
  const { fiat_outgoing_id: id, ...rest } = answer.body
  if (answer.status === 200) s.asked = { ...rest, id }
  return told(answer)
}

async function ended(s: Scene, command: Command & { trial: number }): Promise<void> {
  const trial = s.trials[command.trial]
  const { id: organizationId } = s.payer as { id: OrganizationId }
  if (!trial) return
  if (command.do === 'broke') await noteFailedReading(organizationId, trial)
  if (command.do === 'unreadable') await noteUnreadable(organizationId, trial, 'The file is damaged.')
  if (command.do === 'found') await takeOver(organizationId, trial, [readingOf(command.cents)])
  await takeSteps(refOf(s))
}

function readingOf(cents: number | null): Reading {
  const values = { ...SUPPLIER, ...(cents !== null && { amount: money(cents) }) }
  const fields = Object.entries(values).map(([field, value]) => ({
    field: field as keyof typeof values, // each key is a field
    value,
    page: null,
    box: null,
    text: null,
    confidence: 1,
  }))
  return { method: 'ubl', fields, doubts: [], notPayable: null }
}

/** Gives the command to model and service; expects the same answer and the same visible state. */
export async function perform(s: Scene, command: Command, trace: string[] = []): Promise<void> {
  trace.push(JSON.stringify(command))
  if (command.do === 'request and put away' || command.do === 'request twice') await race(s, command, trace)
  else {
    const wanted = answerTo(s.m, command)
    expect(await deed(s, command), trace.join(', ')).toBe(wanted)
    if (wanted === 'done') carriedOut(s.m, command)
  }
  await lookIfWoken(s)
  await agrees(s, trace.join(', '))
}

/** Runs two commands concurrently: the answers are those of one order or of the other. */
async function race(s: Scene, { do: both, who, other }: Race, trace: string[]): Promise<void> {
  const deeds = [
    { do: 'request', who },
    { do: both === 'request twice' ? 'request' : 'put away', who: other },
  ] as const
  const answers = await Promise.all(deeds.map((one) => deed(s, one)))
  const orders = [deeds, deeds.toReversed()].map((order) => {
    const after = structuredClone(s.m)
    const wanted = order.map((one) => {
      const answer = answerToPerson(after, one)
      if (answer === 'done') carriedOut(after, one)
      return answer
    })
    return { after, wanted: order === deeds ? wanted : wanted.toReversed() }
  })
  const fits = orders.find(({ wanted }) => wanted.join() === answers.join())
  expect(
    orders.map(({ wanted }) => wanted.join()),
    trace.join(', '),
  ).toContain(answers.join())
  Object.assign(s.m, fits?.after)
}

async function lookIfWoken(s: Scene): Promise<void> {
  const woken = () => owner`select from processes where id = ${s.id} and unseen_since is not null`
  while ((await woken()).length > 0) await takeSteps(refOf(s))
}

/** Compares the bill, its payments and the money, in the API and in the log, with the model. */
async function agrees(s: Scene, trace: string): Promise<void> {
  const { m } = s
  const { bill, events } = await detail(named(s, 0), s.id)
  const current = currentOf(m)
  expect(
    {
      status: bill.status,
      amount: bill.amount,
      failed: bill.extraction_failed_at !== null,
      payment: bill.fiat_outgoing_id,
      approval: bill.approval_request_id,
    },
    trace,
  ).toEqual({
    status: m.status,
    amount: m.cents === null ? null : money(m.cents),
    failed: m.failed,
    payment: current ? s.asked?.id : null,
    approval: current ? s.asked?.approval_request_id : null,
  })
  expect(
    events.map(({ event_type: type }: { event_type: string }) => type.replace('bill.', '')),
    trace,
  ).toEqual(m.log)
  const ends = events.filter(({ event_type: type }: { event_type: string }) => type === 'bill.payment_ended')
  const caused =
    await owner`select id from events where stream = 'payments' and id = any (${ends.map((one: { causation_id: string }) => one.causation_id)})`
  expect(caused.length, trace).toBe(ends.length)
  const payments = await owner<{ cents: number; status: string }[]>`
    select (landing_amount * 100)::int as cents, status from payments where bill_id = ${s.id} order by inserted_at, id`
  expect(
    payments.map(({ cents, status }) => ({ cents, status })),
    trace,
  ).toEqual(m.payments.map(({ cents, status }) => ({ cents, status })))
  const { body } = await api('GET', `/organizations/${s.payer.id}/balances`, { token: named(s, 0).token })
  const euros = body.data.find(({ currency }: { currency: string }) => currency === 'EUR')
  const cents = (amount: { amount: string } | undefined) => Math.round(Number(amount?.amount ?? '0') * 100)
  expect({ available: cents(euros?.available), held: cents(euros?.held) }, trace).toEqual(moneyOf(m))
}

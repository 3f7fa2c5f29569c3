/** A bill and its payments against a plain model: random walks of people, reading and bank. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inLanes } from '../../../platform/concurrency.ts'
import { BILL_STATUSES } from '../../../domain/bills/flow.ts'
import { type Command, type Model, currentOf } from '../../support/bills/payment-model.ts'
import { ROLES, perform, scene } from '../../support/bills/payment-scenes.ts'
import { MODEL_TIMEOUT_MS } from '../../support/model-runs.ts'
import { useManualBank } from '../../support/partners/partners.ts'
import type { Word } from '../../support/payments/arrows.ts'
import { LANES, type RuleName, booksAreWhole, drawn, nextWords, walkInLanes } from '../../support/walks.ts'

useManualBank()

/** Raw material of a walk's step; the state of the bill decides what becomes a command. */
const lot = fc.record({
  choice: fc.nat({ max: 9999 }),
  anybody: fc.nat({ max: ROLES.length - 1 }),
  board: fc.nat({ max: 2 }),
  trial: fc.nat({ max: 9999 }),
  word: fc.nat({ max: 9999 }),
  cents: fc.option(fc.integer({ min: 1, max: 3000 }), { freq: 5 }),
})
type Lot = typeof lot extends fc.Arbitrary<infer One> ? One : never

const ends = (m: Model, { trial: number, cents }: Lot): Command[] => {
  if (m.trials.length === 0) return []
  const trial = number % 3 === 0 ? number % m.trials.length : m.trials.length - 1
  const found = { do: 'found', trial, cents } as const
  return [found, found, found, { do: 'broke', trial }, { do: 'unreadable', trial }]
}

/** Payout updates that a bank with a correct order could send next. */
function words(m: Model, { word }: Lot): Command[] {
  const payment = currentOf(m)
  if (!payment || payment.status === 'awaiting_approval') return []
  const said = drawn(nextWords(payment.book), word)
  return said ? [{ do: 'bank says', word: said }] : []
}

function leading(m: Model, one: Lot): Command[] {
  const { board: who, anybody: other, cents } = one
  switch (m.status) {
    case 'extracting':
      return [{ do: 'begin' }, { do: 'begin' }, ...ends(m, one)]
    case 'extracted':
      return [
        { do: 'request', who },
        { do: 'request', who },
        { do: 'request', who },
        { do: 'request twice', who, other },
        { do: 'request and put away', who, other },
        { do: 'type', who, cents },
        { do: 'extract', who },
      ]
    case 'payment_requested':
      if (currentOf(m)?.status === 'awaiting_approval') {
        return [
          ...Array.from({ length: 6 }, () => ({ do: 'approve', who, way: 'approval' }) as const),
          { do: 'reject', who, way: 'approval' },
          { do: 'cancel', who: m.approval?.requester ?? who, way: 'approval' },
        ]
      }
      return words(m, one)
    default:
      return []
  }
}

const anything = (m: Model, one: Lot): Command[] => {
  const { anybody: who, board: other, cents } = one
  return [
    { do: 'type', who, cents },
    { do: 'extract', who },
    { do: 'request', who },
    { do: 'request twice', who, other },
    ...(one.choice % 5 === 0 ? [{ do: 'put away', who } as const] : []),
    { do: 'approve', who, way: 'approval' },
    { do: 'reject', who, way: 'approval' },
    { do: 'cancel', who, way: 'approval' },
    { do: 'begin' },
    ...ends(m, one),
  ]
}

function commandOf(m: Model, one: Lot): Command {
  const lead = one.choice % 10 < 7 ? leading(m, one) : []
  return drawn(lead.length > 0 ? lead : anything(m, one), Math.floor(one.choice / 10)) ?? { do: 'begin' }
}

const walks = fc.record({
  rule: fc.constantFrom<RuleName>('one', 'two others'),
  hasFile: fc.boolean(),
  funds: fc.constantFrom(0, 2000, 1_000_000),
  lots: fc.array(lot, { minLength: 15, maxLength: 60, size: 'max' }),
})
type Walk = typeof walks extends fc.Arbitrary<infer One> ? One : never

async function walk({ rule, hasFile, funds, lots }: Walk): Promise<void> {
  const s = await scene(rule, hasFile, funds)
  const trace: string[] = [rule, String(hasFile), String(funds)]
  for (const one of lots) await perform(s, commandOf(s.m, one), trace)
  await booksAreWhole(s.people[0]!, s.payer.id, trace.join(', ')) // the owner
}

const REQUEST: Command = { do: 'request', who: 0 }
const APPROVE: Command = { do: 'approve', who: 1, way: 'approval' }
const READ: readonly Command[] = [{ do: 'begin' }, { do: 'found', trial: 0, cents: 1500 }]
const bank = (word: Word): Command => ({ do: 'bank says', word })

/** Ways through every state and every end of a payment; two may end alike. */
const WAYS: readonly { hasFile: boolean; commands: readonly Command[] }[] = [
  { hasFile: false, commands: [REQUEST, APPROVE, bank('rejected'), REQUEST, APPROVE, bank('rejected')] },
  {
    hasFile: true,
    commands: [...READ, REQUEST, APPROVE, bank('settled'), bank('returned'), REQUEST, APPROVE, bank('rejected')],
  },
  {
    hasFile: true,
    commands: [{ do: 'begin' }, { do: 'begin' }, { do: 'begin' }, { do: 'begin' }, { do: 'extract', who: 3 }, ...READ],
  },
  {
    hasFile: false,
    commands: [REQUEST, { do: 'reject', who: 1, way: 'approval' }, { do: 'type', who: 3, cents: 700 }, REQUEST],
  },
  {
    hasFile: false,
    commands: [REQUEST, { do: 'cancel', who: 0, way: 'approval' }, { do: 'put away', who: 1 }, REQUEST],
  },
  { hasFile: false, commands: [{ do: 'request twice', who: 0, other: 3 }, APPROVE, bank('settled'), REQUEST] },
  { hasFile: false, commands: [{ do: 'request and put away', who: 0, other: 1 }] },
]

test('on the ways through every state, bill, payments, balances and log are what the model says', async () => {
  const states = new Set<string>()
  await inLanes(WAYS, LANES, async ({ hasFile, commands }) => {
    const s = await scene('one', hasFile, 1_000_000)
    const trace: string[] = []
    for (const command of commands) {
      states.add(s.m.status)
      await perform(s, command, trace)
    }
    states.add(s.m.status)
  })
  expect([...states].toSorted()).toEqual(BILL_STATUSES.toSorted())
})

test(
  'whatever people, reading and bank do, bill, payments, balances and log are what the model says, and the books are whole',
  () => walkInLanes(walks, walk),
  MODEL_TIMEOUT_MS,
)

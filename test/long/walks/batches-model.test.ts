/** Batches against a plain model: random walks of people, run and bank. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inLanes } from '../../../platform/concurrency.ts'
import { BATCH_STATUSES } from '../../../domain/batches/flow.ts'
import { type Cells, type Command, type Currency, type Model, hasWork } from '../../support/batches/model.ts'
import { ROLES, perform, scene } from '../../support/batches/scenes.ts'
import { MODEL_TIMEOUT_MS } from '../../support/model-runs.ts'
import { useManualBank } from '../../support/partners/partners.ts'
import type { Word } from '../../support/payments/arrows.ts'
import { LANES, type RuleName, booksAreWhole, drawn, nextWords, walkInLanes } from '../../support/walks.ts'

useManualBank()

const cents = fc.integer({ min: 1, max: 1500 })
const fault = fc.constantFrom('amount' as const, 'payee' as const)
const cells = fc.record<Cells>({
  to: fc.constantFrom('svc_id', 'fiat'),
  cents,
  fault: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fault }),
})
/** Rows before those that matter; they fill a step of their own. */
const PAGE_BUT_ONE: readonly Cells[] = Array.from({ length: 499 }, () => ({ to: 'svc_id', cents: 1, fault: null }))
const file = fc.oneof(
  { weight: 6, arbitrary: fc.array(cells, { minLength: 1, maxLength: 6 }) },
  {
    weight: 2,
    arbitrary: fc.array(cells, { minLength: 2, maxLength: 4 }).map((rows) => [...PAGE_BUT_ONE, ...rows]),
  },
  { weight: 1, arbitrary: fc.constant('unreadable' as const) },
)

/** Raw material of a walk's step; the state of the batch decides what becomes a command. */
const lot = fc.record({
  choice: fc.nat({ max: 9999 }),
  anybody: fc.nat({ max: ROLES.length - 1 }),
  board: fc.nat({ max: 2 }),
  at: fc.nat({ max: 9999 }),
  word: fc.nat({ max: 9999 }),
  cents,
  fault,
  file,
  currency: fc.constantFrom<Currency>('USD', 'EUR'),
  exclude: fc.boolean(),
})
type Lot = typeof lot extends fc.Arbitrary<infer One> ? One : never

/** A row, more often one of the last: many of the others are alike. */
const rowOf = ({ rows }: Model, { at }: Lot): number =>
  Math.max(0, rows.length - 1 - (at % Math.min(rows.length || 1, 6)))

/** Payout updates that a bank with a correct order could send next. */
function words({ rows }: Model, { at, word }: Lot): Command[] {
  const told = rows.flatMap(({ to, payment, book }, index) => {
    const sent = to === 'fiat' && (payment === 'submitted' || book !== undefined)
    const next = sent ? nextWords(book) : []
    return next.length > 0 ? [{ index, next }] : []
  })
  const row = drawn(told, at)
  return row ? [{ do: 'bank says', at: row.index, word: drawn(row.next, word) ?? 'processing' }] : []
}

function leading(m: Model, one: Lot): Command[] {
  const { board: who, cents: more, file: content, fault: what } = one
  const at = rowOf(m, one)
  const imports = { do: 'import', who, file: content } as const
  const submits = { do: 'submit', who, exclude: true } as const
  const steps = [{ do: 'step' }, { do: 'step' }, { do: 'run' }] as const
  const approves = { do: 'approve', who, way: 'approval' } as const
  const stops = { do: 'stop', who } as const
  const said = words(m, one)
  switch (m.status) {
    case 'draft':
      if (m.rows.length === 0) return [imports]
      return [
        submits,
        submits,
        submits,
        imports,
        { do: 'correct', who, at, cents: more },
        { do: 'spoil', who, at, fault: what },
        { do: 'take out', who, at },
      ]
    case 'importing':
      return [...steps]
    case 'awaiting_approval':
      return [
        ...Array.from({ length: 8 }, () => approves),
        { do: 'reject', who, way: 'approval' },
        { do: 'cancel', who: m.submitter ?? who, way: 'approval' },
        { do: 'expire' },
      ]
    case 'processing':
      return [...(hasWork(m) ? steps : []), ...said, ...said, ...said, stops]
    case 'cancelling':
      return [...(hasWork(m) ? steps : []), ...said, ...said]
    default:
      return [...said, stops]
  }
}

function anything(m: Model, one: Lot): Command[] {
  const { anybody: who, cents: more, file: content, fault: what, exclude, currency } = one
  const at = rowOf(m, one)
  return [
    { do: 'import', who, file: content },
    { do: 'submit', who, exclude },
    { do: 'approve', who, way: 'approval' },
    { do: 'reject', who, way: 'approval' },
    { do: 'cancel', who, way: 'approval' },
    { do: 'stop', who },
    { do: 'fund', currency, cents: more },
    ...(m.status !== 'draft' || more % 3 === 0 ? [{ do: 'delete', who } as const] : []),
    ...(m.rows.length === 0
      ? []
      : [
          { do: 'correct', who, at, cents: more } as const,
          { do: 'spoil', who, at, fault: what } as const,
          { do: 'take out', who, at } as const,
        ]),
  ]
}

function commandOf(m: Model, one: Lot): Command {
  const lead = one.choice % 10 < 6 ? leading(m, one) : []
  return drawn(lead.length > 0 ? lead : anything(m, one), Math.floor(one.choice / 10)) ?? { do: 'run' }
}

const funds = fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.constant(50_000))
const beginning = fc.record({
  rule: fc.constantFrom<RuleName>('one', 'two others'),
  creator: fc.constantFrom(0, 1, 3),
  funds: fc.record({ USD: funds, EUR: funds }),
})

/** A walk: its funds, its import, which lets it get somewhere, and its steps. */
const walks = fc.record({
  beginning,
  rows: fc.array(cells, { minLength: 2, maxLength: 5 }),
  lots: fc.array(lot, { minLength: 12, maxLength: 36, size: 'max' }),
})
type Walk = typeof walks extends fc.Arbitrary<infer One> ? One : never

async function walk({ beginning: { rule, creator, funds }, rows, lots }: Walk): Promise<void> {
  const s = await scene(rule, creator, funds)
  const trace: string[] = []
  await perform(s, { do: 'import', who: creator, file: rows }, trace)
  await perform(s, { do: 'run' }, trace)
  for (const one of lots) if (!s.m.deleted) await perform(s, commandOf(s.m, one), trace)
  await perform(s, { do: 'run' }, trace)
  await booksAreWhole(s.people[0]!, s.payer.id, trace.join(', ')) // the owner
}

const ROWS: readonly Cells[] = [
  { to: 'fiat', cents: 100, fault: null },
  { to: 'svc_id', cents: 200, fault: null },
  { to: 'svc_id', cents: 300, fault: 'payee' },
  { to: 'svc_id', cents: 100, fault: null },
]
const RUN: Command = { do: 'run' }
const ASK: Command = { do: 'submit', who: 0, exclude: true }
const APPROVE: Command = { do: 'approve', who: 1, way: 'approval' }
const STOP: Command = { do: 'stop', who: 1 }
const bank = (word: Word): Command => ({ do: 'bank says', at: 0, word })
const REJECT: Command = { do: 'reject', who: 2, way: 'approval' }
const ASKED: readonly Command[] = [{ do: 'import', who: 0, file: ROWS }, RUN, ASK, REJECT, ASK]

const WAYS: readonly { funds: number; commands: readonly Command[] }[] = [
  { funds: 1000, commands: [...ASKED, APPROVE, RUN, bank('settled'), bank('returned'), STOP] },
  { funds: 1000, commands: [...ASKED, APPROVE, RUN, STOP, bank('settled'), STOP] },
  { funds: 1000, commands: [...ASKED, APPROVE, STOP, RUN] },
  { funds: 1000, commands: [...ASKED, STOP] },
  { funds: 250, commands: [...ASKED, APPROVE, RUN, bank('settled')] },
  { funds: 0, commands: [...ASKED, APPROVE, RUN] },
]

test('on the ways through every state, batch, counters, rows, balances and log are what the model says', async () => {
  const states = new Set<string>()
  await inLanes(WAYS, LANES, async ({ funds: cents, commands }) => {
    const s = await scene('one', 0, { USD: cents, EUR: cents })
    const trace: string[] = []
    for (const command of commands) {
      await perform(s, command, trace)
      states.add(s.m.status)
    }
  })
  expect([...states].toSorted()).toEqual(BATCH_STATUSES.toSorted())
})

test(
  'whatever people, the run and the bank do, batch, counters, rows, balances and log are what the model says, and the books are whole',
  () => walkInLanes(walks, walk),
  MODEL_TIMEOUT_MS,
)

/** Quotes under any sequence of commands: every state meets every command, and the books stay right. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SWAP_QUOTE_SECONDS } from '../../../domain/swaps/swap.ts'
import { api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { advance } from '../../support/identity/identity.ts'
import { MODEL_TIMEOUT_MS } from '../../support/model-runs.ts'
import { usePartners } from '../../support/partners/partners.ts'
import {
  type Exchanger,
  askQuote,
  balancesOf,
  booksAreClean,
  exchanger,
  execute,
  setMarket,
} from '../../support/swaps.ts'
import { walkAll } from '../../support/walks.ts'

usePartners()

const [FUNDS, PRICE] = [3500n, 1000n] // cents
type State = 'fresh' | 'used' | 'over'
type Quote = { id: string; state: State; gives: bigint; swapId?: string }
type Model = {
  at: Exchanger
  quotes: Quote[]
  keys: Map<string, Quote>
  closed: boolean
  paused: boolean
  stopped: boolean
  dollars: bigint
  euros: bigint
}
type Command =
  | { kind: 'quote' }
  | { kind: 'execute'; pick: number; key: string | undefined }
  | { kind: 'wait' | 'market' | 'pause' | 'stop' | 'read' }

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'quote' } as const) },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('execute' as const),
      pick: fc.nat(),
      key: fc.constantFrom(undefined, undefined, 'a', 'b'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('wait', 'market', 'pause', 'stop', 'read') }) },
)

const executes = (pick: number, key?: string): Command => ({ kind: 'execute', pick, key })
const quotes: Command = { kind: 'quote' }
/** A walk with every state of a quote and kind of key, and one execution without money. */
const CERTAIN: Command[] = [
  quotes,
  executes(0, 'a'),
  executes(0),
  executes(0, 'b'),
  quotes,
  executes(1, 'a'),
  executes(1),
  quotes,
  executes(2, 'c'),
  executes(2, 'a'),
  quotes,
  executes(3),
  { kind: 'wait' },
  executes(3),
  executes(3, 'a'),
  executes(3, 'b'),
  { kind: 'pause' },
  executes(0, 'a'),
]

/** State, kind of key and answer of every execution. */
const met = new Set<string>()

/** The expected answer of an execution, in the order of the refusals. */
function verdict(model: Model, quote: Quote, key: string | undefined): string {
  const before = key === undefined ? undefined : model.keys.get(key)
  if (before && before !== quote) return 'idempotency_key_reused'
  if (before) return 'again'
  if (model.paused) return 'organization_unavailable'
  if (quote.state === 'used') return 'quote_already_used'
  if (quote.state === 'over') return 'quote_expired'
  if (model.closed) return 'market_closed'
  if (model.stopped) return 'ledger_unbalanced'
  return model.dollars < PRICE ? 'insufficient_funds' : 'done'
}

function kindOf({ keys }: Model, quote: Quote, key: string | undefined): string {
  if (key === undefined) return 'no'
  const used = keys.get(key)
  return !used ? 'new' : used === quote ? 'its own' : "another quote's"
}

async function carryOut(model: Model, quote: Quote, key: string | undefined): Promise<void> {
  const expected = verdict(model, quote, key)
  met.add(`${quote.state}, ${kindOf(model, quote, key)} key: ${expected}`)
  const { status, body } = await execute(model.at.boss, quote.id, key)
  if (expected === 'done') {
    expect([status, body.quote_id]).toEqual([201, quote.id])
    Object.assign(quote, { state: 'used', swapId: body.swap_id })
    if (key !== undefined) model.keys.set(key, quote)
    model.dollars -= PRICE
    model.euros += quote.gives
  } else if (expected === 'again') expect([status, body.swap_id]).toEqual([201, quote.swapId])
  else expect(body.error?.type).toBe(expected)
}

async function ask(model: Model): Promise<void> {
  const { status, body } = await askQuote(model.at, { source_amount: '10.00' })
  if (model.closed) return expect([status, body.error.type]).toEqual([422, 'market_closed'])
  expect(status).toBe(200)
  model.quotes.push({ id: body.quote_id, state: 'fresh', gives: BigInt(body.target_amount.replace('.', '')) })
}

async function read(model: Model): Promise<void> {
  const { boss, org } = model.at
  const { body } = await api('GET', `/organizations/${org.id}/swaps?limit=100`, { token: boss.token })
  const done = model.quotes.filter(({ state }) => state === 'used').map(({ swapId }) => swapId)
  expect(body.data.map((row: { swap_id: string }) => row.swap_id).toSorted()).toEqual(done.toSorted())
  const balances = await balancesOf(model.at)
  const cents = (amount = '0.00') => BigInt(amount.replace('.', ''))
  expect([cents(balances['USD']), cents(balances['EUR'])]).toEqual([model.dollars, model.euros])
  await booksAreClean(model.at)
}

async function perform(model: Model, asked: Command): Promise<void> {
  const organizationId = model.at.org.id
  switch (asked.kind) {
    case 'quote':
      return ask(model)
    case 'execute': {
      const quote = model.quotes[asked.pick % Math.max(1, model.quotes.length)]
      return quote ? carryOut(model, quote, asked.key) : undefined
    }
    case 'wait':
      await advance(SWAP_QUOTE_SECONDS)
      for (const quote of model.quotes) if (quote.state === 'fresh') quote.state = 'over'
      return
    case 'market':
      model.closed = !model.closed
      return setMarket(model.closed ? 'closed' : 'open')
    case 'pause':
      model.paused = !model.paused
      await owner`update organizations set status = ${model.paused ? 'paused' : 'active'} where id = ${organizationId}`
      return
    case 'stop':
      model.stopped = !model.stopped
      await owner`update organizations set books_stopped_at = ${model.stopped ? new Date() : null} where id = ${organizationId}`
      return
    case 'read':
      return read(model)
  }
}

test(
  'whatever is asked in whatever order, each quote is used at most once, and the balances are what was answered',
  async () => {
    const walk = async (commands: readonly Command[]) => {
      await setMarket('open')
      const [at, rest] = [await exchanger('35.00'), { closed: false, paused: false, stopped: false }]
      const model: Model = { at, quotes: [], keys: new Map(), ...rest, dollars: FUNDS, euros: 0n }
      for (const asked of [...commands, { kind: 'read' } as const]) await perform(model, asked)
    }
    await walkAll(fc.array(command, { minLength: 15, maxLength: 40 }), walk, CERTAIN)
    const certain = [
      'fresh, no key: done',
      'fresh, new key: done',
      "fresh, another quote's key: idempotency_key_reused",
      'fresh, no key: insufficient_funds',
      'used, no key: quote_already_used',
      'used, its own key: again',
      'used, new key: quote_already_used',
      "used, another quote's key: idempotency_key_reused",
      'over, no key: quote_expired',
      'over, new key: quote_expired',
      "over, another quote's key: idempotency_key_reused",
    ]
    expect([...met]).toEqual(expect.arrayContaining(certain))
  },
  MODEL_TIMEOUT_MS,
)

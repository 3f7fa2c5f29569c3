/** Payments against a plain model, by each rail: every command in every state, then random walks. */
import { randomInt } from 'node:crypto'
import { describe, expect, onTestFailed, test, vi } from 'vitest'
import { inLanes } from '../../../platform/concurrency.ts'
import { reconcile } from '../../support/partners/reconcile.ts'
import { numbersFrom } from '../../support/chaos/random.ts'
import { MODEL_TIMEOUT_MS, modelRuns } from '../../support/model-runs.ts'
import { AGREE, type Status, WORDS, endOf } from '../../support/payments/arrows.ts'
import { type Command, type Rail, after, answerTo, isTerminal, plausible } from '../../support/payments/model.ts'
import { agrees, payerOf, perform, scene, usePartnersOnTheLine } from '../../support/payments/scenes.ts'
import { type Payer, type Scene, expectedOf, lookAt } from '../../support/payments/views.ts'
import { violations } from '../../support/payments/payouts.ts'
import { useWorker } from '../../support/worker.ts'

// No poll falls due: only the commands of the test move a payment.
vi.hoisted(() => Object.assign(process.env, { PARTNER_POLL_SECONDS: '60' }))

usePartnersOnTheLine()
useWorker()

const AT_ONCE = 8
const [STEPS_MIN, STEPS_MORE] = [10, 6]
const SEED = Number(process.env['MODEL_SEED'] ?? randomInt(2 ** 31))

const PEOPLE: readonly Command[] = ['approve', 'reject', 'withdraw', 'cancel', 'note', 'delete contact', 'receipt']
const SPOKEN = WORDS.map((word) => `say ${word}` as const)
const LATE = WORDS.map((word) => `say ${word} late` as const)
/** Reconciling comes last: it looks after all payments at once. */
const COMMANDS: readonly Command[] = [...PEOPLE, 'expire', 'callback twice', 'callback forged', ...SPOKEN, ...LATE]

type Ways = Readonly<Record<string, readonly Command[]>>
const STOPPED: Ways = {
  'cancelled: rejected': ['reject'],
  'cancelled: withdrawn': ['withdraw'],
  'cancelled: expired': ['expire'],
  'cancelled: contact deleted': ['delete contact'],
}
const BY_PARTNER: Ways = {
  awaiting_approval: [],
  submitted: ['answers are lost', 'approve'],
  processing: ['approve'],
  'processing: decided': ['approve', 'say processing'],
  'on_hold: by the partner': ['approve', 'say on_hold'],
  'on_hold: nothing clear': ['id is taken', 'approve', 'partner forgets'],
  'on_hold: unknown to the partner': ['approve', 'partner forgets'],
  succeeded: ['approve', 'say settled'],
  failed: ['approve', 'say rejected'],
  reversed: ['approve', 'say settled', 'say returned'],
  ...STOPPED,
}
const WAYS: Readonly<Record<Rail, Ways>> = {
  svc_id: {
    awaiting_approval: [],
    succeeded: ['approve'],
    failed: ['payee is gone', 'approve'],
    ...STOPPED,
  },
  fiat: BY_PARTNER,
  crypto: {
    ...BY_PARTNER,
    cancelling: ['approve', 'cancel'],
    'cancelled: by custody': ['approve', 'cancel', 'say cancelled'],
  },
}
const statesOf = (rail: Rail): Status[] => Object.keys(WAYS[rail]).map((way) => way.split(':')[0] as Status) // each way begins with its state

/** An update is late only if a newer one was heard. */
const possible = ({ m }: Scene, command: Command): boolean =>
  !command.endsWith(' late') || (m.accepted && m.book !== undefined)

const staysPut = ({ m }: Scene, command: Command): boolean => {
  const then = after(m, command)
  const known = then.decided === m.decided && then.accepted === m.accepted
  return then.status === m.status && known
}

async function reach(at: Payer, way: readonly Command[]): Promise<Scene> {
  const s = await scene(at)
  for (const command of way) await perform(s, command, [])
  return s
}

const all: Scene[] = []
const payers = new Map<Rail, Payer>()

async function payerBy(rail: Rail): Promise<Payer> {
  const payer = payers.get(rail) ?? (await payerOf(rail))
  payers.set(rail, payer)
  return payer
}

/** Runs the commands of a state: those that keep it share a payment, each other one has its own. */
async function meetAll(at: Payer, state: string, met: Set<string>): Promise<(() => Promise<void>)[]> {
  const way = WAYS[at.rail][state] ?? []
  const first = await reach(at, way)
  all.push(first)
  const lost = first.m.deaf ? (['answers arrive'] as const) : []
  const there = [...COMMANDS, ...lost, 'reconcile' as const].filter((command) => possible(first, command))
  const moving = there.filter((command) => !staysPut(first, command))
  const { status } = first.m
  const trace: string[] = []
  for (const command of there) {
    if (moving.includes(command) || command === 'reconcile') continue
    await perform(first, command, trace)
    met.add(`${status} ${command}`)
  }
  await agrees(first, trace.join(', ')) // the log keeps the effects of all of them
  return moving.map((command) => async () => {
    const s = await reach(at, way)
    all.push(s)
    expect(s.m.status).toBe(status)
    await perform(s, command)
    met.add(`${status} ${command}`)
  })
}

/** Pairs of state and command that payments at partners have met. */
const metAtPartners = new Set<string>()

describe.each<Rail>(['fiat', 'svc_id', 'crypto'])('a payment by %s', (rail) => {
  test(
    'in every state is answered, moved and logged by every command as the model says',
    async () => {
      const at = await payerBy(rail)
      const met = new Set<string>()
      const alone: (() => Promise<void>)[] = []
      await inLanes(Object.keys(WAYS[rail]), AT_ONCE, async (state) => {
        alone.push(...(await meetAll(at, state, met)))
      })
      await inLanes(alone, AT_ONCE, (cell) => cell())
      await reconcile()
      for (const status of statesOf(rail)) {
        for (const command of PEOPLE) expect(met).toContain(`${status} ${command}`)
      }
      if (rail !== 'svc_id') for (const cell of met) metAtPartners.add(cell)
    },
    MODEL_TIMEOUT_MS,
  )

  test(
    'ends where the model does after any walk, with whole books, a whole log and a partner that agrees',
    async () => {
      onTestFailed(() => console.log(`MODEL_SEED=${SEED}`))
      const at = await payerBy(rail)
      const walks = Array.from({ length: modelRuns() }, (_, index) => SEED + index)
      await inLanes(walks, AT_ONCE, async (seed) => {
        const s = await scene(at)
        all.push(s)
        await walk(s, numbersFrom(seed))
        const partner = s.m.book ?? 'unknown'
        if (rail !== 'svc_id') expect(AGREE[partner], `${s.payment.id} ${partner}`).toContain(s.m.status)
      })
    },
    MODEL_TIMEOUT_MS,
  )

  test(
    'stays as it is when all is reconciled, and its organization’s books have no fault',
    async () => {
      await reconcile()
      const mine = all.filter(({ at }) => at.rail === rail)
      for (const s of mine) s.m = after(s.m, 'reconcile')
      await inLanes(mine, AT_ONCE, (s) => agrees(s, 'reconcile'))
      const seen = await lookAt(mine)
      expect(seen).toEqual(mine.map(expectedOf))
      for (const { log, status } of seen) expect(endOf(log)).toBe(status)
      const at = await payerBy(rail)
      expect(await violations(at as never, at.payer.id)).toEqual([])
    },
    MODEL_TIMEOUT_MS,
  )
})

test('of every state every word was said, by bank or by blockchain', () => {
  for (const status of statesOf('crypto')) {
    for (const word of SPOKEN) expect(metAtPartners).toContain(`${status} ${word}`)
  }
})

/** Takes random commands, effective ones a bit more often; lost answers arrive again soon. */
async function walk(s: Scene, random: (limit: number) => number): Promise<void> {
  const trace: string[] = []
  const steps = STEPS_MIN + random(STEPS_MORE)
  let lost = 0
  for (let step = 0; step < steps; step += 1) {
    lost = s.m.deaf ? lost + 1 : 0
    await perform(s, lost > 2 ? 'answers arrive' : pick(s, random), trace)
  }
  if (s.m.deaf) await perform(s, 'answers arrive', trace)
}

function pick(s: Scene, random: (limit: number) => number): Command {
  const { m } = s
  const sensible = [...COMMANDS, 'reconcile' as const].filter((command) => {
    if (command.startsWith('say ') && !command.endsWith(' late')) {
      return m.rail === 'svc_id' || WORDS.some((word) => command === `say ${word}` && plausible(m, word))
    }
    return possible(s, command)
  })
  if (m.rail !== 'svc_id' && m.status === 'awaiting_approval') sensible.push('answers are lost')
  const moving = sensible.filter((command) => answerTo(m, command) === 'done' && !staysPut(s, command))
  const ending = (command: Command) => isTerminal({ ...m, status: after(m, command).status })
  const kind = random(4)
  const choice = kind === 0 ? moving.filter((command) => !ending(command)) : kind === 1 ? moving : sensible
  return (choice.length > 0 ? choice : sensible)[random(choice.length > 0 ? choice.length : sensible.length)] ?? 'note'
}

/** Invitations against a plain model: every state, every command, every kind of person. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import {
  ACTORS,
  type Actor,
  COMMANDS,
  type Command,
  type Model,
  type Real,
  STATES,
  type State,
  act,
  agrees,
  cast,
  newModel,
  setPolicy,
  wait,
  world,
} from '../../support/invitations/model.ts'
import { MODEL_TIMEOUT_MS } from '../../support/model-runs.ts'
import { deed, walkAll } from '../../support/walks.ts'
import { useWorker } from '../../support/worker.ts'

vi.hoisted(() =>
  Object.assign(process.env, {
    MAIL_LIMIT_PER_HOUR: '100000',
    INVITATION_LIMIT_PER_HOUR: '100000',
    SIGN_IN_ADDRESS_LIMIT_PER_MINUTE: '100000',
  }),
)
useWorker()

type People = Real['people']
const fresh = async (people: People) => ({ m: newModel(), r: await world(people) })

const ASKED: [Command, Actor] = ['invite', 'owner']
const OPEN: [Command, Actor][] = [ASKED, ['approve', 'admin']]
const WAYS: Record<State, readonly ([Command, Actor] | number)[]> = {
  none: [],
  pending_approval: [ASKED],
  pending: OPEN,
  accepted: [
    ['invite', 'admin'],
    ['approve', 'owner'],
    ['accept', 'guest'],
  ],
  declined: [...OPEN, ['decline', 'guest']],
  deleted: [ASKED, ['reject', 'admin']],
  expired: [...OPEN, 8],
}

async function brought(people: People, state: State): Promise<{ m: Model; r: Real }> {
  const { m, r } = await fresh(people)
  await setPolicy(m, r, true)
  for (const step of WAYS[state]) {
    if (typeof step === 'number') await wait(m, r, step)
    else expect(await act(m, r, ...step)).toBe(true)
  }
  expect(m.state).toBe(state)
  return { m, r }
}

test(
  'every kind of person gives every command in every state, and the service agrees with the model',
  async () => {
    const visited = new Set<string>()
    const visit = async (state: State) => {
      const people = await cast()
      let now = await brought(people, state)
      for (const command of COMMANDS) {
        for (const actor of ACTORS) {
          visited.add(`${now.m.state} ${command} ${actor}`)
          if (await act(now.m, now.r, command, actor)) now = await brought(people, state)
        }
      }
      await agrees(now.m, now.r)
    }
    await Promise.all(STATES.filter((state) => state !== 'expired').map(visit))
    await visit('expired') // alone, because its days pass for all
    expect(visited.size).toBe(STATES.length * COMMANDS.length * ACTORS.length)
  },
  MODEL_TIMEOUT_MS,
)

/** A choice of these, each as likely as its number says. */
const oneOf = (weight: number, ...deeds: [Command, Actor][]) => ({ weight, arbitrary: fc.constantFrom(...deeds) })
const likely = fc
  .oneof(
    oneOf(3, ['invite', 'owner'], ['invite', 'admin']),
    oneOf(2, ['approve', 'owner'], ['reject', 'admin']),
    oneOf(2, ['decline', 'guest'], ['resend', 'admin']),
    oneOf(1, ['accept', 'guest'], ['delete', 'owner']),
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...COMMANDS), fc.constantFrom(...ACTORS)) },
  )
  .map(([name, actor]) => deed(`${actor}: ${name}`, (m: Model, r: Real) => act(m, r, name, actor)))
const days = fc.constantFrom(1, 1, 2, 8).map((count) => deed(`${count} days`, (m: Model, r: Real) => wait(m, r, count)))
const policy = fc.boolean().map((on) => deed(`policy ${on}`, (m: Model, r: Real) => setPolicy(m, r, on)))

test(
  'whatever people do one after the other, the service agrees with the model',
  async () => {
    const people = await cast()
    const commands = fc.commands([likely, likely, likely, days, policy], { maxCommands: 25, size: 'max' })
    await walkAll(commands, async (sequence) => {
      const { m, r } = await fresh(people)
      await fc.asyncModelRun(() => ({ model: m, real: r }), sequence)
    })
  },
  MODEL_TIMEOUT_MS,
)

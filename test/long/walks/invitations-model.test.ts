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
import { MODEL_TIMEOUT_MS, everyNth, fullScale, modelRuns } from '../../support/model-runs.ts'
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

const WAYS: Record<State, readonly ([Command, Actor] | number)[]> = {
  none: [],
  pending_approval: [['invite', 'owner']],
  pending: [
    ['invite', 'owner'],
    ['approve', 'admin'],
  ],
  accepted: [
    ['invite', 'admin'],
    ['approve', 'owner'],
    ['accept', 'guest'],
  ],
  declined: [
    ['invite', 'owner'],
    ['approve', 'owner'],
    ['decline', 'guest'],
  ],
  deleted: [
    ['invite', 'owner'],
    ['reject', 'admin'],
  ],
  expired: [['invite', 'owner'], ['approve', 'owner'], 8],
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
          if (await act(now.m, now.r, command, actor, fullScale ? 'always' : 'changed'))
            now = await brought(people, state)
        }
      }
      await agrees(now.m, now.r)
    }
    const states = everyNth(STATES, 7)
    await Promise.all(states.filter((state) => state !== 'expired').map(visit))
    if (states.includes('expired')) await visit('expired') // alone, because its days pass for all
    expect(visited.size).toBe(states.length * COMMANDS.length * ACTORS.length)
  },
  MODEL_TIMEOUT_MS,
)

const command = (name: Command, actor: Actor): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  toString: () => `${actor}: ${name}`,
  run: async (m, r) => void (await act(m, r, name, actor)),
})
const days = (count: number): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  toString: () => `${count} days`,
  run: (m, r) => wait(m, r, count),
})
const policy = (on: boolean): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  toString: () => `policy ${on ? 'on' : 'off'}`,
  run: (m, r) => setPolicy(m, r, on),
})

test(
  'whatever people do one after the other, the service agrees with the model',
  async () => {
    const likely = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom<[Command, Actor]>(['invite', 'owner'], ['invite', 'admin']) },
      { weight: 2, arbitrary: fc.constantFrom<[Command, Actor]>(['approve', 'owner'], ['reject', 'admin']) },
      { weight: 2, arbitrary: fc.constantFrom<[Command, Actor]>(['decline', 'guest'], ['resend', 'admin']) },
      { weight: 1, arbitrary: fc.constantFrom<[Command, Actor]>(['accept', 'guest'], ['delete', 'owner']) },
      { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...COMMANDS), fc.constantFrom(...ACTORS)) },
    )
    const commands = fc.commands(
      [
        likely.map((deed) => command(...deed)),
        likely.map((deed) => command(...deed)),
        likely.map((deed) => command(...deed)),
        fc.constantFrom(1, 1, 2, 8).map(days),
        fc.boolean().map(policy),
      ],
      { maxCommands: 25, size: 'max' },
    )
    const people = await cast()
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const { m, r } = await fresh(people)
        await fc.asyncModelRun(() => ({ model: m, real: r }), sequence)
      }),
      { numRuns: modelRuns(1), endOnFailure: true },
    )
  },
  MODEL_TIMEOUT_MS,
)

/** Deposits against a plain model: every command in every state. */
import { expect, test } from 'vitest'
import {
  COMMANDS,
  type Command,
  type Model,
  STATES,
  type State,
  type World,
  compare,
  expected,
  given,
  newModel,
  world,
} from '../../support/deposits/model.ts'
import { usePartners } from '../../support/partners/partners.ts'

usePartners()

/** The commands that bring a deposit into each state; `nobody`: of an account without an owner. */
const WAYS: Record<State, readonly [whose: 'theirs' | 'nobody', ...Command[]]> = {
  nowhere: ['theirs'],
  unmatched: ['nobody', 'arrive'],
  unmatched_returning: ['nobody', 'arrive', 'give_back_fails'],
  unmatched_returned: ['nobody', 'arrive', 'give_back'],
  held: ['theirs', 'arrive'],
  held_after_assignment: ['nobody', 'arrive', 'assign'],
  returning: ['theirs', 'arrive', 'time_is_over'],
  credited: ['theirs', 'arrive', 'answer'],
  returned: ['theirs', 'arrive', 'time_is_over', 'return'],
}

async function give(m: Model, w: World, command: Command, known: boolean): Promise<void> {
  const before = m.state
  const outcome = expected(m, command, known)
  expect(await given(w, command), `${command} in ${before}`).toBe(outcome)
}

async function act(m: Model, w: World, command: Command, known: boolean): Promise<void> {
  await give(m, w, command, known)
  await compare(m, w)
}

async function brought(state: State) {
  const [whose, ...commands] = WAYS[state]
  const known = whose === 'theirs'
  const [m, w] = [newModel(), await world(known)]
  for (const command of commands) await give(m, w, command, known)
  expect(m.state).toBe(state)
  return { m, w, known }
}

test.each(STATES)('in the state %s every command does what the model says, and nothing twice', async (state) => {
  let now = await brought(state)
  await compare(now.m, now.w)
  for (const command of COMMANDS) {
    await act(now.m, now.w, command, now.known)
    if (now.m.state !== state || now.m.answered !== (state === 'credited' ? 'answer' : null)) now = await brought(state)
  }
})

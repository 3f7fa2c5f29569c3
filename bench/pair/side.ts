/** A side of a pair: the servers and programs of one commit, whose rounds run when the pair says so. */
import { once } from 'node:events'
import { COUNTING, startStack } from '../stack.ts'
import { pairWith } from '../turns.ts'

/** Message of a side: its next line, the value of a line without rounds, or the end of its group. */
export type Message =
  | { readonly line: string; readonly values: Readonly<Record<string, number>> }
  | { readonly line: string; readonly value: number }
  | { readonly over: true }

const ROUNDS = 1 // of what has no rounds of its own; the pair decides for all else
const wanted = process.argv[2]

const say = (message: Message): void => void process.send?.(message)

// the first image of a page after a checkpoint would drown the WAL of the work itself
const stack = await startStack([COUNTING, 'full_page_writes=off', 'autovacuum=off'])
const giveUp = () => void stack.stop().finally(() => process.exit(1))
process.once('disconnect', giveUp) // the pair has ended, or was stopped
if (!process.connected) giveUp()
try {
  // imported late: they read the environment
  const { groupsOf } = await import('../groups.ts')
  const { readCosts } = await import('../costs.ts')
  pairWith({
    arrive: async (arrival) => {
      say(arrival)
      const [more] = await once(process, 'message')
      return more === true
    },
    tell: say,
    readCosts: () => readCosts([process.pid, stack.postgresPid]),
  })
  const groups = groupsOf({ ...stack.place, rounds: ROUNDS }).filter(({ name }) => name === wanted)
  if (groups.length === 0) throw new Error(`the bench has no group ${wanted}`)
  for (const group of groups) await stack.runGroup(group)
} finally {
  await stack.stop()
}
say({ over: true })
process.off('disconnect', giveUp)
process.disconnect()

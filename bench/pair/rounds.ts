/** Rounds of a pair, A B A B …: both sides stand, and one has the machine at a time. */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Message } from './side.ts'
import type { Build } from '../../dev/rehearse/builds.ts'
import type { Builds } from './builds.ts'

type Values = Readonly<Record<string, number>>
/** Rounds of each line, by the side. */
export type Results = ReadonlyMap<string, { readonly a: readonly Values[]; readonly b: readonly Values[] }>

/** Tells how many rounds a line gets, by those that it has had: more than those, or no more. */
export type RoundsOf = (line: string, found: Results) => number

/** Runs the rounds of a group on both; the commit is A. */
export async function runPair(builds: Builds, group: string, wanted: RoundsOf): Promise<Results> {
  const found = new Map<string, { a: Values[]; b: Values[] }>()
  const note = (side: 'a' | 'b') => (line: string, values: Values) => {
    const entry = found.get(line) ?? { a: [], b: [] }
    found.set(line, entry)
    entry[side].push(values)
  }
  const a = await openSide(builds.a, group, note('a'))
  const b = await openSide(builds.b, group, note('b'))
  try {
    while (a.line() !== undefined || b.line() !== undefined) {
      const line = b.line() ?? a.line() ?? ''
      for (let had = 0; had < wanted(line, found); had += 1) {
        // in both orders: the second of two runs on a warmer machine
        for (const side of had % 2 ? [b, a] : [a, b]) await side.order(true)
      }
      await a.order(false)
      await b.order(false)
    }
  } finally {
    a.close()
    b.close()
  }
  return found
}

type Side = {
  /** Line that it has come to; undefined when its group is over. */
  readonly line: () => string | undefined
  /** Has it run a round of its line, or go on to the next; resolves when it is there. */
  readonly order: (round: boolean) => Promise<void>
  readonly close: () => void
}

/** Starts a side; resolves when it has come to its first line. */
async function openSide(build: Build, group: string, note: (line: string, values: Values) => void): Promise<Side> {
  const script = join(build.folder, 'bench/pair/side.js')
  const child = fork(script, [group], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let line: string | undefined
  const arrival = () =>
    new Promise<void>((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`side ${build.id} ended with ${code}`))
      const hear = (message: unknown) => {
        const told = message as Message // of our own side
        if ('value' in told) return note(told.line, { value: told.value })
        if ('values' in told && Object.keys(told.values).length > 0) note(told.line, told.values)
        line = 'over' in told ? undefined : told.line
        child.off('message', hear)
        child.off('exit', ended)
        resolve()
      }
      child.on('message', hear)
      child.once('exit', ended)
    })
  await arrival()
  return {
    line: () => line,
    order: async (round) => {
      if (line === undefined) return
      const arrived = arrival()
      child.send(round)
      await arrived
    },
    close: () => void (child.connected && child.disconnect()),
  }
}

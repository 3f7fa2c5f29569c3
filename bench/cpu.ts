/** Processor time of the processes that a payment passes through, from /proc; empty elsewhere. */
import { readFileSync, readdirSync } from 'node:fs'

const TICK_MS = 10 // 100 ticks a second, as Linux counts for user space
/** Labels by start or end of the command line; the first that fits counts. */
const LABELS: readonly [string, RegExp][] = [
  ['empty route', /empty\/server\.js$/],
  ['API', /\/server\.js$/],
  ['empty worker', /empty\/worker\.js$/],
  ['worker', /\/worker\.js$/],
  ['client', /\/bench\/index\.js/],
  ['Temporal', /server start-dev|temporal-server-/],
  ['Postgres', /postgres/],
]

type Times = ReadonlyMap<string, number>

/** Reads milliseconds of processor time by label, with ended children that were waited for. */
export function processorTimes(): Times {
  const sums = new Map<string, number>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      const label = LABELS.find(([, pattern]) => pattern.test(command))?.[0]
      if (!label) continue
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
      sums.set(label, (sums.get(label) ?? 0) + ticks * TICK_MS)
    } catch {
      // it ended while it was read
    }
  }
  return sums
}

/** Writes the time used since, for each of `count`: `API 12.1, Postgres 6.0, … ms`. */
export function processorTimeSince(before: Times, count: number): string {
  const used = [...processorTimes()].map(([label, ms]) => [label, (ms - (before.get(label) ?? 0)) / count] as const)
  const told = used.filter(([, ms]) => ms >= 0.1).map(([label, ms]) => `${label} ${ms.toFixed(1)}`)
  return `${told.join(', ')} ms`
}

/** Processor time of the processes that a payment passes through, from /proc; empty elsewhere. */
import { readFileSync, readdirSync } from 'node:fs'

const TICK_MS = 10 // 100 ticks a second, as Linux counts for user space
/** Labels by start or end of the command line; the first that fits counts. */
const LABELS: readonly [string, RegExp][] = [
  ['empty route', /empty\/server\.js$/],
  ['API', /\/server\.js$/],
  ['empty worker', /empty\/worker\.js$/],
  ['naive worker', /naive\/worker\.js$/],
  ['worker', /\/worker\.js$/],
  ['client', /\/bench\/(index|pair\/side)\.js/],
  ['Temporal', /server start-dev|temporal-server-/],
  ['Postgres', /postgres/],
]

type Times = ReadonlyMap<string, number>
type Process = { readonly parent: number; readonly command: string; readonly ms: number }

/**
 * Reads milliseconds of processor time by label, with ended children that were waited for: of all processes, or of
 * `roots` and what they have begun.
 */
export function processorTimes(roots?: readonly number[]): Times {
  const processes = readProcesses()
  const counts = (pid: number): boolean => {
    const found = processes.get(pid)
    return found !== undefined && (roots?.includes(pid) === true || counts(found.parent))
  }
  const sums = new Map<string, number>()
  for (const [pid, { command, ms }] of processes) {
    const label = LABELS.find(([, pattern]) => pattern.test(command))?.[0]
    if (label && (!roots || counts(pid))) sums.set(label, (sums.get(label) ?? 0) + ms)
  }
  return sums
}

function readProcesses(): Map<number, Process> {
  const found = new Map<number, Process>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
      found.set(Number(pid), { parent: Number(fields[1]), command, ms: ticks * TICK_MS })
    } catch {
      // it ended while it was read
    }
  }
  return found
}

/** Writes the time used since, for each of `count`: `API 12.1, Postgres 6.0, … ms`. */
export function processorTimeSince(before: Times, count: number): string {
  const used = [...processorTimes()].map(([label, ms]) => [label, (ms - (before.get(label) ?? 0)) / count] as const)
  const told = used.filter(([, ms]) => ms >= 0.1).map(([label, ms]) => `${label} ${ms.toFixed(1)}`)
  return `${told.join(', ')} ms`
}

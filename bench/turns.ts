/**
 * Rounds of a line. A report runs them in a row. In a pair (`npm run bench:pair`) the other side has the machine between
 * two of them, and each has its costs read.
 */
import type { Costs } from './costs.ts'

/** Round of a work done `count` times. */
export type Round = { readonly rate: number; readonly p50Ms: number; readonly count: number }
/** Measured values of one round by name; those that end with `a second` are better the higher they are. */
export type Values = Readonly<Record<string, number>>
/** Message of a side at a line, with the values of the round before. */
export type Arrival = { readonly line: string; readonly values: Values }
export type Single = { readonly line: string; readonly value: number }

type Pair = {
  /** Says where the side is; resolves with true for a round, with false to go on to the next line. */
  readonly arrive: (arrival: Arrival) => Promise<boolean>
  /** Says the value of a line that has no rounds. */
  readonly tell: (single: Single) => void
  readonly readCosts: () => Promise<Costs>
}

let pair: Pair | undefined
let values: Values = {}
const withRounds = new Set<string>()

/** Has this process run as a side of a pair. */
export function pairWith(other: Pair): void {
  pair = other
}

/** Tells whether this process is a side of a pair: the other side is the baseline, and no other one runs. */
export const isPaired = (): boolean => pair !== undefined

/** Runs rounds of a line and answers their results; a pair says how many there are. */
export async function turns<Result>(line: string, rounds: number, round: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  if (!pair) {
    while (results.length < rounds) results.push(await round())
    return results
  }
  values = {}
  withRounds.add(line)
  while (await pair.arrive({ line, values })) {
    values = {}
    results.push(await round())
  }
  return results
}

/** Tells the pair the value of a line; of one that had rounds it has those. */
export function tellSingle(line: string, value: number): void {
  if (!withRounds.has(line)) pair?.tell({ line, value })
}

/** Adds values to the present round of a pair. */
export function noteValues(more: Values): void {
  values = { ...values, ...more }
}

/** Measures a work that is no round of its own: a pair runs it again for each of its rounds. */
export async function measure(work: () => Promise<Round>): Promise<Round> {
  if (!pair) return work()
  const before = await pair.readCosts()
  const round = await work()
  const after = await pair.readCosts()
  const costs = Object.entries(after).map(([name, cost]) => [name, (cost - (before[name] ?? 0)) / round.count] as const)
  noteValues({ 'p50 ms': round.p50Ms, 'a second': round.rate, ...Object.fromEntries(costs) })
  return round
}

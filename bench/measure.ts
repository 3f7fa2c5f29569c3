/** Ratios: A and B run in turn (A B A B …), and the median of the rounds' ratios counts. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Goal, budgetOf } from './budgets.ts'
import { type Round, isPaired, measure, noteValues, tellSingle, turns } from './turns.ts'

/** Runs `work` in `lanes`; work may answer milliseconds to subtract. */
export async function run(count: number, lanes: number, work: (index: number) => Promise<unknown>): Promise<Round> {
  const times: number[] = []
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) {
        const index = next
        next += 1
        const begun = performance.now()
        const aside = await work(index)
        times.push(performance.now() - begun - (typeof aside === 'number' ? aside : 0))
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  return { rate: count / seconds, p50Ms: median(times), count }
}

/** Concurrent works of paced(): each may hold a socket, and a process has few. */
export const IN_FLIGHT_MAX = 256

/** Starts `perSecond` works a second, at most IN_FLIGHT_MAX at once; answers milliseconds since each was due. */
export async function runPaced(
  perSecond: number,
  seconds: number,
  work: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const count = Math.round(perSecond * seconds)
  const times: number[] = []
  const started = performance.now()
  let next = 0
  const lane = async () => {
    while (next < count) {
      const index = next
      next += 1
      const due = started + (index * 1000) / perSecond
      const early = due - performance.now()
      if (early > 0) await delay(early)
      const begun = early > 0 ? performance.now() : due
      await work(index)
      times[index] = performance.now() - begun
    }
  }
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT_MAX, count) }, lane))
  return times
}

type Comparison = { readonly rate: number; readonly p50Ms: number }

/** Runs A and B in turn; answers the median ratio A ÷ B of rate and of p50. */
export async function compare(
  name: string,
  rounds: number,
  a: () => Promise<Round>,
  b: () => Promise<Round>,
): Promise<{ a: Comparison; b: Comparison; rate: number; p50: number }> {
  const results = await turns(name, rounds, async () => {
    const ours = await measure(a)
    return { a: ours, b: isPaired() ? ours : await b() }
  })
  const middle = (pick: (result: { a: Round; b: Round }) => number) => median(results.map(pick))
  return {
    a: { rate: middle((r) => r.a.rate), p50Ms: middle((r) => r.a.p50Ms) },
    b: { rate: middle((r) => r.b.rate), p50Ms: middle((r) => r.b.p50Ms) },
    rate: middle((r) => r.a.rate / r.b.rate),
    p50: middle((r) => r.a.p50Ms / r.b.p50Ms),
  }
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Times A and B `count` times each, in alternating order; answers milliseconds of each. */
export async function inTurn(
  count: number,
  a: (index: number) => Promise<unknown>,
  b: (index: number) => Promise<unknown>,
): Promise<{ a: number[]; b: number[] }> {
  const times = { a: [] as number[], b: [] as number[] }
  for (let index = 0; index < count; index += 1) {
    const sides = index % 2 ? (['a', 'b'] as const) : (['b', 'a'] as const)
    for (const side of sides) times[side].push(await timeOf(() => (side === 'a' ? a : b)(index)))
  }
  return times
}

export function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('the bench has no items')
  return item
}

export const against = (one: number, other: number, unit: string, digits = 1): string =>
  `${one.toFixed(digits)} against ${other.toFixed(digits)} ${unit}`

/** Finds the value that `share` of all do not exceed: 0.99 is the p99. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((x, y) => x - y)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((x, y) => x - y)
  const half = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[half - 1] ?? 0, sorted[half] ?? 0]
  return sorted.length % 2 ? high : (low + high) / 2
}

/** Prints a line beside its budget, or beside a goal that stands with its code. */
export function line(name: string, ratio: number, note: string, otherwise?: Goal): void {
  if (isPaired()) return tellSingle(name, ratio)
  const budget = budgetOf(name)
  const goal = budget?.goal ?? otherwise
  if (!goal) throw new Error(`bench/budgets.json has no ${name}`)
  const reached = ratio >= (goal.atLeast ?? -Infinity) && ratio <= (goal.atMost ?? Infinity)
  const bounds = [goal.atLeast !== undefined && `≥ ${goal.atLeast}`, goal.atMost !== undefined && `≤ ${goal.atMost}`]
  const before = budget ? `; ${budget.ratio} at ${budget.commit}` : ''
  const wanted = `(goal ${bounds.filter(Boolean).join(', ')}${before})`
  console.log(`${reached ? 'ok  ' : 'MISS'} ${name.padEnd(34)} ${ratio.toFixed(2)}  ${wanted}  ${note}`)
}

type Reads = { readonly read: () => Promise<unknown>; readonly perSecond: number; readonly seconds: number }

/** Reports the p99 of reads beside work ÷ quiet times, in turn. `over()` says that the reads have ended. */
export async function reportReadsDuring(
  name: string,
  rounds: number,
  { read, perSecond, seconds }: Reads,
  work: (over: () => boolean) => Promise<void>,
): Promise<void> {
  const p99 = async () => quantile(await runPaced(perSecond, seconds, read), 0.99)
  await p99()
  const results = await turns(name, rounds, async () => {
    const quiet = await p99()
    let over = false
    const working = work(() => over)
    const during = await p99()
    over = true
    await working
    noteValues({ 'quiet p99 ms': quiet, 'p99 ms': during })
    return { quiet, during }
  })
  const p99Of = (which: 'quiet' | 'during') => median(results.map((result) => result[which]))
  const ratio = median(results.map(({ quiet, during }) => during / quiet))
  line(name, ratio, `p99 ${against(p99Of('during'), p99Of('quiet'), 'ms')}`, { atMost: 3 })
}

export async function read(url: string, headers: Record<string, string> = {}, status = 200): Promise<void> {
  const response = await fetch(url, { headers })
  await response.arrayBuffer()
  if (response.status !== status) throw new Error(`${url} answered ${response.status}`)
}

const REQUESTS = 800
const LANES = 16
const SECONDS = 4 // of a round, at a quarter of the full rate

/** Reports reads against an empty route, alternating: the rate at 16 at once, and the p99 at a quarter of that. */
export async function reportAgainst(
  name: string,
  ours: () => Promise<unknown>,
  empty: () => Promise<unknown>,
  goal: { readonly rounds: number; readonly p99?: Goal },
): Promise<void> {
  await run(200, LANES, ours)
  await run(200, LANES, empty)
  const times: [number[], number[]] = [[], []]
  const baseline = isPaired() ? async () => {} : empty
  const results = await turns(name, goal.rounds, async () => {
    const full = [await measure(() => run(REQUESTS, LANES, ours)), await run(REQUESTS * 2, LANES, baseline)] as const
    const quarter = Math.max(1, full[0].rate / 4)
    const both = await runPaced(quarter * 2, SECONDS, (index) => (index % 2 ? baseline() : ours()))
    for (const [index, ms] of both.entries()) times[index % 2 ? 1 : 0].push(ms)
    noteValues({
      'p99 ms': quantile(
        both.filter((_, index) => index % 2 === 0),
        0.99,
      ),
    })
    return { rate: full[0].rate / full[1].rate, full }
  })
  if (isPaired()) return
  const [ours50, ours99, empty50, empty99] = times.flatMap((side) => [quantile(side, 0.5), quantile(side, 0.99)]) as [
    number,
    number,
    number,
    number,
  ]
  const note = `p50 ${against(ours50, empty50, 'ms', 2)}, p99 ${against(ours99, empty99, 'ms', 2)}`
  line(`${name} ÷ empty route, p99`, ours99 / empty99, note, goal.p99)
  const perSecond = (side: 0 | 1) => median(results.map(({ full }) => full[side].rate))
  const ratio = median(results.map(({ rate }) => rate))
  line(`${name} ÷ empty route, rate`, ratio, against(perSecond(0), perSecond(1), '/s', 0), { atLeast: 0.15 })
}

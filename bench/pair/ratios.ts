/** Ratios of a pair's rounds, and what a limit says about them. */
import type { Results } from './rounds.ts'

/** Measure of a line: the ratio B ÷ A of each round, and the medians of both. */
export type Measure = {
  readonly name: string
  readonly a: number
  readonly b: number
  readonly ratios: readonly number[]
}
/** Median of the rounds' ratios, the least and the greatest. */
export type Spread = { readonly median: number; readonly least: number; readonly most: number }

/** Lists the measures of a line that both sides have. */
export function measuresOf(found: Results, line: string): Measure[] {
  const { a = [], b = [] } = found.get(line) ?? {}
  const rounds = Math.min(a.length, b.length)
  const names = Object.keys(b[0] ?? {}).filter((name) => a[0]?.[name] !== undefined)
  return names.map((name) => {
    const of = (side: typeof a) => side.slice(0, rounds).map((values) => values[name] ?? Number.NaN)
    const [ofA, ofB] = [of(a), of(b)]
    return {
      name,
      a: middle(ofA),
      b: middle(ofB),
      ratios: ofB.map((value, index) => value / (ofA[index] ?? Number.NaN)),
    }
  })
}

export function spreadOf(ratios: readonly number[]): Spread {
  return { median: middle(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
}

/**
 * Tells whether a measure is worse by a limit, such as 1.15: the median of its ratios is beyond it, and all of them but
 * one of seven are beyond 1.
 */
export function judge({ name, ratios }: Pick<Measure, 'name' | 'ratios'>, limit: number): boolean {
  const costs = name === 'a second' ? ratios.map((ratio) => 1 / ratio) : ratios
  const better = costs.filter((ratio) => ratio <= 1)
  return middle(costs) > limit && better.length <= Math.floor(costs.length / 7)
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((x, y) => x - y)
  const half = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[half - 1] ?? Number.NaN, sorted[half] ?? Number.NaN]
  return sorted.length % 2 ? high : (low + high) / 2
}

/** Ratios of a pair's rounds, and what a limit says about them. */
import { median } from '../measure.ts'
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
      a: median(ofA),
      b: median(ofB),
      ratios: ofB.map((value, index) => value / (ofA[index] ?? Number.NaN)),
    }
  })
}

export function spreadOf(ratios: readonly number[]): Spread {
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
}

/**
 * Tells whether a measure is worse by a limit, such as 1.15: the median of its ratios is beyond it, and all of them but
 * one of seven are beyond 1.
 */
export function judge({ name, ratios }: Pick<Measure, 'name' | 'ratios'>, limit: number): boolean {
  const costs = name === 'a second' ? ratios.map((ratio) => 1 / ratio) : ratios
  const better = costs.filter((ratio) => ratio <= 1)
  return median(costs) > limit && better.length <= Math.floor(costs.length / 7)
}

/** Writes a pair: for each measure of each line both medians, and the median and spread of the rounds' ratios. */
import { type Measure, measuresOf, spreadOf } from './ratios.ts'
import type { Results } from './rounds.ts'

/** Milliseconds below which the clock's ticks of 10 ms say nothing. */
const NOISE_MS = 0.1

export function printPair(found: Results): void {
  for (const [line, { a, b }] of found) {
    console.log(`\n${line}`)
    const only = a.length === 0 ? 'only B has this line' : b.length === 0 ? 'only A has this line' : ''
    if (only) console.log(`     ${only}`)
    for (const measure of measuresOf(found, line)) if (!isNoise(measure)) console.log(`     ${rowOf(measure)}`)
  }
}

/** Writes a measure: `p50 ms   31.20   29.80   B ÷ A 0.96 (0.93 to 1.02)`. */
export function rowOf({ name, a, b, ratios }: Measure): string {
  const { median, least, most } = spreadOf(ratios)
  const [of, spread] = [(value: number) => number(value).padStart(10), `${least.toFixed(2)} to ${most.toFixed(2)}`]
  return `${name.padEnd(18)}${of(a)}${of(b)}   B ÷ A ${median.toFixed(2)}  (${spread})`
}

const isNoise = ({ name, a, b }: Measure): boolean =>
  name.endsWith(' ms') && Math.min(a, b) < NOISE_MS && !/p\d\d/.test(name)

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toPrecision(2)

/**
 * `npm run check:measures [-- --write]`: prints the measures of the house as one table, and fails if one is worse than
 * its limit in limits.json. `--write` stores those that are better.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { type LimitedMeasure, LIMITED, linesByLayer } from './measures.ts'

const place = new URL('limits.json', import.meta.url)
// written by this program alone
const limits = JSON.parse(readFileSync(place, 'utf8')) as Readonly<Record<LimitedMeasure, number>>
const measured = Object.fromEntries(Object.entries(LIMITED).map(([name, measure]) => [name, measure()])) as Record<
  LimitedMeasure,
  number // a number for each name
>
const names = Object.keys(LIMITED) as LimitedMeasure[] // the keys of a constant

const rows = [
  ...Object.entries(linesByLayer()).map(([layer, lines]) => [`lines of ${layer}`, String(lines), '']),
  ...names.map((name) => [name, String(measured[name]), `at most ${limits[name]}`]),
]
const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
for (const [name = '', value = '', limit = ''] of rows)
  console.log(`${name.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)}  ${limit}`.trimEnd())

const worse = names.filter((name) => measured[name] > limits[name])
if (worse.length > 0) {
  console.error(`Worse than before: ${worse.join(', ')}. Mend it, or say in the commit why the limit changes.`)
  process.exitCode = 1
}
if (process.argv.includes('--write')) {
  const better = names.map((name) => [name, Math.min(limits[name] ?? Infinity, measured[name])])
  writeFileSync(place, `${JSON.stringify(Object.fromEntries(better), null, 2)}\n`)
}

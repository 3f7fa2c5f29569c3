/** `npm run bench:gate`: pairs ten lines with the last release, and fails at 15 % worse. */
import { buildPair } from './builds.ts'
import { rowOf } from './print.ts'
import { type Measure, judge, measuresOf } from './ratios.ts'
import { lastRelease } from './release.ts'
import { type Results, runPair } from './rounds.ts'

const WORSE = 1.15
const ROUNDS = 3
/** Rounds of a line that looks worse: chance alone seldom makes as many agree. */
const ROUNDS_MAX = 7
/** WAL for each work below which it is that of heartbeats beside it. */
const BACKGROUND_BYTES = 100
/** Measures that count. Processor time of each process stands beside them in `npm run bench:pair`. */
const COUNTED: ReadonlySet<string> = new Set(['p50 ms', 'a second', 'processor ms', 'statements', 'rows', 'WAL bytes'])

const release = process.argv[2] ?? lastRelease()
if (!release) throw new Error('this copy has no history: npm run bench:gate <commit>')
console.log(`A is ${release}, B these sources: worse is ${Math.round((WORSE - 1) * 100)} % or more\n`)
const results = await runPair(await buildPair(release), 'gate', roundsOf)
let isWorse = false
for (const [line, { b }] of results) {
  console.log(`${line}, ${b.length} rounds`)
  for (const measure of measuresThatCount(results, line)) {
    const worse = judge(measure, WORSE)
    isWorse ||= worse
    console.log(`${worse ? 'WORSE' : 'ok   '} ${rowOf(measure)}`)
  }
}
process.exitCode = isWorse ? 1 : 0

function measuresThatCount(all: Results, line: string): Measure[] {
  const tells = ({ name, a, b }: Measure) => name !== 'WAL bytes' || Math.max(a, b) >= BACKGROUND_BYTES
  return measuresOf(all, line).filter((measure) => COUNTED.has(measure.name) && tells(measure))
}

function roundsOf(line: string, soFar: Results): number {
  return measuresThatCount(soFar, line).some((measure) => judge(measure, WORSE)) ? ROUNDS_MAX : ROUNDS
}

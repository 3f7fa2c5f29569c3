/** `npm run bench:pair <commit> <group>`: these sources ÷ those of a commit, A B A B … in one run on one machine. */
import { buildPair, knowsPairs } from './builds.ts'
import { printPair } from './print.ts'
import { runReports } from './reports.ts'
import { runPair } from './rounds.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const [commit, group] = process.argv.slice(2)
if (!commit || !group) throw new Error('npm run bench:pair <commit> <group>')

const builds = await buildPair(commit)
console.log(`A is ${commit}, B these sources: ${group}, ${ROUNDS} rounds each, A B A B …`)
if (knowsPairs(builds.a)) printPair(await runPair(builds, group, () => ROUNDS))
else {
  console.log('A is older than pairs: each round is a whole report, with its own servers and fixtures.')
  printPair(await runReports(builds, group, ROUNDS))
}

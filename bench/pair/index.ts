/** `npm run bench:pair <commit> <group>`: these sources ÷ those of a commit, A B A B … in one run on one machine. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { makeBuild } from '../../dev/rehearse/builds.ts'
import { printPair } from './print.ts'
import { runReports } from './reports.ts'
import { runPair } from './rounds.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const [commit, group] = process.argv.slice(2)
if (!commit || !group) throw new Error('npm run bench:pair <commit> <group>')

const place = makeTemporaryFolder()
const project = 'tsconfig.bench.json'
const a = await makeBuild(place.path, 'a', commit, project)
const b = await makeBuild(place.path, 'b', undefined, project)
console.log(`A is ${commit}, B these sources: ${group}, ${ROUNDS} rounds each, A B A B …`)
const knowsPairs = existsSync(join(a.folder, 'bench/pair/side.js'))
if (!knowsPairs) console.log('A is older than pairs: each round is a whole report, with its own servers and fixtures.')
printPair(await (knowsPairs ? runPair({ a, b }, group, () => ROUNDS) : runReports({ a, b }, group, ROUNDS)))
place.remove()

/** `npm run release`: checks the tree, runs the gate, and makes the files of a release in `release/<version>`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { makeArtefacts } from './artefacts.ts'
import { listObstacles, readTree } from './checks.ts'

/** Ends the process with what is in the way. */
function refuseRelease(reasons: readonly string[]): never {
  for (const reason of reasons) console.error(`- ${reason}`)
  console.error('no release was made')
  process.exit(1)
}

const tree = readTree()
const obstacles = listObstacles(tree)
if (obstacles.length > 0) refuseRelease(obstacles)

const failed = [['run', 'check'], ['test']].find((args) => spawnSync('npm', args, { stdio: 'inherit' }).status !== 0)
if (failed) refuseRelease([`npm ${failed.join(' ')} fails`])

const out = join('release', tree.version)
const image = await makeArtefacts(tree.version, out, { withoutImage: process.argv.includes('--without-image') })
console.log(`${out}: ${image}\nnext: git tag v${tree.version}`)

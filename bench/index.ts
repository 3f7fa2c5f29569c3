/** `npm run bench [group]`: each line has a baseline measured in the same run. A report, never a test. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { COUNTING, startStack } from './stack.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const only = process.argv[2]
/** Folder for profiles (`*.cpuprofile`), and the cost of each statement (`statements.txt`). */
const profiles = process.env['BENCH_PROFILE']
/** Groups that run only if they are named. */
const BY_HAND: ReadonlySet<string> = new Set(['cost', 'gate', 'scale'])

const stack = await startStack(profiles ? [COUNTING, 'pg_stat_statements.track_planning=on'] : [], profiles)
try {
  // imported late: they read the environment
  const { groupsOf } = await import('./groups.ts')
  const { statementCosts } = await import('./owner.ts')
  console.log(`${ROUNDS} rounds each, A B A B …; the median of the rounds' ratios\n`)
  for (const group of groupsOf({ ...stack.place, rounds: ROUNDS })) {
    if (only ? only !== group.name : BY_HAND.has(group.name)) continue
    await stack.runGroup(group, async () => {
      if (profiles) await writeFile(join(profiles, 'statements.txt'), await statementCosts(), { flag: 'a' })
    })
  }
} finally {
  await stack.stop()
}

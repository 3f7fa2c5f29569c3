/**
 * `npm run test:long`: tests of minutes: two at once and restarts, builds, lost data, a storm, and many random walks.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isolated, servers } from '../../vitest.config.ts'

/** Files that do less of the same in `npm test`: they ask at which scale they run. */
const AT_FULL_SCALE = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter(
    (file) =>
      file.endsWith('.test.ts') &&
      !file.startsWith('test/long/') &&
      readFileSync(file, 'utf8').includes('/model-runs.ts'),
  )

const env = { MODEL_RUNS: process.env['MODEL_RUNS'] ?? '50' }
const testTimeout = 400_000

export default {
  test: {
    ...servers,
    projects: [
      {
        test: {
          ...isolated,
          name: 'full scale',
          include: AT_FULL_SCALE,
          env,
          testTimeout,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // One after the other: they restart what others would need, or measure under a load of their own.
        test: {
          ...isolated,
          name: 'long',
          include: ['test/long/**/*.test.ts'],
          env,
          testTimeout,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
}

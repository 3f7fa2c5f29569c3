/** `npm run test:long`: tests of minutes: two at once and restarts, builds, lost data, a storm, many random walks. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isolated, servers } from '../../vitest.config.ts'

/** Files that run at a smaller scale in `npm test`. */
const AT_FULL_SCALE = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter(
    (file) =>
      file.endsWith('.test.ts') &&
      !/^test\/(?:long|wide)\//.test(file) &&
      /\/(?:model-runs|pages\/browser)\.ts'/.test(readFileSync(file, 'utf8')),
  )

/** Files of the long run alone that need no machine of their own: many cases, browsers, minutes. */
const WIDE = 'test/wide/**/*.test.ts'

const WALKS = 'test/long/walks/*.test.ts'

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
          include: [...AT_FULL_SCALE, WIDE, WALKS],
          env,
          testTimeout,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // sequential: they restart what others need, or measure under their own load
        test: {
          ...isolated,
          name: 'long',
          include: ['test/long/**/*.test.ts'],
          exclude: [WALKS],
          env,
          testTimeout,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
}

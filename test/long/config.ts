/**
 * `npm run test:long`: tests of minutes: two at once and restarts, builds, lost data, a storm, and many random walks.
 */
import { isolated, servers } from '../../vitest.config.ts'

/** Files that do less of the same in `npm test`. */
const AT_FULL_SCALE = [
  'approval-sets-races',
  'approvals-steps-counts',
  'attention-counts',
  'callbacks-many',
  'kill',
  'payment-quotes-prediction',
  'processes-lost',
  'sql-connections',
  'strangers',
]

export default {
  test: {
    ...servers,
    ...isolated,
    include: [
      'test/long/**/*.test.ts',
      'test/**/*-model.test.ts',
      ...AT_FULL_SCALE.map((name) => `test/**/${name}.test.ts`),
    ],
    env: { MODEL_RUNS: process.env['MODEL_RUNS'] ?? '50' },
    maxWorkers: 1,
    testTimeout: 400_000,
  },
}

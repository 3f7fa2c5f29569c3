/** `npm run test:long`: tests of minutes: two at once and restarts, builds, lost data. */
import config from '../vitest.config.ts'

export default {
  test: { ...config.test, include: ['test/long/**/*.test.ts'], exclude: [], maxWorkers: 1, testTimeout: 400_000 },
}

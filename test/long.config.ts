/** `npm run test:long`: tests of minutes: two at once and restarts, builds, lost data. */
import { isolated, servers } from '../vitest.config.ts'

export default {
  test: { ...servers, ...isolated, include: ['test/long/**/*.test.ts'], maxWorkers: 1, testTimeout: 400_000 },
}

/** `npm run histories`: records the histories that test/replay.test.ts replays, with the servers of the tests. */
import config from '../vitest.config.ts'

export default { test: { ...config.test, include: ['test/record-*histories.ts'] } }

/** `npm run histories`: records the histories that test/histories/replay.test.ts replays, with the tests' servers. */
import { isolated, servers } from '../../vitest.config.ts'

export default { test: { ...servers, ...isolated, include: ['test/histories/record-*histories.ts'] } }

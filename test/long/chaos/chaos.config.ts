/** `npm run chaos`: test/long/chaos/chaos-run.ts alone. */
import { isolated, servers } from '../../../vitest.config.ts'

export default { test: { ...servers, ...isolated, include: ['test/long/chaos/chaos-run.ts'], reporters: ['dot'] } }

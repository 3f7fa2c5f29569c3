/** `npm run chaos`: test/faults/chaos-run.ts alone. */
import { isolated, servers } from '../../vitest.config.ts'

export default { test: { ...servers, ...isolated, include: ['test/faults/chaos-run.ts'], reporters: ['dot'] } }

/** `npm run chaos`: test/chaos-run.ts alone. */
import { isolated, servers } from '../vitest.config.ts'

export default { test: { ...servers, ...isolated, include: ['test/chaos-run.ts'], reporters: ['dot'] } }

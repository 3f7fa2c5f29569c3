/** `npm run chaos`: test/chaos-run.ts alone. */
import config from '../vitest.config.ts'

export default { test: { ...config.test, include: ['test/chaos-run.ts'], reporters: ['dot'] } }

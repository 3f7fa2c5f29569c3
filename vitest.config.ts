import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**'],
    globalSetup: 'test/global-setup.ts',
    setupFiles: 'test/setup.ts',
    reporters: ['default', './test/closing-line-reporter.ts'],
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism() - 1),
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})

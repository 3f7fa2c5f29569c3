import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'

/** Folders without a server: no database, no API, no environment that they could change for each other. */
const UNIT = ['test/model/**/*.test.ts', 'test/rules/static/**/*.test.ts']

/** What every run of tests of this project shares. */
const limits = {
  maxWorkers: availableParallelism() + 1, // they wait for Temporal and for deadlines about half of their time
  expect: { poll: { timeout: 10_000 } },
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

/** Files that need the service, each in a process of its own. */
export const isolated = { ...limits, setupFiles: 'test/setup.ts', pool: 'forks' as const }

export const servers = {
  globalSetup: 'test/global-setup.ts',
  reporters: ['default', './test/closing-line-reporter.ts'],
}

export default defineConfig({
  test: {
    ...servers,
    ...limits,
    projects: [
      {
        // Everything else: one process runs many files. Each gets our modules anew (test/setup.ts); libraries stay.
        test: {
          ...isolated,
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/long/**', ...UNIT],
          isolate: false,
        },
      },
      {
        test: {
          ...limits,
          name: 'unit',
          include: UNIT,
          pool: 'threads',
          isolate: false,
          env: { DATABASE_URL: 'postgres://unused' }, // the configuration asks for one; nothing connects
        },
      },
    ],
  },
})

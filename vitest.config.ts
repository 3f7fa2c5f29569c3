import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders without a server: no database, no API, no environment that they could change for each other. */
const UNIT = ['test/model/**/*.test.ts', 'test/rules/static/**/*.test.ts']

/** Started before all others, so that none of them is alone at the end. */
const LONGEST = [
  'kill',
  'payouts-model',
  'reconciliation',
  'restart',
  'mail',
  'sandbox-advance',
  'covers',
  'decisions',
  'messenger',
  'avatar',
  'adjustments',
  'payouts',
  'reconciliation-lists',
  'admin',
  'payment-cancellations',
  'audit-faults',
  'approval-model',
  'processes-lost',
  'invitations-model',
  'strangers',
  'swaps-kill',
  'temporal-away',
  'sandbox-server',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return found < 0 ? LONGEST.length : found
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/** What every run of tests of this project shares. */
const limits = {
  maxWorkers: availableParallelism() + 2, // they wait for Temporal and for deadlines about half of their time
  expect: { poll: { timeout: 10_000 } },
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

/** Files that need the service, each in a process of its own. */
export const isolated = {
  ...limits,
  setupFiles: 'test/setup.ts',
  pool: 'forks' as const,
  execArgv: ['--max-semi-space-size=32'],
}

export const servers = {
  globalSetup: 'test/global-setup.ts',
  reporters: ['default', './test/closing-line-reporter.ts'],
  sequence: { sequencer: LongestFirst },
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

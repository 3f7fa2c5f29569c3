import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

import { SHARED } from './test/shared-files.ts'

/** Folders without a server: no database, no API, no environment that they could change for each other. */
const UNIT = ['test/model/**/*.test.ts', 'test/rules/static/**/*.test.ts']

/** Started before all others of their project, so that none of them is alone at the end. */
const LONGEST = `
  kill restart payouts-model reconciliation covers adjustments payouts-kill mail batch-rows bill-pages
  audit-processes uploads deposits-returned deposits-model reconciler api-key-use batches-model
  reconciliation-lists audit-faults invitations-model temporal-away avatar
  decisions payment-cancellations messenger payouts payment-destinations-approval approval-sets-races payouts-faults
  sandbox-advance strangers`
  .trim()
  .split(/\s+/)

/** Last in their project, too: a process that has begun with files that share a service goes on with them. */
const isShared = ({ moduleId }: TestSpecification) => SHARED.some((file) => moduleId.endsWith(file))

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification) => {
      const found = LONGEST.findIndex((name) => file.moduleId.endsWith(`/${name}.test.ts`))
      return (isShared(file) ? LONGEST.length + 1 : 0) + (found < 0 ? LONGEST.length : found)
    }
    const sorted = await super.sort(files)
    // a process that has run files of one project cannot run those of another
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).toSorted((a, b) => rank(a) - rank(b)),
    )
  }
}

/** What every run of tests of this project shares. */
const limits = {
  maxWorkers: availableParallelism() + 2, // they wait for Temporal and for deadlines about half of their time
  /** Each look costs some processor time, of which there is too little; patience is for a machine with much to do. */
  expect: { poll: { interval: 100, timeout: 30_000 } },
  testTimeout: 90_000,
  hookTimeout: 120_000,
}

/**
 * A test with real servers that fails is tried once more, as a busy machine may have been too slow for it; it is named
 * at the end of the run. What a random walk has found stays found: the next walk would be another one.
 */
const retry = { count: 1, condition: /^(?!Property failed)/ }

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
        // One process runs many files. Each gets a service and our modules anew, or shares them (test/setup.ts).
        test: {
          ...isolated,
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/long/**', ...UNIT],
          retry,
          isolate: false,
          env: { FILES_SHARE: '1' },
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

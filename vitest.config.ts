import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders without a server: no database, no API, no environment that they could change for each other. */
const UNIT = ['test/domain/**/*.test.ts', 'test/rules/**/*.test.ts']

/**
 * Folder whose files share a service: those of one process have one database, one API, and our modules as they are.
 * They keep to organizations of their own, and leave alone what all share: environment, clock, what a sweep or an audit
 * finds. A file that cannot is in `test/isolated`, and one of minutes, of browsers or of all cases in `test/wide`, which
 * the long run has.
 */
const SHARED = 'test/shared/'

/** Runs large files first, then those that share a service: with a worker, and without. */
class LargestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // a process that has run files of one project cannot run those of another
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).toSorted((a, b) => rankOf(a) - rankOf(b)),
    )
  }
}

/** Places files without a worker last: the runs that they leave cost the next worker a third of its time. */
function rankOf({ moduleId }: TestSpecification): number {
  if (!moduleId.includes(`/${SHARED}`)) return 0
  return readFileSync(moduleId, 'utf8').includes('useWorker(') ? 1 : 2
}

/** Counts the commits; 0 without git. Samples of cases begin at another case with each commit. */
function commits(): string {
  try {
    return execFileSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return '0'
  }
}

/** Settings of every run of tests. */
const limits = {
  maxWorkers: availableParallelism() + 2, // they wait for Temporal and for deadlines about half of their time
  /** Each look costs some processor time, of which there is too little; patience is for a machine with much to do. */
  expect: { poll: { interval: 100, timeout: 45_000 } },
  testTimeout: 120_000,
  hookTimeout: 240_000,
  /** The packages of clients/ import each other by name; here by their sources. */
  alias: { 'business-finance-client': fileURLToPath(new URL('clients/typescript/src/index.ts', import.meta.url)) },
  env: { SAMPLE_ROTATION: process.env['SAMPLE_ROTATION'] ?? commits() },
}

/** Files that need the service, each in a process of its own. */
export const isolated = {
  ...limits,
  setupFiles: 'test/setup.ts',
  pool: 'forks' as const,
  /** Memory is cleaned seldom: most of what a file leaves is gone with it. */
  execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32'],
}

export const servers = {
  globalSetup: 'test/global-setup.ts',
  reporters: ['default', './test/row-types/reporter.ts', './test/closing-line-reporter.ts'],
  sequence: { sequencer: LargestFirst },
}

export default defineConfig({
  test: {
    ...servers,
    ...limits,
    projects: [
      {
        // One process runs many files. Each loads our modules again, except those that share (test/setup.ts); libraries
        // stay.
        test: {
          ...isolated,
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/long/**', 'test/wide/**', ...UNIT],
          provide: { sharedFolder: SHARED },
          isolate: false,
        },
      },
      {
        test: {
          ...limits,
          name: 'unit',
          include: UNIT,
          setupFiles: 'test/unit-setup.ts',
          pool: 'threads',
          isolate: false,
          env: { ...limits.env, DATABASE_URL: 'postgres://unused' }, // the configuration asks for one; nothing connects
        },
      },
    ],
  },
})

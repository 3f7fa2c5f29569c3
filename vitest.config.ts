import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders without a server: no database, no API, no environment that they could change for each other. */
const UNIT = ['test/domain/**/*.test.ts', 'test/rules/static/**/*.test.ts']

/**
 * Files that share a service: those of one process have one database, one API, and our modules as they are. They keep
 * to organizations of their own, and leave alone what all share: environment, clock, what a sweep or an audit finds.
 * They leave few processes: the worker of a later file would drive them all.
 */
export const SHARED = Object.entries({
  'api/accounting': 'connection sync',
  'api/accounts': 'receiving-accounts transactions transactions-filters transactions-notes transactions-over',
  'api/approvals': `
    approval-challenges approval-devices approval-key-races approval-model approval-policies
    approval-policies-coins approval-policies-eligible approval-policies-model approval-reminders approval-sets
    approval-sets-model approval-sets-races approval-voids approvals approvals-steps approvals-steps-counts
    decisions evidence evidence-of-sets evidence-tampering expiry reviewers`,
  'api/attention': 'attention attention-counts',
  'api/batches': 'batch-approval batch-payments batch-rows batches-model drafts import verdicts',
  'api/billing-contacts': 'billing-contacts',
  'api/bills': `
    bill-guards bill-own bill-payee-gone bill-payment bill-pages bill-payment-ends bill-reading bills bills-model`,
  'api/contacts': `
    destination-checks payment-contacts payment-contacts-changes payment-destinations
    payment-destinations-accounts payment-destinations-hardening payment-destinations-model`,
  'api/deposits': 'deposits deposits-model deposits-names',
  'api/events': 'heads log stream verification',
  'api/exports': 'exports exports-tries',
  'api/factors': `
    passkeys passkeys-assertions passkeys-registration passkeys-sign-in phone-numbers
    recovery-codes`,
  'api/http': 'hardening wire',
  'api/invitations': 'invitations invitations-accept',
  'api/invoices': `
    allocations drafts incoming-payments invoice-approval invoices invoices-model lists numbers own-money
    public-page search`,
  'api/ledger': 'ledger',
  'api/messages': 'messenger',
  'api/organizations': `
    admin api-key-rotation api-keys logo members members-model members-races organization-settings organization-update
    organizations`,
  'api/callbacks': 'callbacks',
  'api/payments': `
    idempotency payment-cancellations payment-events payment-quotes payment-quotes-notes payment-quotes-use
    payments payout-reasons payouts payouts-faults payouts-words receipts statement`,
  'api/people': 'avatar devices me session-tokens sessions',
  'api/reference': 'reference',
  'api/sandbox': `
    mailbox sandbox-accounting sandbox-accounting-books sandbox-advance sandbox-callbacks sandbox-faults
    sandbox-payouts`,
  'api/sign-in': 'device-login factor-resets identity-model passwords sign-in sign-in-races sign-up',
  'api/subscriptions': 'subscription-faults',
  'api/step-up': 'step-up step-up-fallback',
  'api/swaps': 'swaps swaps-model swaps-races swaps-refusals',
  'api/webhooks': 'endpoints',
  histories: 'history',
  temporal: 'callbacks-many',
  rules: 'bad-requests openapi personal rules strangers tenancy',
}).flatMap(([folder, names]) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `test/${folder}/${name}.test.ts`),
)

/** Started before all others of their project, so that none of them is alone at the end. */
const LONGEST = `
  kill payouts-model reconciliation covers adjustments mail batch-rows bill-pages
  audit-processes uploads deposits-returned deposits-model reconciler api-key-use batches-model
  reconciliation-lists audit-faults invitations-model temporal-away avatar
  decisions payment-cancellations messenger payouts payment-destinations-approval approval-sets-races payouts-faults
  sandbox-advance strangers`
  .trim()
  .split(/\s+/)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const ranks = new Map(sorted.map((file) => [file, rankOf(file)]))
    const rank = (file: TestSpecification) => ranks.get(file) ?? 0
    // a process that has run files of one project cannot run those of another
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).toSorted((a, b) => rank(a) - rank(b)),
    )
  }
}

/**
 * Runs files that share a service after others, those without a worker last: runs that they
 * start are left to the worker of the next file.
 */
function rankOf({ moduleId, project }: TestSpecification): number {
  const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  const isShared = project.name === 'service' && SHARED.some((file) => moduleId.endsWith(`/${file}`))
  const hasWorker = isShared && readFileSync(moduleId, 'utf8').includes('useWorker(')
  return (isShared ? (hasWorker ? 1 : 2) : 0) * 1000 + (found < 0 ? LONGEST.length : found)
}

/** Settings of every run of tests. */
const limits = {
  maxWorkers: availableParallelism() + 2, // they wait for Temporal and for deadlines about half of their time
  /** Each look costs some processor time, of which there is too little; patience is for a machine with much to do. */
  expect: { poll: { interval: 100, timeout: 30_000 } },
  testTimeout: 90_000,
  hookTimeout: 120_000,
}

/**
 * A failed test with real servers gets a second try, as a busy machine may be too slow; it is named
 * at the end of the run. What a random walk has found stays found: the next walk would be another one.
 */
const retry = { count: 1, condition: /^(?!Property failed)/ }

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
  reporters: ['default', './test/closing-line-reporter.ts'],
  sequence: { sequencer: LongestFirst },
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
          exclude: ['test/long/**', ...UNIT],
          provide: { sharingFiles: SHARED },
          retry,
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
          env: { DATABASE_URL: 'postgres://unused' }, // the configuration asks for one; nothing connects
        },
      },
    ],
  },
})

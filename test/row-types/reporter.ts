/**
 * Vitest reporter: fails a run in which a statement returned rows that its declared type does not describe, and a whole
 * run in which a typed statement was never run.
 */
import { readdirSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule, TestRunEndReason, Vitest } from 'vitest/node'
import { rootFolder } from '../../dev/settings.ts'
import { listFaults } from './compared.ts'
import { readDeclared } from './declared.ts'
import { type Seen, readSeen } from './seen.ts'

const IN_CONFORMANCE = 'npm run test:long has all situations of a bank by files'

/** Statements that a whole run may leave out: at most how many of which files, and why. */
const UNSEEN: Readonly<Record<string, readonly [statements: number, because: string]>> = {
  'db/postgres/replica.ts': [2, 'npm run test:long has a replica'],
  'services/decisions/commands.ts': [1, 'each target of an approval has a statement of its own'],
  'services/audit-packs/items.ts': [1, 'each noun of a pack has a statement of its own'],
  'services/decisions/details.ts': [1, 'each target of an approval has a statement of its own'],
  'services/registries/attention.ts': [1, 'its parts are the kinds of attention'],
  'services/accounting/steps.ts': [1, 'npm run test:long has syncs that are not answered'],
  'services/bank-files/accounts.ts': [1, IN_CONFORMANCE],
  'services/bank-files/booking.ts': [1, IN_CONFORMANCE],
  'services/bank-files/lookups.ts': [5, IN_CONFORMANCE],
  'sandbox/db/file-bank.ts': [5, IN_CONFORMANCE],
  'services/operators/sign-ins.ts': [1, 'npm run test:long has the pages of operators'],
  'services/operators/subjects.ts': [1, 'npm run test:long has the pages of operators'],
}

export default class RowTypesReporter implements Reporter {
  private vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    _errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const folder = process.env['ROWS_SEEN']
    if (!folder || !this.vitest || this.vitest.config.watch || readdirSync(folder).length === 0) return
    const isWhole = reason === 'passed' && (await hasRunAll(this.vitest, modules.length))
    const faults = compareRows(readSeen(folder), isWhole)
    if (faults.length === 0) return
    console.log(`\nRows and their declared types (test/row-types):\n${faults.join('\n')}\n`)
    process.exitCode = 1
  }
}

/** Tells if all files of `npm test` ran, and all tests of them. */
async function hasRunAll(vitest: Vitest, files: number): Promise<boolean> {
  const { testNamePattern, shard } = vitest.config
  if (testNamePattern || shard || !vitest.projects.some(({ name }) => name === 'service')) return false
  return (await vitest.globTestSpecifications()).length === files
}

function compareRows(seen: ReadonlyMap<string, Seen>, isWhole: boolean): string[] {
  return readDeclared(rootFolder, (declared, checker) => {
    const statements = declared.map(({ where, names, row }) => {
      const rows = names.flatMap((name) => seen.get(name) ?? [])
      const faults = new Set(rows.flatMap((one) => listFaults(checker, row, one)))
      return { where, isSeen: rows.length > 0, faults: [...faults].map((fault) => `${where}: ${fault}`) }
    })
    const unseen = isWhole ? listUnseen(statements.filter(({ isSeen }) => !isSeen)) : []
    return [...statements.flatMap(({ faults }) => faults), ...unseen]
  })
}

function listUnseen(statements: readonly { readonly where: string }[]): string[] {
  const fileOf = ({ where }: { readonly where: string }) => where.replace(/:\d+$/, '')
  const countIn = (file: string) => statements.filter((one) => fileOf(one) === file).length
  const others = statements.filter((one) => countIn(fileOf(one)) > (UNSEEN[fileOf(one)]?.[0] ?? 0))
  return others.map(({ where }) => `${where}: no test runs this statement`)
}

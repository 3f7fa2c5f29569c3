/**
 * Before a test file is loaded: a database of its own, the environment that every part of the service reads, and our
 * modules anew. One process may run many files: nothing that an earlier one set or imported is left but libraries.
 *
 * Files that share a service keep what the first one of them has got in their process.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import postgres from 'postgres'
import { afterAll, expect, inject, vi } from 'vitest'

import { freePort } from '../dev/machine/ports.ts'

declare global {
  /** As the process was started with; the first file keeps it for those after it. */
  var testEnvironment: NodeJS.ProcessEnv | undefined
  /** For the next file of this process. */
  var nextDatabase: ReturnType<typeof createDatabase> | undefined
  /** The database of this file, and up to which transaction its events have been checked. */
  var eventLog: { url: string; checked: string } | undefined
}

const serverUrl = inject('serverUrl')
const { testPath = '' } = expect.getState()
const isShared = (inject('sharingFiles') ?? []).some((file) => testPath.endsWith(`/${file}`))
if (isShared && process.env['SHARED_SERVICE'] !== undefined) await leaveProcesses()
else await begin()

afterAll(async () => {
  const { url, checked } = globalThis.eventLog ?? {}
  if (!url || !checked) return // it was not begun
  const { faultsInLog } = await import('./support/logged.ts') // what the file has imported is there already
  const { faults, until } = await faultsInLog(url, checked)
  globalThis.eventLog = { url, checked: until }
  expect(faults, 'events that are not as the catalogue says').toEqual([])
})

async function begin(): Promise<void> {
  vi.resetModules()
  vi.unstubAllEnvs()
  globalThis.testEnvironment ??= { ...process.env }
  for (const name of Object.keys(process.env)) if (!(name in globalThis.testEnvironment)) delete process.env[name]
  const database = await (globalThis.nextDatabase ?? createDatabase())
  globalThis.nextDatabase = isShared ? undefined : createDatabase() // while this file runs
  globalThis.nextDatabase?.catch(() => {}) // whoever takes it hears of it
  await setEnvironment(globalThis.testEnvironment, database)
}

/** What files before this one have left to be done stays undone: it would keep the worker of this one busy. */
async function leaveProcesses(): Promise<void> {
  const { owner } = await import('./support/database.ts')
  await owner`delete from processes`
}

/** A copy of the template, and the mark that it shares with its task queues. */
async function createDatabase(): Promise<{ mark: string; name: string }> {
  const mark = randomBytes(6).toString('hex')
  const name = `test_${mark}`
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} })
  await server`create database ${server(name)} template ${server(inject('template'))} strategy file_copy` // of 12 MB
  await server.end()
  return { mark, name }
}

async function setEnvironment(
  testEnvironment: NodeJS.ProcessEnv,
  { mark, name }: { mark: string; name: string },
): Promise<void> {
  const address = (user: string, password: string) =>
    Object.assign(new URL(serverUrl), { username: user, password, pathname: name }).href
  globalThis.eventLog = { url: address('postgres', new URL(serverUrl).password), checked: '0' }
  Object.assign(process.env, testEnvironment, {
    DATABASE_URL: address('business_finance_app', inject('appPassword')),
    /** The owner on the same copy: sees every row. */
    MIGRATION_DATABASE_URL: address('postgres', new URL(serverUrl).password),
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TEMPORAL_NAMESPACE: 'default',
    TASK_QUEUE_PREFIX: `${mark}-`,
    DATA_DIR: join(inject('dataFolder'), mark),
    WORKFLOW_BUNDLE: inject('workflowBundle'),
    COMPILED_SERVICE: inject('compiledService'),
    LOG_LEVEL: testEnvironment['LOG_LEVEL'] || 'silent',
    SERVICE_ENV: 'test',
    PORT: '0',
    /** Walks and races ask more often than people; the files about these limits set others. */
    RATE_LIMIT_PER_MINUTE: '100000',
    FIRST_CUSTOMER_MAIL_LIMIT_PER_DAY: '100000',
    CUSTOMER_MAIL_LIMIT_PER_DAY: '100000',
    MAILS_TO_CUSTOMER_LIMIT_PER_DAY: '100000',
    RATE_LIMIT_ADDRESS_PER_MINUTE: '100000',
    /** The least that argon2id takes for a lane. */
    PASSWORD_HASH_MEMORY_KIB: '8',
    PASSWORD_HASH_PASSES: '1',
    /** Each connection plans and loads anew what others have: eight are enough for people at once. */
    DATABASE_POOL_SIZE: '8',
    /** Where usePartners() starts them; files that do not find nobody there. */
    SANDBOX_PARTNERS_URL: `http://127.0.0.1:${await freePort()}`,
    ...(isShared && { SHARED_SERVICE: 'yes' }),
    ANNOUNCE_PATIENCE_MS: '0',
    SANDBOX_SETTLE_MS: '20',
    EVENT_RETENTION_DAYS: '7300',
    EVENT_HEARTBEAT_MS: '200',
    PARTNER_TIMEOUT_MS: '2000',
    PARTNER_POLL_SECONDS: '0.1',
  })
}

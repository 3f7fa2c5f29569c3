/**
 * Setup of each test file: a database of its own, the environment, and fresh modules. One process may run many files:
 * only libraries stay from earlier ones.
 *
 * Files that share a service keep what the first of them has set up in their process.
 */
import { randomBytes } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'

import postgres from 'postgres'
import { afterAll, expect, inject, vi } from 'vitest'

import { freePort } from '../dev/machine/ports.ts'

declare global {
  /** The environment of the process; the first file keeps it for the next ones. */
  var testEnvironment: NodeJS.ProcessEnv | undefined
  var nextDatabase: ReturnType<typeof createDatabase> | undefined
  /** The database of this file, and the last transaction whose events were checked. */
  var eventLog: { url: string; checked: string } | undefined
}

// beside the processes of other files those that read bills, which have the lowest priority, would get next to nothing
os.setPriority = () => {}
syncBuiltinESMExports()

// without the run there is nobody to report to, and the servers that worker and stand-ins ask for ever are gone
if (globalThis.testEnvironment === undefined) process.once('disconnect', () => process.exit(1))

const serverUrl = inject('serverUrl')
const { testPath = '' } = expect.getState()
const sharedFolder = inject('sharedFolder')
const isShared = sharedFolder !== undefined && testPath.includes(`/${sharedFolder}`)
if (isShared && process.env['SHARED_SERVICE'] !== undefined) await leaveProcesses()
else await begin()

afterAll(async () => {
  const { url, checked } = globalThis.eventLog ?? {}
  if (!url || !checked) return // not begun
  const { faultsInLog } = await import('./support/logged.ts') // the file has imported it already
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
  globalThis.nextDatabase?.catch(() => {}) // its user gets the error
  await setEnvironment(globalThis.testEnvironment, database)
  // before anything else of Temporal makes the runtime of the process, with settings of its own
  await import('./support/temporal-runtime.ts')
}

/** Leaves processes of earlier files undriven: they would keep this file's worker busy. */
async function leaveProcesses(): Promise<void> {
  const { owner } = await import('./support/database.ts')
  await owner`delete from processes`
}

/** Creates a copy of the template, and the mark that it shares with its task queues. */
async function createDatabase(): Promise<{ mark: string; name: string }> {
  const mark = randomBytes(6).toString('hex')
  const name = `test_${mark}`
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} })
  await server`create database ${server(name)} template ${server(inject('template'))} strategy file_copy` // 12 MB
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
    /** The owner of the same copy, who sees every row. */
    MIGRATION_DATABASE_URL: address('postgres', new URL(serverUrl).password),
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TEMPORAL_NAMESPACE: 'default',
    TASK_QUEUE_PREFIX: `${mark}-`,
    DATA_DIR: join(inject('dataFolder'), mark),
    WORKFLOW_BUNDLE: inject('workflowBundle'),
    COMPILED_SERVICE: inject('compiledService'),
    LOG_LEVEL: testEnvironment['LOG_LEVEL'] || 'silent',
    SERVICE_ENV: 'test',
    BILLS_MAIL_DOMAIN: 'bills.test',
    BILLS_MAIL_SECRET: 'whsec_YmlsbHMtYnktbWFpbC1vZi10aGUtdGVzdHMtMDEyMzQ1',
    BILLS_MAIL_AUTHSERV_ID: 'gateway.test',
    BILLS_MAIL_GATEWAYS: '127.0.0.1/32',
    PORT: '0',
    /** Model walks and races ask more often than people; the files about these limits set others. */
    RATE_LIMIT_PER_MINUTE: '100000',
    FIRST_CUSTOMER_MAIL_LIMIT_PER_DAY: '100000',
    CUSTOMER_MAIL_LIMIT_PER_DAY: '100000',
    MAILS_TO_CUSTOMER_LIMIT_PER_DAY: '100000',
    RATE_LIMIT_ORGANIZATION_PER_MINUTE: '100000',
    RATE_LIMIT_ADDRESS_PER_MINUTE: '100000',
    /** The least that argon2id takes per lane. */
    PASSWORD_HASH_MEMORY_KIB: '8',
    PASSWORD_HASH_PASSES: '1',
    /** Each connection plans and caches by itself: eight are enough. */
    DATABASE_POOL_SIZE: '8',
    /** The port of usePartners(); without it, nothing listens there. */
    SANDBOX_PARTNERS_URL: `http://127.0.0.1:${await freePort()}`,
    /** The port of test/support/identity/name-server.ts; without it, nothing listens there. */
    DNS_SERVERS: `127.0.0.1:${await freePort()}`,
    ...(isShared && { SHARED_SERVICE: 'yes' }),
    ANNOUNCE_PATIENCE_MS: '0',
    SANDBOX_SETTLE_MS: '20',
    EVENT_RETENTION_DAYS: '7300',
    EVENT_HEARTBEAT_MS: '200',
    PARTNER_TIMEOUT_MS: '2000',
    PARTNER_POLL_SECONDS: '0.1',
  })
}

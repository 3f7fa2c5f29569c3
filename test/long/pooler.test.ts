/** pgbouncer before Postgres: money moves over kept sessions; without them the service does not start. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { findProcess, sendSignal } from '../../dev/machine/processes.ts'
import { freePort } from '../../dev/machine/ports.ts'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { until } from '../support/until.ts'

const PROGRAM = process.env['PGBOUNCER'] || 'pgbouncer'
const obstacle = findObstacle()
if (obstacle) console.warn(`pgbouncer is skipped: ${obstacle}`)

/** Prepared statements in transaction mode came with 1.21: an older one would be refused for want of them. */
function findObstacle(): string | undefined {
  try {
    const [, minor = ''] = /PgBouncer 1\.(\d+)/i.exec(execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' })) ?? []
    return Number(minor) >= 21 ? undefined : `${PROGRAM} is older than 1.21`
  } catch {
    return `there is no ${PROGRAM}; PGBOUNCER names one of 1.21 or later`
  }
}

const direct = new URL(process.env['DATABASE_URL'] ?? '')
const database = direct.pathname.slice(1)
const folder = makeTemporaryFolder()
afterAll(() => folder.remove())

/** Settings that pgbouncer takes from no client: they are set for the role. */
const SETTINGS = {
  TimeZone: 'UTC',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
}

/** Starts a pgbouncer; returns the URL of the database by it. */
async function pool(mode: 'session' | 'transaction'): Promise<string> {
  const port = await freePort()
  const file = (name: string) => join(folder.path, `${mode}${port}.${name}`)
  writeFileSync(file('users'), `"${direct.username}" "${direct.password}"\n`)
  writeFileSync(
    file('ini'),
    `[databases]
${database} = host=${direct.hostname} port=${direct.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${file('users')}
pool_mode = ${mode}
default_pool_size = 60
max_client_conn = 200
max_prepared_statements = 500
ignore_startup_parameters = options,${Object.keys(SETTINGS).join()},role
${process.getuid?.() === 0 ? 'user = nobody' : ''}
`,
  )
  const child = spawn(PROGRAM, [file('ini')], { stdio: 'ignore' })
  const mark = findProcess(child.pid ?? 0)
  if (mark) folder.holds(mark)
  afterAll(() => void (mark && sendSignal(mark, 'SIGKILL')))
  await until('the pooler listens', () => listens(port))
  return Object.assign(new URL(direct), { port: String(port), hostname: '127.0.0.1' }).href
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Lists what API and worker say as they refuse to start. */
async function refusals(url: string): Promise<string[]> {
  const said = []
  for (const entry of ['server.js', 'worker.js']) {
    const env = { ...process.env, DATABASE_URL: url }
    const started = promisify(execFile)(process.execPath, [join(inject('compiledService'), entry)], { env })
    const { stderr, code } = (await started.catch((error) => error)) as { stderr: string; code?: number }
    said.push(`${code}: ${stderr}`)
  }
  return said
}

type Refused = { readonly withoutSettings: readonly string[]; readonly ofTransactions: readonly string[] }

/** Starts the poolers, lists their refusals, and keeps the one of sessions for this file. */
async function prepare(): Promise<Refused> {
  const withoutSettings = await refusals(await pool('session'))
  const owner = postgres(process.env['MIGRATION_DATABASE_URL'] ?? '', { max: 1 })
  for (const [name, value] of Object.entries({ ...SETTINGS, role: direct.username }))
    await owner.unsafe(`alter role ${direct.username} in database ${database} set ${name} = '${value}'`)
  await owner.end()
  const ofTransactions = await refusals(await pool('transaction'))
  process.env['DATABASE_URL'] = await pool('session') // its sessions begin with the settings
  return { withoutSettings, ofTransactions }
}

const refused = obstacle === undefined ? await prepare() : undefined
const { usePartners } = await import('../support/partners/partners.ts') // reads DATABASE_URL, as the API of this file
const { become, payerBy, sent } = await import('../support/payments/payouts.ts')
const { approve, createPayment, payerAndPayee } = await import('../support/api.ts')
const { startWorker } = await import('../support/processes.ts')
if (refused) usePartners()

describe.skipIf(!refused)(`pgbouncer${obstacle ? ` (skipped: ${obstacle})` : ''}`, () => {
  test('that drops the settings of sessions is refused by API and worker', () => {
    for (const said of refused?.withoutSettings ?? [])
      expect(said).toMatch(/^1: [^]*DATABASE_URL: a pooler drops settings of our sessions \(.*role\)/)
  })

  test('that shares sessions is refused, though it keeps settings and prepared statements', () => {
    for (const said of refused?.ofTransactions ?? [])
      expect(said).toMatch(/^1: [^]*DATABASE_URL: a pooler gives a connection another session/)
  })

  test('that keeps sessions carries payments by service ID, bank and blockchain', async () => {
    const { boss, contactId } = await payerAndPayee('100.00')
    expect(await approve(boss, await createPayment(boss, contactId))).toMatchObject({ status: 200 })
    const worker = await startWorker()
    const [bank, chain] = [await payerBy('fiat'), await payerBy('crypto')]
    const payments = [await sent(bank), await sent(chain)] as const
    await become(bank, payments[0], 'succeeded')
    await become(chain, payments[1], 'succeeded')
    expect(await worker.stop()).toBe(0)
  })
})

/** `npm run bench`: every line with its limit measured in the same run. A report, never a test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../db/migrate.ts'
import { freePort } from '../dev/machine/ports.ts'
import { startPrivateCluster } from '../dev/postgres/cluster.ts'
import { startTemporal } from '../dev/temporal/server.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const only = process.argv[2]

const cluster = await startPrivateCluster()
const folder = await mkdtemp(join(tmpdir(), 'bench-'))
const children: ChildProcess[] = []
try {
  await migrate(cluster.url(), 'bench')
  const port = await freePort()
  const emptyPort = await freePort()
  const temporal = await startTemporal({
    port: await freePort(),
    namespace: 'default',
    logFile: join(folder, 'temporal.log'),
    say: (text) => console.log(text),
  })
  const app = Object.assign(new URL(cluster.url()), { username: 'business_finance_app', password: 'bench' }).href
  Object.assign(process.env, {
    DATABASE_URL: app,
    MIGRATION_DATABASE_URL: cluster.url(),
    TEMPORAL_ADDRESS: temporal.address,
    PORT: String(port),
    EMPTY_PORT: String(emptyPort),
    DATA_DIR: folder,
    NODE_ENV: 'production',
    SERVICE_ENV: 'test',
    RATE_LIMIT_PER_MINUTE: '1000000',
    FIRST_CUSTOMER_MAIL_LIMIT_PER_DAY: '1000000',
    CUSTOMER_MAIL_LIMIT_PER_DAY: '1000000',
    MAILS_TO_CUSTOMER_LIMIT_PER_DAY: '1000000',
    RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000',
    SIGN_IN_LIMIT_PER_MINUTE: '1000000',
    SIGN_IN_ADDRESS_LIMIT_PER_MINUTE: '1000000',
    MAIL_LIMIT_PER_HOUR: '1000000',
    UPLOAD_LIMIT_PER_HOUR: '1000000',
    BILL_LIMIT_PER_HOUR: '1000000',
    EXTRACTION_LIMIT_PER_HOUR: '1000000',
    IMPORT_LIMIT_PER_HOUR: '1000000',
    EXPORT_LIMIT_PER_HOUR: '1000000',
  })
  // loaded only now: they read the environment
  const { benchApprovals } = await import('./approvals.ts')
  const { benchBatches } = await import('./batch-payments.ts')
  const { benchBills } = await import('./bill-readings.ts')
  const { benchEventLog } = await import('./event-log.ts')
  const { benchExports } = await import('./exports.ts')
  const { benchFeed } = await import('./feed.ts')
  const { benchFlood } = await import('./flood.ts')
  const { benchHostile } = await import('./hostile.ts')
  const { benchIdentity } = await import('./identity.ts')
  const { benchImports } = await import('./imports.ts')
  const { benchInvoiceSearch } = await import('./invoice-search.ts')
  const { benchInvoices } = await import('./invoices.ts')
  const { benchPostings, benchSettlements, fundedOrganizations } = await import('./ledger.ts')
  const { benchAway, benchPayments } = await import('./payments.ts')
  const { benchReference } = await import('./reference.ts')
  const { benchSweep } = await import('./sweep.ts')
  const { benchWebhooks } = await import('./webhooks.ts')
  const { owner } = await import('./owner.ts')
  const { sql } = await import('../db/sql.ts')
  console.log(`${ROUNDS} rounds each, A B A B …; the median of the rounds' ratios\n`)
  if (!only || only === 'ledger') {
    const ids = await fundedOrganizations()
    await benchPostings(ids, ROUNDS)
    await benchSettlements(ids, ROUNDS)
    await proveBooks(owner)
  }
  const apiUrl = `http://127.0.0.1:${port}`
  if (only !== 'ledger') await child('../server.js', 'api ready')
  if (!only || only === 'hostile') await benchHostile(apiUrl, children.at(-1)?.pid ?? 0)
  if (!only || only === 'identity') await benchIdentity(apiUrl, ROUNDS)
  if (!only || only === 'feed' || only === 'reference') await child('./empty/server.js', 'empty ready')
  const emptyUrl = `http://127.0.0.1:${emptyPort}/`
  if (!only || only === 'feed') await benchFeed(apiUrl, emptyUrl, ROUNDS)
  if (!only || only === 'event-log') await benchEventLog(apiUrl)
  if (!only || only === 'reference') await benchReference(apiUrl, emptyUrl, ROUNDS)
  if (!only || only === 'sweep') await benchSweep(ROUNDS)
  if (!only || only === 'payments') {
    await owner`create table if not exists bench_rows (id uuid primary key, value text)`
    await Promise.all([child('../worker.js', 'worker ready'), child('./empty/worker.js', 'worker ready')])
    await benchPayments(apiUrl, temporal.address, ROUNDS)
    await benchAway(apiUrl, temporal)
    await proveBooks(owner)
  }
  if (!only || only === 'exports') {
    await stopChildren() // a worker that has done nothing yet: its memory is measured
    await child('../server.js', 'api ready')
    await child('../worker.js', 'worker ready')
    await benchExports(apiUrl, children.at(-1)?.pid ?? 0, ROUNDS)
  }
  if (!only || only === 'batches') {
    if (only) await child('../worker.js', 'worker ready')
    await benchImports(apiUrl, ROUNDS)
    await stopChildren()
    await child('../worker.js', 'worker ready')
    await benchBatches(await fundedOrganizations(1001), ROUNDS)
    await proveBooks(owner)
  }
  if (!only || only === 'bills') {
    await stopChildren()
    await child('../server.js', 'api ready')
    await child('../worker.js', 'worker ready')
    await benchBills(apiUrl)
  }
  if (!only || only === 'flood') {
    await stopChildren()
    await child('../server.js', 'api ready')
    await child('../worker.js', 'worker ready')
    await benchFlood(apiUrl, ROUNDS)
  }
  if (!only || only === 'invoices') {
    await stopChildren()
    await child('../server.js', 'api ready')
    await benchInvoiceSearch(apiUrl)
    await child('../worker.js', 'worker ready')
    await benchInvoices(apiUrl, ROUNDS)
  }
  if (!only || only === 'webhooks') {
    await stopChildren()
    await child('../server.js', 'api ready')
    await child('../worker.js', 'worker ready')
    await benchWebhooks(apiUrl, ROUNDS)
    await proveBooks(owner)
  }
  if (!only || only === 'approvals') {
    await stopChildren() // no worker: it would take up the payments that are there to be listed
    await child('../server.js', 'api ready')
    await benchApprovals(apiUrl, ROUNDS)
  }
  await Promise.all([sql.end({ timeout: 5 }), owner.end({ timeout: 5 })])
  await stopChildren()
  await temporal.stop()
} finally {
  await stopChildren()
  await cluster.stop()
  await rm(folder, { recursive: true, force: true })
}

/** A compiled process of the service, as in production; ready when it says so. */
function child(file: string, ready: string): Promise<void> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const started = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(started)
  return new Promise((resolve, reject) => {
    started.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
    started.stdout.on('data', (chunk: Buffer) => chunk.includes(ready) && resolve())
  })
}

async function stopChildren(): Promise<void> {
  await Promise.all(
    children.splice(0).map(
      (process) =>
        new Promise<void>((resolve) => {
          if (process.exitCode !== null) return resolve()
          process.removeAllListeners('exit')
          process.once('exit', () => resolve())
          process.kill('SIGTERM')
        }),
    ),
  )
}

/** An unbalanced ledger fails the bench. */
async function proveBooks(owner: typeof import('./owner.ts').owner): Promise<void> {
  const wrong = await owner`
    select a.id from ledger_accounts a join ledger_entries e on e.account_id = a.id
    where a.kind in ('available', 'held') group by a.id having a.balance <> sum(e.amount) or a.seq <> count(*)`
  const [sum] = await owner`
    select 1 from ledger_entries e join ledger_accounts a on a.id = e.account_id group by a.currency having sum(e.amount) <> 0`
  if (wrong.length > 0 || sum) throw new Error('the ledger does not balance')
}

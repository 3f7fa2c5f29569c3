/** `npm run bench [group]`: each line has a baseline measured in the same run. A report, never a test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../db/migrate.ts'
import { freePort } from '../dev/machine/ports.ts'
import { startPrivateCluster } from '../dev/postgres/cluster.ts'
import { startTemporal } from '../dev/temporal/server.ts'
import type { Program } from './groups.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const only = process.argv[2]
/** Folder for profiles (`*.cpuprofile`), and the cost of each statement (`statements.txt`). */
const profiles = process.env['BENCH_PROFILE']
/** Groups that run only if they are named. */
const BY_HAND: ReadonlySet<string> = new Set(['cost', 'scale'])
const LIMITS = [
  'RATE_LIMIT_PER_MINUTE',
  'RATE_LIMIT_ORGANIZATION_PER_MINUTE',
  'RATE_LIMIT_ADDRESS_PER_MINUTE',
  'FIRST_CUSTOMER_MAIL_LIMIT_PER_DAY',
  'CUSTOMER_MAIL_LIMIT_PER_DAY',
  'MAILS_TO_CUSTOMER_LIMIT_PER_DAY',
  'SIGN_IN_LIMIT_PER_MINUTE',
  'SIGN_IN_ADDRESS_LIMIT_PER_MINUTE',
  'MAIL_LIMIT_PER_HOUR',
  'UPLOAD_LIMIT_PER_HOUR',
  'BILL_LIMIT_PER_HOUR',
  'EXTRACTION_LIMIT_PER_HOUR',
  'IMPORT_LIMIT_PER_HOUR',
  'EXPORT_LIMIT_PER_HOUR',
]

const counting = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track_planning=on']
const cluster = await startPrivateCluster(profiles ? counting : [])
const folder = await mkdtemp(join(tmpdir(), 'bench-'))
const children: ChildProcess[] = []
try {
  await migrate(cluster.url(), 'bench')
  const [port, emptyPort] = [await freePort(), await freePort()]
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
    ...Object.fromEntries(LIMITS.map((name) => [name, '1000000'])),
  })
  // imported late: they read the environment
  const { groupsOf } = await import('./groups.ts')
  const { owner, proveBooks, statementCosts } = await import('./owner.ts')
  const { sql } = await import('../db/postgres/sql.ts')
  if (profiles) await owner`create extension pg_stat_statements`
  console.log(`${ROUNDS} rounds each, A B A B …; the median of the rounds' ratios\n`)
  const apiUrl = `http://127.0.0.1:${port}`
  const emptyUrl = `http://127.0.0.1:${emptyPort}/`
  const place = { apiUrl, emptyUrl, temporal, rounds: ROUNDS, own: { start, stop: stopChildren } }
  for (const { name, programs, run } of groupsOf(place)) {
    if (only ? only !== name : BY_HAND.has(name)) continue
    for (const program of programs) await start(program)
    if (profiles) await owner`select pg_stat_statements_reset()`
    await run(children.at(-1)?.pid ?? 0)
    if (profiles) await writeFile(join(profiles, 'statements.txt'), await statementCosts(), { flag: 'a' })
    await stopChildren()
    await proveBooks()
  }
  await Promise.all([sql.end({ timeout: 5 }), owner.end({ timeout: 5 })])
  await temporal.stop()
} finally {
  await stopChildren()
  await cluster.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Starts a compiled process as in production; resolves when it is ready. */
function start({ file, ready }: Program): Promise<void> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const flags = profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : []
  const started = spawn(process.execPath, [...flags, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(started)
  return new Promise((resolve, reject) => {
    started.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
    started.stdout.on('data', (chunk: Buffer) => chunk.includes(ready) && resolve())
  })
}

async function stopChildren(): Promise<void> {
  const running = children.splice(0).filter(({ exitCode }) => exitCode === null)
  await Promise.all(
    running.map((child) => {
      child.removeAllListeners('exit')
      child.kill('SIGTERM')
      return once(child, 'exit')
    }),
  )
}

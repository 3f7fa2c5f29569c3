/** Servers and programs of a bench: Postgres, Temporal, and the compiled service as in production. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../db/migrate.ts'
import { freePort } from '../dev/machine/ports.ts'
import { startPrivateCluster } from '../dev/postgres/cluster.ts'
import { startTemporal } from '../dev/temporal/server.ts'
import type { Group, Place, Program } from './groups.ts'

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

/** Setting of Postgres that counts statements, which costs each of them: for profiles and pairs. */
export const COUNTING = 'shared_preload_libraries=pg_stat_statements'

export type Stack = {
  readonly place: Omit<Place, 'rounds'>
  /** Process of the server of our database, which is no child of this one. */
  readonly postgresPid: number
  /** Runs a group with its programs, and `last` before these end; proves that the ledger balances. */
  readonly runGroup: (group: Group, last?: () => Promise<void>) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts the servers and sets the environment for what is imported later; `settings` are of Postgres. */
export async function startStack(settings: readonly string[], profiles?: string): Promise<Stack> {
  const cluster = await startPrivateCluster(settings)
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
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
  const { owner, proveBooks } = await import('./owner.ts')
  const { sql } = await import('../db/postgres/sql.ts')
  const counts = settings.includes(COUNTING)
  if (counts) await owner`create extension pg_stat_statements`
  const { start, stop, lastPid } = programsOf(profiles)
  const urlOf = (own: number) => `http://127.0.0.1:${own}`
  return {
    place: {
      apiUrl: urlOf(port),
      emptyUrl: `${urlOf(emptyPort)}/`,
      temporal,
      own: { start, stop },
    },
    postgresPid: cluster.mark().pid,
    runGroup: async ({ programs, run }, last) => {
      for (const program of programs) await start(program)
      if (counts) await owner`select pg_stat_statements_reset()`
      await run(lastPid())
      await last?.()
      await stop()
      await proveBooks()
    },
    stop: async () => {
      await stop()
      await Promise.all([sql.end({ timeout: 5 }), owner.end({ timeout: 5 })])
      await temporal.stop()
      await cluster.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts and stops compiled programs; with a folder for profiles each leaves one there. */
function programsOf(profiles: string | undefined) {
  const children: ChildProcess[] = []
  const start = ({ file, ready }: Program): Promise<void> => {
    const path = fileURLToPath(new URL(file, import.meta.url))
    const flags = profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : []
    const started = spawn(process.execPath, [...flags, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(started)
    return new Promise((resolve, reject) => {
      started.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
      started.stdout.on('data', (chunk: Buffer) => chunk.includes(ready) && resolve())
    })
  }
  const stop = async (): Promise<void> => {
    const running = children.splice(0).filter(({ exitCode }) => exitCode === null)
    await Promise.all(
      running.map((child) => {
        child.removeAllListeners('exit')
        child.kill('SIGTERM')
        return once(child, 'exit')
      }),
    )
  }
  return { start, stop, lastPid: () => children.at(-1)?.pid ?? 0 }
}

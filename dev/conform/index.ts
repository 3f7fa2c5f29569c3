/** `npm run conform -- <driver> [words]`: every situation of the conformance kit, and what it would have cost. */
import { writeFileSync } from 'node:fs'
import postgres from 'postgres'
import { migrate } from '../../db/migrate.ts'
import { freePort } from '../machine/ports.ts'
import { type Temporary, makeTemporaryFolder, sweepTemporaryFolders } from '../machine/temporary.ts'
import { startCluster } from '../postgres/cluster.ts'
import { CannotStart, say } from '../terminal.ts'
import type { Result } from './kit.ts'
import { PROVIDERS } from './providers.ts'

const [DATABASE, APP_PASSWORD] = ['conformance', 'conformance']
const MARKS = { conforms: 'ok  ', fails: 'FAIL', impossible: '-   ' } as const

// the servers are held by a temporary folder, which ends with this process
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

async function run([driver = '', ...words]: readonly string[]): Promise<boolean> {
  const provider = Object.hasOwn(PROVIDERS, driver) ? PROVIDERS[driver] : undefined
  if (!provider) throw new CannotStart(`npm run conform -- ${Object.keys(PROVIDERS).join('|')} [words of a name]`)
  sweepTemporaryFolders()
  const port = await freePort()
  const folder = makeTemporaryFolder()
  Object.assign(process.env, await startDatabase(folder), environmentOf(port))
  const connections = provider.connections(port)
  if (connections) {
    process.env['PARTNERS_FILE'] = `${folder.path}/partners.json`
    writeFileSync(process.env['PARTNERS_FILE'], JSON.stringify(connections), { mode: 0o600 })
  }
  const { conform } = await import('./kit.ts') // late: it reads the environment
  const began = Date.now()
  const isWanted = (name: string) => words.length === 0 || words.some((word) => name.includes(word))
  const results = await conform(provider.make(port), { isWanted, tell })
  const count = (outcome: Result['outcome']) => results.filter((one) => one.outcome === outcome).length
  say(
    `\n${driver}: ${count('conforms')} of ${results.length} situations conform, ${count('fails')} fail, ` +
      `${count('impossible')} cannot happen there; ${((Date.now() - began) / 1000).toFixed(1)} s`,
  )
  return count('fails') === 0 && count('conforms') > 0
}

function tell({ name, outcome, happened, cost, faults, ms }: Result): void {
  say(`${MARKS[outcome]} ${name}`)
  if (outcome === 'impossible') return say(`       ${happened}`)
  say(`       ${happened}; ${ms} ms`)
  say(outcome === 'conforms' ? `       would have cost: ${cost}` : faults.map((fault) => `     ! ${fault}`).join('\n'))
}

async function startDatabase(folder: Temporary): Promise<Record<string, string>> {
  const options = { folder: `${folder.path}/postgres`, port: await freePort(), password: 'private', durable: false }
  const cluster = await startCluster({ ...options, logFile: `${folder.path}/postgres.log` })
  folder.holds(cluster.mark())
  const sql = postgres(cluster.url(), { max: 1, onnotice: () => {} })
  await sql`create database ${sql(DATABASE)}`
  await sql.end()
  const ownerUrl = cluster.url(DATABASE)
  await migrate(ownerUrl, APP_PASSWORD)
  const app = Object.assign(new URL(ownerUrl), { username: 'business_finance_app', password: APP_PASSWORD })
  return { DATABASE_URL: app.href, MIGRATION_DATABASE_URL: ownerUrl, DATA_DIR: `${folder.path}/data` }
}

/** Environment of the service: partners at the provider, no limits of rate, quick timeouts. */
const environmentOf = (port: number): Record<string, string> => ({
  SERVICE_ENV: 'test',
  SANDBOX_PARTNERS_URL: `http://127.0.0.1:${port}`,
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
  PARTNER_TIMEOUT_MS: '300',
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_ORGANIZATION_PER_MINUTE: '1000000',
  RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000',
  PASSWORD_HASH_MEMORY_KIB: '8',
  PASSWORD_HASH_PASSES: '1',
})

try {
  process.exitCode = (await run(process.argv.slice(2))) ? 0 : 1
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
process.exit()

/** Start faults: a fault of the operator ends a program that is not ready with one sentence. Loaded first. */
import { fileURLToPath } from 'node:url'
import './network/connections.ts' // every program loads this file first
import { UnusableConfiguration } from './live.ts'

type Fault = {
  readonly name?: unknown
  readonly code?: unknown
  readonly syscall?: unknown
  readonly port?: unknown
  readonly message?: unknown
  readonly cause?: unknown
}

const UNREACHABLE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
]
const UNAVAILABLE = 14

/** Explains a fault and its remedy, if known. `database` is the variable that names the database. */
export function explainStart(
  error: unknown,
  database = 'DATABASE_URL',
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  if (error instanceof UnusableConfiguration) {
    return `${error.message}\ndocs/configuration.md says what each variable is for.`
  }
  // only these members of the error are read, each compared before use
  const fault: Fault | null = typeof error === 'object' ? error : null
  if (!fault) return undefined
  return ofPort(fault) ?? ofTemporal(fault, env) ?? ofDatabase(fault, database, env)
}

function ofPort({ syscall, code, port }: Fault): string | undefined {
  if (syscall !== 'listen') return undefined
  const variables = 'PORT (for the stand-in partners SANDBOX_PARTNERS_URL)'
  if (code === 'EADDRINUSE') return `Port ${String(port)} is already taken: name a free one in ${variables}.`
  if (code === 'EACCES')
    return `Port ${String(port)} needs more rights than this user has: name one above 1023 in ${variables}.`
  return code === 'EADDRNOTAVAIL' ? 'HOST: this machine does not have that address.' : undefined
}

function ofTemporal(fault: Fault, env: NodeJS.ProcessEnv): string | undefined {
  const address = env['TEMPORAL_ADDRESS'] || 'localhost:7233'
  const grpc = [fault, fault.cause].find((one): one is Fault => typeof (one as Fault | undefined)?.code === 'number')
  if (fault.name === 'TransportError' || grpc?.code === UNAVAILABLE) {
    return `Temporal does not answer at ${address}: start it, or name another one in TEMPORAL_ADDRESS.`
  }
  const message = String(fault.message)
  if (/namespace /i.test(message) && /not found|is not registered/i.test(message)) {
    const namespace = env['TEMPORAL_NAMESPACE'] || 'default'
    return `Temporal at ${address} has no namespace ${namespace}: create it, or name another one in TEMPORAL_NAMESPACE.`
  }
  return undefined
}

function ofDatabase({ code }: Fault, database: string, env: NodeJS.ProcessEnv): string | undefined {
  const place = placeOf(env[database])
  if (UNREACHABLE.some((one) => one === code)) {
    return `Postgres does not answer at ${place} (${String(code)}): start it, or correct ${database}.`
  }
  if (code === '28P01' || code === '28000')
    return `Postgres at ${place} refuses the user or the password of ${database}.`
  if (code === '3D000') return `There is no database ${place}: create it, or correct ${database}.`
  if (code === '42P01')
    return `The database ${place} has no schema of this build: run the migrations (npm run migrate).`
  if (code === '25006') return `Postgres at ${place} is read-only: name its primary in ${database}.`
  if (code === '08P01')
    return `A pooler at ${place} refuses the settings of our sessions: name Postgres itself in ${database}.`
  if (code === '26000' || code === '42P05')
    return `A pooler at ${place} keeps no prepared statements: name Postgres itself in ${database}.`
  if (code === '57P03') return `Postgres at ${place} is starting or stopping: try again in a moment.`
  return undefined
}

const placeOf = (url: string | undefined): string =>
  url && URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : 'its address'

const end = (error: unknown): void => {
  console.error(explainStart(error) ?? error)
  process.exit(1)
}

/** Stops explaining faults: the program is ready. */
export const endStart = (): void => void process.off('uncaughtException', end)

const folder = fileURLToPath(new URL('../', import.meta.url))
const program = process.argv[1] ?? ''
// only for our own programs: tests that import them keep their own handlers
if (program.startsWith(folder) && !program.slice(folder.length).startsWith('node_modules')) {
  process.on('uncaughtException', end)
}

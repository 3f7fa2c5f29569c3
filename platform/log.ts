/** The process's log: JSON lines, secrets redacted at every depth that we write. */
import { destination, pino } from 'pino'
import { config } from './config.ts'

const SECRET_FIELDS = [
  'password',
  'token',
  'secret',
  'code',
  'authorization',
  'challenge_token',
  'secret_encoded',
  'uri',
  'trust_token',
  'messaging_code',
  'match_code',
  'credential',
  'current_password',
  'codes',
]

const file = destination({ dest: 1, sync: false, minLength: 4096 })
const GATHERED_MS = 250
let gathering: NodeJS.Timeout | undefined

/** Lines are gathered and written off the request's path; what is left is written when the process ends. */
const out = {
  write(line: string): void {
    file.write(line)
    gathering ??= setTimeout(written, GATHERED_MS).unref()
  },
  flushSync: () => file.flushSync(),
}

function written(): void {
  gathering = undefined
  file.flush()
}

const shape = { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }

/** Log of requests, whose fields hold no secret: redacting each line would cost 5 % of a read. */
export const accessLog = pino(shape, out)

export const log = pino(
  {
    ...shape,
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: (value, path) => (isErrorCode(path) ? value : '[redacted]'),
    },
    serializers: { err: errorOf, error: errorOf }, // our name for it, and that of the worker's SDK
  },
  out,
)

/** Whether it is the `code` of an error (SQLSTATE, errno, gRPC), which is no secret. */
function isErrorCode([root, ...path]: string[]): boolean {
  return (root === 'err' || root === 'error') && path.join() === 'code'
}

/** Reduces an error for the log. Postgres quotes rows in `detail` and `where`: they are left out. */
function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code, table_name, constraint_name } = pino.stdSerializers.err(error)
  return { type, message, stack, code, table_name, constraint_name }
}

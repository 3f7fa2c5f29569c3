/** Log of the process: JSON lines, secrets redacted at every depth that we write. */
import { destination, pino } from 'pino'
import { config } from './config.ts'
import { traceFields } from './traces.ts'

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

/** Buffered output, written outside of requests, and at the end of the process. */
const out = {
  write(line: string): void {
    file.write(line)
    gathering ??= setTimeout(flushGathered, GATHERED_MS).unref()
  },
  flushSync: () => file.flushSync(),
}

function flushGathered(): void {
  gathering = undefined
  file.flush()
}

let nameLines: () => object = () => ({})

/** Sets the fields that name the present work in each line: the run of an activity. */
export function nameLinesBy(fields: () => object): void {
  nameLines = fields
}

const shape = {
  level: config.logLevel,
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: () => ({ ...nameLines(), ...traceFields() }),
}

/** Access log, unredacted: its fields hold no secret, and redaction would cost 5 % of a read. */
export const accessLog = pino(shape, out)

export const log = pino(
  {
    ...shape,
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: (value, path) => (isErrorCode(path) ? value : '[redacted]'),
    },
    serializers: { err: errorOf, error: errorOf }, // our name, and that of the worker's SDK
  },
  out,
)

/** Tells whether it is an error's `code` (SQLSTATE, errno, gRPC), which is no secret. */
function isErrorCode([root, ...path]: string[]): boolean {
  return (root === 'err' || root === 'error') && path.join() === 'code'
}

/** Reduces an error for the log, without Postgres' `detail` and `where`: they quote rows. */
function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code, table_name, constraint_name } = pino.stdSerializers.err(error)
  return { type, message, stack, code, table_name, constraint_name }
}

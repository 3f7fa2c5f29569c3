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
]

/** Lines are gathered and written off the request's path; what is left is written when the process ends. */
const out = destination({ dest: 1, sync: false, minLength: 4096 })
const flushing = setInterval(() => out.flush(), 250)
flushing.unref()

export const log = pino(
  {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[redacted]',
    },
  },
  out,
)

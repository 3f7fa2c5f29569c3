/** The process's log: JSON lines, secrets redacted at every depth that we write. */
import { pino } from 'pino'
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

export const log = pino({
  level: config.logLevel,
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: {
    paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
    censor: '[redacted]',
  },
})

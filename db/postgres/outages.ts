/** Outages of Postgres, by the code of the error: the same request may succeed later. */
import { codeOf, isConnectionLost } from './driver.ts'

/**
 * Classes of SQLSTATE: connection (08), resources such as a full disk (53), operators who stop it (57P), its system
 * (58). A statement that was cancelled or took too long (57014) is none.
 */
const OUTAGE_STATES = /^(?:(?:08|53|58)[0-9A-Z]{3}|57P[0-9A-Z]{2})$/

/** Codes of the driver and of Node for a server that cannot be reached. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND', // a stopped container's name does not resolve
  'EAI_AGAIN',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
])

const READ_ONLY = '25006'

/** Fault of a server that takes no writes, found before one was tried. */
export class ReadOnlyError extends Error {
  readonly code = READ_ONLY // as Postgres refuses a write
}

/** Tells if Postgres refused a write because it is read-only: a standby, or its operator said so. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY

/** Tells if Postgres is away, full or read-only, rather than a statement wrong. */
export const isOutage = (error: unknown): boolean =>
  isConnectionLost(error) || isReadOnly(error) || UNREACHABLE.has(codeOf(error)) || OUTAGE_STATES.test(codeOf(error))

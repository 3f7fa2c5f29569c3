/** Faults of a start in a sentence that says what to do. What nobody foresaw goes whole to a file. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'

import { UnusableConfiguration } from '../platform/live.ts'
import { explainStart } from '../platform/start-faults.ts'
import { Ending } from './machine/helpers.ts'
import type { Settings } from './settings.ts'
import { CannotStart, StepFailed, sayFull } from './terminal.ts'

const FULL = ['ENOSPC', 'EDQUOT']
const CLOSED = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']

/** Explains why a start failed. `settings` are missing if they could not be read. */
export function explainFault(fault: unknown, settings?: Settings): string {
  const step = fault instanceof StepFailed ? fault.step : undefined
  const error = fault instanceof StepFailed ? fault.cause : fault
  if (error instanceof CannotStart || error instanceof Ending) return error.message
  return ofFolder(error, settings) ?? ofServers(error, settings) ?? unforeseen(error, step, settings)
}

function ofFolder(error: unknown, settings: Settings | undefined): string | undefined {
  // read only to be compared
  const { code = '', path = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  if (FULL.includes(code)) return sayFull(settings?.dataDir ?? path)
  if (!CLOSED.includes(code) || !path) return undefined
  return `${path} cannot be written (${code}): give this user the right to, or name another folder in DATA_DIR.`
}

/** Explains what is wrong with servers of the caller's own; ours have no variable that could be corrected. */
function ofServers(error: unknown, settings: Settings | undefined): string | undefined {
  const own = settings?.ownDatabase !== undefined || settings?.ownTemporal !== undefined
  return own || error instanceof UnusableConfiguration ? explainStart(error, 'MIGRATION_DATABASE_URL') : undefined
}

function unforeseen(error: unknown, step: string | undefined, settings: Settings | undefined): string {
  const what = step === undefined ? 'The start failed' : `The start failed at the step "${step}"`
  const report = settings && join(settings.logDir, 'start.log')
  return `${what}: ${wordsOf(error)}. ${reportTo(report, error)}Start again; if it fails alike, look at the logs${
    settings ? ` in ${settings.logDir}` : ''
  }.`
}

/** Words of an error on one line; of several at once, such as of a name with two addresses, the first. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return wordsOf(error.errors[0])
  const words = error instanceof Error ? error.message || error.name : String(error)
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${wordsOf(error.cause)})` : ''
  return words.split('\n')[0]?.trim().replace(/\.$/, '') + cause
}

function reportTo(file: string | undefined, error: unknown): string {
  if (file === undefined) return ''
  try {
    appendFileSync(file, `${new Date().toISOString()} ${inspect(error)}\n`, { mode: 0o600 })
    return `All of it is in ${file}. `
  } catch {
    return '' // the folder may be what failed
  }
}

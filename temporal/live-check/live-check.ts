/** `admin live check`: what is missing between here and the first live payment. It changes nothing. */
import { countMissing, runChecks, writeReport } from './check.ts'
import { databaseChecks } from './database.ts'
import { installationChecks } from './installation.ts'
import { partyChecks } from './parties.ts'
import { runChecksOf } from './runs.ts'

const TIMEOUT_MS = 8000
const CHECKS = [...installationChecks, ...databaseChecks, ...runChecksOf, ...partyChecks]

/** Report of a check of everything, as it is printed. */
export type LiveCheck = { readonly isReady: boolean; readonly text: string }

/** Checks everything at once; `json` answers `{ready, checks: [{check, status, detail, page}]}`. */
export async function checkLive({
  json,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly json: boolean
  readonly timeoutMs?: number
}): Promise<LiveCheck> {
  const checks = await runChecks(CHECKS, timeoutMs)
  const isReady = countMissing(checks) === 0
  return { isReady, text: json ? JSON.stringify({ ready: isReady, checks }, null, 2) : writeReport(checks) }
}

/** Checks of what stands between here and the first live payment: run side by side, each within a time. */
import { setTimeout as delay } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import { explainStart } from '../../platform/start-faults.ts'

export type Status = 'ok' | 'warning' | 'missing'

/** Line of the report; `page` tells what to do. It quotes no secret. */
export type Finding = {
  readonly check: string
  readonly status: Status
  readonly detail: string
  readonly page: string
}

/** Result of a check, with a page of its own if that of the check does not help. */
export type Result = Omit<Finding, 'check' | 'page'> & { readonly page?: string }

/** Question about one part of an installation; it throws if that part is away. */
export type Check = {
  readonly name: string
  readonly page: string
  /** Names of checks without which this one would say the same again: it is left out. */
  readonly needs?: readonly string[]
  readonly look: () => Promise<readonly Result[]>
}

export const ok = (detail: string): Result => ({ status: 'ok', detail })
export const warning = (detail: string): Result => ({ status: 'warning', detail })
export const missing = (detail: string): Result => ({ status: 'missing', detail })

/** Runs checks; one that is away, or answers too late, is missing. */
export async function runChecks(checks: readonly Check[], timeoutMs: number): Promise<readonly Finding[]> {
  const run = async (those: readonly Check[]) =>
    (await Promise.all(those.map((check) => runCheck(check, timeoutMs)))).flat()
  const first = await run(checks.filter(({ needs }) => !needs))
  const away = new Set(first.flatMap(({ check, status }) => (status === 'missing' ? [check] : [])))
  const next = await run(checks.filter(({ needs }) => needs?.every((name) => !away.has(name))))
  const place = ({ check }: Finding) => checks.findIndex(({ name }) => name === check)
  return [...first, ...next].toSorted((one, other) => place(one) - place(other))
}

async function runCheck({ name, page, look }: Check, timeoutMs: number): Promise<readonly Finding[]> {
  const waiting = new AbortController()
  const late = delay(timeoutMs, [missing(`no answer within ${timeoutMs / 1000} seconds`)], { signal: waiting.signal })
  const found = look().catch((error: unknown) => [missing(describeFault(error))])
  const results = await Promise.race([found, late])
  waiting.abort()
  return results.map((result) => ({ check: name, page, ...result }))
}

/** Codes of errors, at any depth: nothing else of an error is shown, since it may quote an address with its password. */
const CODE = /^[A-Z][A-Z0-9_]{2,40}$|^[0-9A-Z]{5}$/

/** Describes an error without its own words, unless they are ours. */
export function describeFault(error: unknown): string {
  const known = explainStart(error)
  if (known) return known.split('\n')[0] ?? known
  if (error instanceof ApplicationFailure) return error.message
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code, statusCode } = one as { code?: unknown; statusCode?: unknown } // read, and compared below
    if (typeof code === 'string' && CODE.test(code)) return `it cannot be reached (${code})`
    if (typeof code === 'number' || typeof statusCode === 'number')
      return `it refuses us (${String(code ?? statusCode)})`
  }
  return `it cannot be used (${error instanceof Error ? error.name : 'unknown'})`
}

const WIDTH = { status: 9, check: 24 } as const

/** Writes findings in lines, with a sentence that sums them up. */
export function writeReport(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ check, status, detail, page }) =>
      `${status.padEnd(WIDTH.status)}${check.padEnd(WIDTH.check)}${detail}${status === 'ok' ? '' : ` → ${page}`}`,
  )
  const count = countMissing(findings)
  const sum =
    count === 0 ? 'Nothing is missing for the first live payment.' : `${count} missing for the first live payment.`
  return [...lines, sum].join('\n')
}

export const countMissing = (findings: readonly Finding[]): number =>
  findings.filter(({ status }) => status === 'missing').length

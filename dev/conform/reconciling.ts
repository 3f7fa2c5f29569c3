/** Reconciliation of a rail with its provider, without the pauses between rounds. */
import { type Part, reconcilePartner } from '../../activities/reconciliation.ts'
import { act } from './act.ts'
import type { Rail } from './provider.ts'
import { owner } from './service.ts'

export const PARTNER = { fiat: 'bank', crypto: 'custodian' } as const
const PARTS_MAX = 40

/** Outcome of a reconciliation; `failed` if a list could not be read. */
export type Reconciliation = { readonly differences: number; readonly unknown: number; readonly failed: string | null }

/** Reconciles a rail to its end. */
export async function reconcile(rail: Rail): Promise<Reconciliation> {
  let [differences, unknown] = [0, 0]
  let part: Part = { partner: PARTNER[rail] }
  for (let count = 0; count < PARTS_MAX; count += 1) {
    const done = await act(reconcilePartner, part)
    if (done instanceof Error) return { differences, unknown, failed: done.message }
    differences += done.differences
    unknown += done.unknown
    if (!done.next) return { differences, unknown, failed: null }
    part = done.next
  }
  return { differences, unknown, failed: `${PARTS_MAX} parts, and no end` }
}

/** Tells whether a finding of this name is open, at whichever partner. */
export const hasFinding = (findings: readonly string[], name: string): boolean =>
  findings.some((one) => one === `bank_${name}` || one === `custodian_${name}`)

/** Lists open findings about a subject, of organizations and of the service. */
export async function findingsAbout(subject: string): Promise<readonly string[]> {
  const like = `%${subject}%`
  const rows = await owner<{ name: string }[]>`
    select check_name as name from audit_findings where subject like ${like} and resolved_at is null
    union select check_name from service_findings where subject like ${like} and resolved_at is null`
  return rows.map(({ name }) => name)
}

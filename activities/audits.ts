/** Audit: reads all books, stores its findings, and logs them for the operator. */
import * as audits from '../services/audit/findings.ts'
import { listScreeningFindings } from '../services/screening/findings.ts'
import { log } from '../platform/log.ts'
import type { OrganizationId } from '../domain/ids.ts'
import { isConnectionLost } from '../db/postgres/driver.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { processFaults, wakeUnlisted } from '../db/processes/processes.ts'

const ORGANIZATIONS_PER_PAGE = 50
/** Longest page; the organizations that are left go to the next page. */
const PAGE_MS = 300_000
const LOGGED_MAX = 10

export type AuditPage = { readonly after: OrganizationId | null }
export type AuditedPage = { readonly after: OrganizationId | null; readonly audited: number; readonly faulty: number }

/**
 * Audits a page of organizations, each in a transaction; returns the start of the next page. Logs and skips an
 * organization that cannot be read.
 */
export async function auditOrganizations({ after }: AuditPage): Promise<AuditedPage> {
  const ids = await audits.listAuditedOrganizations(after, ORGANIZATIONS_PER_PAGE)
  const enough = Date.now() + PAGE_MS
  let [audited, faulty] = [0, 0]
  for (const id of ids) {
    if (audited > 0 && Date.now() > enough) break
    if (await isFaulty(id)) faulty += 1
    audited += 1
  }
  const ended = ids.length < ORGANIZATIONS_PER_PAGE && audited === ids.length
  return { after: ended ? null : (ids[audited - 1] ?? null), audited, faulty }
}

async function isFaulty(id: OrganizationId): Promise<boolean> {
  try {
    const { findings, stopped } = await asSystem(id, audits.auditBooks)
    if (findings.length === 0) return false
    const [first, count] = [findings.slice(0, LOGGED_MAX), findings.length]
    log.error({ organization_id: id, findings: first, count, stopped }, 'the books of an organization are wrong')
    return true
  } catch (error) {
    if (isConnectionLost(error)) throw error // the page is read again when Postgres is back
    log.error({ err: error, organization_id: id }, 'books could not be audited')
    return false
  }
}

/** Audits the sum of all books, and that each driven row has a process with a run. */
export async function auditService(): Promise<{ faults: number }> {
  const [books, runs, lists] = await Promise.all([audits.checkService(), processFaults(), listScreeningFindings()])
  await audits.syncServiceFindings('ledger', books)
  await audits.syncServiceFindings('process', runs)
  await audits.syncServiceFindings('screening', lists)
  if (books.length > 0) log.error({ findings: books }, 'the books of the service are wrong')
  if (lists.length > 0)
    log.error({ findings: lists.slice(0, LOGGED_MAX), count: lists.length }, 'names cannot be screened')
  if (runs.length > 0) log.error({ findings: runs.slice(0, LOGGED_MAX), count: runs.length }, 'rows have no run')
  await wakeUnlisted(runs) // reported to the operator, and repaired: the next audit does not find it
  return { faults: books.length + runs.length }
}

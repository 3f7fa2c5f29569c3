/** Findings of the audit and the reconciliation: open until they are found no more. */
import { randomUUID } from 'node:crypto'
import { record } from '../events.ts'
import { checkIntegrity } from '../ledger/ledger.ts'
import type { Finding, FindingKind } from '../../domain/audit/audit.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { organizationEvents } from '../../domain/organizations/events.ts'
import { startBooks, stopBooks } from '../organizations/status.ts'
import { type Fragment, type Tx, first, inOrganization, sql, transaction, within } from '../../db/postgres/sql.ts'

export async function listAuditedOrganizations(after: OrganizationId | null, batch: number): Promise<OrganizationId[]> {
  const rows = await sql<{ id: OrganizationId }[]>`select id from audited_organizations(${after}, ${batch})`
  return rows.map(({ id }) => id)
}

/**
 * Checks the books of the organization as of one instant, and stores what it found. Books with a fault are stopped: no
 * new money moves until an operator resumes them. `stopped` says that this audit did it.
 */
export async function auditBooks(
  tx: Tx,
): Promise<{ readonly findings: readonly Finding[]; readonly stopped: boolean }> {
  const { violations: findings } = await checkIntegrity(within(tx))
  await syncFindings(tx, 'ledger', findings)
  const stopped = findings.length > 0 && (await stopBooks(tx))
  if (stopped) await recordBooks(tx, organizationEvents.books_stopped)
  return { findings, stopped }
}

type BooksEvent = (typeof organizationEvents)['books_stopped' | 'books_resumed']

const recordBooks = (tx: Tx, type: BooksEvent): Promise<void> =>
  record(tx, type, { subjectId: tx.organizationId, cause: `audit:${randomUUID()}` })

/**
 * Lets money move again in an organization whose books were stopped: an operator has looked. The next audit stops them
 * again if the fault is still there. Refuses `not_found`, and `invalid_state` if they are not stopped.
 */
export function unfreezeLedger(id: OrganizationId): Promise<void> {
  return inOrganization({ kind: 'admin' }, id, async (tx) => {
    await startBooks(tx)
    await recordBooks(tx, organizationEvents.books_resumed)
  })
}

/**
 * Makes the open findings of a kind be exactly these: adds new ones, resolves those that are gone. With `prefixes`, of
 * those whose check begins with one of them.
 */
export async function syncFindings(
  tx: Tx,
  kind: FindingKind,
  findings: readonly Finding[],
  prefixes: readonly string[] = [''],
): Promise<void> {
  await tx`
    insert into audit_findings (organization_id, kind, check_name, subject)
    select distinct ${tx.organizationId}::uuid, ${kind}, f.check_name, f.subject from ${rowsOf(findings)} f
    on conflict do nothing`
  await tx`
    update audit_findings a set resolved_at = business_now()
    where a.organization_id = ${tx.organizationId} and ${isGone(sql`a`, kind, rowsOf(findings), prefixes)}`
}

/** Does the same with findings that concern no organization alone. */
export const syncServiceFindings = (
  kind: FindingKind,
  findings: readonly Finding[],
  prefixes: readonly string[] = [''],
): Promise<void> => syncService(kind, rowsOf(findings), prefixes)

/** Replaces the findings `unreadable_record` by the unreadable records of partners' lists. */
export const syncUnreadable = (): Promise<void> =>
  syncService(
    'reconciliation',
    sql`(select 'unreadable_record' as check_name, o.partner || ':' || o.list || ':' || o.name as subject
      from partner_oddities o where not o.is_nothing)`,
    ['unreadable_record'],
  )

const syncService = (kind: FindingKind, findings: Fragment, prefixes: readonly string[]): Promise<void> =>
  transaction(async (tx) => {
    await tx`
      insert into service_findings (kind, check_name, subject)
      select distinct ${kind}, f.check_name, f.subject from ${findings} f on conflict do nothing`
    await tx`
      update service_findings a set resolved_at = business_now() where ${isGone(sql`a`, kind, findings, prefixes)}`
  })

const rowsOf = (findings: readonly Finding[]): Fragment => sql`
  (select * from unnest(${findings.map(({ check }) => check)}::text[], ${findings.map(({ subject }) => subject)}::text[])
    g (check_name, subject))`

const isGone = (a: Fragment, kind: FindingKind, findings: Fragment, prefixes: readonly string[]): Fragment => sql`
  ${a}.kind = ${kind} and ${a}.resolved_at is null
    and exists (select from unnest(${[...prefixes]}::text[]) p where starts_with(${a}.check_name, p))
    and not exists (select from ${findings} f where f.check_name = ${a}.check_name and f.subject = ${a}.subject)`

/**
 * Checks all books together: currencies that do not sum to zero, suspense that holds something else, an own position
 * that is not what is to be covered, money of deleted organizations.
 */
export const checkService = (): Promise<Finding[]> =>
  sql<Finding[]>`select check_name as check, subject from service_integrity()`

type OpenFinding = Finding & {
  readonly organization_id: OrganizationId | null
  readonly kind: FindingKind
  readonly found_at: string
}

export const openFindings = (most: number): Promise<OpenFinding[]> => sql<OpenFinding[]>`
  select organization_id, kind, check_name as check, subject, found_at from open_findings(${most})`

export const countFindings = (): Promise<{ kind: FindingKind; count: number }[]> =>
  sql<{ kind: FindingKind; count: number }[]>`select kind, findings::int as count from count_findings()`

export const countStoppedBooks = async (): Promise<number> =>
  (await first(sql<{ count: number }[]>`select count_stopped_books()::int as count`))?.count ?? 0

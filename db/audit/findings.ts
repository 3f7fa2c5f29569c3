/** What the audit found, and what it stops: findings are open until they are found no more. */
import { randomUUID } from 'node:crypto'
import { record } from '../events.ts'
import { checkIntegrity } from '../ledger/ledger.ts'
import type { Finding, FindingKind } from '../../domain/audit/audit.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { organizationEvents } from '../../domain/organizations/events.ts'
import { startBooks, stopBooks } from '../organizations/status.ts'
import { type Fragment, type Tx, first, inOrganization, sql, transaction, within } from '../sql.ts'

/** Organizations that have books, in the order of their ids, after one. */
export async function auditedOrganizations(after: OrganizationId | null, batch: number): Promise<OrganizationId[]> {
  const rows = await sql<{ id: OrganizationId }[]>`select id from audited_organizations(${after}, ${batch})`
  return rows.map(({ id }) => id)
}

export type Audited = { readonly findings: readonly Finding[]; readonly stopped: boolean }

/**
 * Checks the books of the organization as of one instant, and keeps what it found. Books with a fault are stopped: from
 * then on no new money moves, until an operator resumes them. `stopped` says that this audit did it.
 */
export async function auditBooks(tx: Tx): Promise<Audited> {
  const { violations } = await checkIntegrity(within(tx))
  await syncFindings(tx, 'ledger', violations)
  if (violations.length === 0) return { findings: [], stopped: false }
  const stopped = await stopBooks(tx)
  if (stopped) await recordBooks(tx, organizationEvents.books_stopped)
  return { findings: violations, stopped }
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
 * Makes the open findings of a kind be exactly these: what is new is added, what is there no more is resolved. With
 * `prefixes`, of those whose check begins with one of them.
 */
export async function syncFindings(
  tx: Tx,
  kind: FindingKind,
  findings: readonly Finding[],
  prefixes: readonly string[] = [''],
): Promise<void> {
  await tx`
    insert into audit_findings (organization_id, kind, check_name, subject)
    select distinct ${tx.organizationId}::uuid, ${kind}, f.check_name, f.subject from ${given(findings)}
    on conflict do nothing`
  await tx`
    update audit_findings a set resolved_at = business_now()
    where a.organization_id = ${tx.organizationId} and a.kind = ${kind} and ${isGone(findings, prefixes)}`
}

/** The same of what concerns no organization alone. */
export function syncServiceFindings(
  kind: FindingKind,
  findings: readonly Finding[],
  prefixes: readonly string[] = [''],
): Promise<void> {
  return transaction(async (tx) => {
    await tx`
      insert into service_findings (kind, check_name, subject)
      select distinct ${kind}, f.check_name, f.subject from ${given(findings)} on conflict do nothing`
    await tx`
      update service_findings a set resolved_at = business_now() where a.kind = ${kind} and ${isGone(findings, prefixes)}`
  })
}

const given = (findings: readonly Finding[]): Fragment => sql`
  unnest(${findings.map(({ check }) => check)}::text[], ${findings.map(({ subject }) => subject)}::text[])
    f (check_name, subject)`

const isGone = (findings: readonly Finding[], prefixes: readonly string[]): Fragment => sql`
  a.resolved_at is null and exists (select from unnest(${[...prefixes]}::text[]) p where starts_with(a.check_name, p))
    and not exists (select from ${given(findings)} where f.check_name = a.check_name and f.subject = a.subject)`

/**
 * What is wrong with all books together: currencies that do not sum to zero, suspense that holds something else, an own
 * position that is not what is to be covered, money of organizations that are deleted.
 */
export async function checkService(): Promise<Finding[]> {
  const rows = await sql<Finding[]>`select check_name as check, subject from service_integrity()`
  return [...rows]
}

export type OpenFinding = Finding & {
  readonly organization_id: OrganizationId | null
  readonly kind: FindingKind
  readonly found_at: string
}

/** Open findings of all organizations, newest first. */
export async function openFindings(most: number): Promise<OpenFinding[]> {
  const rows = await sql<OpenFinding[]>`
    select organization_id, kind, check_name as check, subject, found_at from open_findings(${most})`
  return [...rows]
}

/** How many findings are open, by kind. */
export async function countFindings(): Promise<{ kind: FindingKind; count: number }[]> {
  const rows = await sql<{ kind: FindingKind; count: string }[]>`select kind, findings as count from count_findings()`
  return rows.map(({ kind, count }) => ({ kind, count: Number(count) }))
}

/** Of how many organizations the books are stopped. */
export const countStoppedBooks = async (): Promise<number> =>
  Number((await first(sql<{ count: string }[]>`select count_stopped_books() as count`))?.count ?? 0)

/** Makes the open findings `unreadable_record` be exactly what cannot be read in partners' lists at this time. */
export function syncUnreadable(): Promise<void> {
  const subject = sql`o.partner || ':' || o.list || ':' || o.name`
  return transaction(async (tx) => {
    await tx`
      insert into service_findings (kind, check_name, subject)
      select 'reconciliation', 'unreadable_record', ${subject} from partner_oddities o where not o.is_nothing
      on conflict do nothing`
    await tx`
      update service_findings f set resolved_at = business_now()
      where f.kind = 'reconciliation' and f.check_name = 'unreadable_record' and f.resolved_at is null
        and not exists (select from partner_oddities o where not o.is_nothing and ${subject} = f.subject)`
  })
}

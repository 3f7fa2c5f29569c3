/** Differences to partners, and a database that was put back: an operator settles them. */
import { type Kind, type ViewerSeverity, itemAction } from '../attention-kind.ts'
import { type FindingKind, describeCheck } from '../../domain/audit/audit.ts'
import { DepositSubject, OrganizationSubject, PaymentSubject } from '../../domain/attention/attention.ts'
import { sql } from '../../db/postgres/sql.ts'

const severityFor = (): ViewerSeverity => ({ severity: 'blocking', actionable_by_viewer: false })

/** Selects the open findings of a kind, for viewers who see everything. */
const ofFindings = (kind: FindingKind) =>
  ({
    audience: 'organization',
    items: (reader, { ownOnly }) => sql`
      select f.id as obligation_id, f.found_at as raised_at, null::timestamptz as due_at, f.check_name, f.subject
      from audit_findings f
      where f.organization_id = ${reader.organizationId} and f.kind = ${kind} and f.resolved_at is null
      ${ownOnly ? sql`and false` : sql``}`,
    raisedAt: (reader, id) => sql`
      (select f.found_at from audit_findings f
        where f.id = ${id} and f.organization_id = ${reader.organizationId} and f.kind = ${kind})`,
    standing: severityFor,
  }) satisfies Partial<Kind>

type Facts = { readonly check_name: string; readonly subject: string }

const Action = itemAction('reconciliation_difference')

export const reconciliationDifference: Kind<Facts, typeof Action, typeof PaymentSubject | typeof DepositSubject> = {
  ...ofFindings('reconciliation'),
  kind: 'reconciliation_difference',
  action: Action,
  subjects: [PaymentSubject, DepositSubject],
  describe: (reader, { facts: { check_name, subject } }) => {
    const { about, words } = describeCheck(check_name)
    const at = `/organizations/${reader.organizationId}`
    return {
      title: 'The books and a partner differ',
      summary: `${words} An operator looks at it.`,
      ...severityFor(),
      action: { kind: 'reconciliation_difference' },
      ...(about === 'payment'
        ? { href: `${at}/payments/${subject}`, subject: { type: 'payment', payment_id: subject } }
        : { href: `${at}/deposits/${subject}`, subject: { type: 'deposit', deposit_id: subject } }),
    }
  },
}

const BehindAction = itemAction('database_behind')

export const databaseBehind: Kind<Facts, typeof BehindAction, typeof OrganizationSubject> = {
  ...ofFindings('database'),
  kind: 'database_behind',
  action: BehindAction,
  subjects: [OrganizationSubject],
  describe: (reader) => ({
    title: 'What was done last may be missing',
    summary:
      'The service was put back to an earlier state. Look whether what you did last is there before you pay again. ' +
      'An operator looks at it.',
    ...severityFor(),
    href: `/organizations/${reader.organizationId}/events`,
    action: { kind: 'database_behind' },
    subject: { type: 'organization', organization_id: reader.organizationId },
  }),
}

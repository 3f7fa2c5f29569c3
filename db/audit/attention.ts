/** Differences to what partners and storage know as things that wait for people: an operator settles them. */
import * as v from 'valibot'
import type { Kind, ViewerSeverity } from '../attention-kind.ts'
import { describeCheck } from '../../domain/audit/audit.ts'
import { DepositSubject, PaymentSubject } from '../../domain/attention/attention.ts'
import { uuid } from '../../domain/text.ts'
import { sql } from '../sql.ts'

const Action = v.object({ kind: v.literal('reconciliation_difference') })

type Facts = { readonly check_name: string; readonly subject: string }

const severityFor = (): ViewerSeverity => ({ severity: 'blocking', actionable_by_viewer: false })

/** Open differences, for who sees everything. */
export const reconciliationDifference: Kind<Facts, typeof Action, typeof PaymentSubject | typeof DepositSubject> = {
  kind: 'reconciliation_difference',
  audience: 'organization',
  action: Action,
  subjects: [PaymentSubject, DepositSubject],
  items: (reader, { ownOnly }) => sql`
    select f.id as obligation_id, f.found_at as raised_at, null::timestamptz as due_at, f.check_name, f.subject
    from audit_findings f
    where f.organization_id = ${reader.organizationId} and f.kind = 'reconciliation' and f.resolved_at is null
    ${ownOnly ? sql`and false` : sql``}`,
  raisedAt: (reader, id) => sql`
    (select f.found_at from audit_findings f
      where f.id = ${id} and f.organization_id = ${reader.organizationId} and f.kind = 'reconciliation')`,
  standing: severityFor,
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

const BehindAction = v.object({ kind: v.literal('database_behind') })
const BehindSubject = v.object({ type: v.literal('organization'), organization_id: uuid })

/** The database was put back to an earlier state, and lacks what happened here; for who sees everything. */
export const databaseBehind: Kind<unknown, typeof BehindAction, typeof BehindSubject> = {
  kind: 'database_behind',
  audience: 'organization',
  action: BehindAction,
  subjects: [BehindSubject],
  items: (reader, { ownOnly }) => sql`
    select f.id as obligation_id, f.found_at as raised_at, null::timestamptz as due_at
    from audit_findings f
    where f.organization_id = ${reader.organizationId} and f.kind = 'database' and f.resolved_at is null
    ${ownOnly ? sql`and false` : sql``}`,
  raisedAt: (reader, id) => sql`
    (select f.found_at from audit_findings f
      where f.id = ${id} and f.organization_id = ${reader.organizationId} and f.kind = 'database')`,
  standing: severityFor,
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

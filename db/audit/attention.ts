/** Differences to what a partner lists as things that wait for people: an operator settles them, nobody else can. */
import * as v from 'valibot'
import type { Kind, ViewerSeverity } from '../attention-kind.ts'
import { describeCheck } from '../model/audit/audit.ts'
import { DepositSubject, PaymentSubject } from '../model/attention/attention.ts'
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

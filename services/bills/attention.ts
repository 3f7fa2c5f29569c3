import { type Kind, type ViewerSeverity, itemAction, itemSubject } from '../attention-kind.ts'
import type { Viewer } from '../../domain/approvals/requirements.ts'
import { type Permission, can } from '../../domain/permissions.ts'
import { quoteName, uuid } from '../../domain/text.ts'
import { holdsBill } from '../run-rows/membership.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'

const Subject = itemSubject('bill', { bill_id: uuid })

type Facts = {
  readonly supplier: string | null
  readonly number: string | null
  readonly amount: string | null
  readonly currency: string | null
  readonly why: string | null
}

const open = (b: Fragment): Fragment =>
  sql`${b}.status = 'extracted' and not ${b}.sender_is_unknown and ${b}.not_payable is null and (${b}.amount is null or ${b}.amount > 0)
    and not exists (select from payment_batch_rows r where r.bill_id = ${b}.id and ${holdsBill(sql`r`)})`
const whole = (b: Fragment): Fragment => sql`${b}.amount is not null and ${b}.currency is not null
  and (${b}.fingerprint is not null or ${b}.payment_contact_id is not null)`

function billKind<Name extends 'fix_bill' | 'check_bank_details' | 'pay_bill'>(what: {
  readonly kind: Name
  readonly permission: Permission
  readonly severity: ViewerSeverity['severity']
  readonly which: () => Fragment
  readonly title: string
  readonly says: (facts: Facts) => string
}) {
  const { kind, permission, severity, which, title, says } = what
  const Action = itemAction(kind, { bill_id: uuid })
  const severityFor = (viewer: Viewer): ViewerSeverity => {
    const may = can(viewer, permission)
    return { severity: may || severity === 'blocking' ? severity : 'info', actionable_by_viewer: may }
  }
  const made: Kind<Facts, typeof Action, typeof Subject> = {
    kind,
    audience: 'organization',
    action: Action,
    subjects: [Subject],
    items: (reader) => sql`
      select b.id as obligation_id, b.updated_at as raised_at, b.due_date::timestamp at time zone 'UTC' as due_at,
        b.supplier_name as supplier, b.bill_number as number, b.amount::text as amount, b.currency,
        b.extraction_error as why
      from bills b where b.organization_id = ${reader.organizationId} and ${open(sql`b`)} and ${which()}`,
    raisedAt: (reader, id) => sql`
      (select b.updated_at from bills b where b.id = ${id} and b.organization_id = ${reader.organizationId})`,
    standing: severityFor,
    describe: (reader, { id, facts }, viewer) => ({
      title,
      summary: says(facts),
      ...severityFor(viewer),
      href: `/organizations/${reader.organizationId}/bills/${id}`,
      action: { kind, bill_id: id },
      subject: { type: 'bill', bill_id: id },
    }),
  }
  return made
}

function nameBill({ supplier, number }: Facts): string {
  const whose = supplier ? `The bill of ${quoteName(supplier)}` : 'A bill'
  return number ? `${whose}, number ${quoteName(number)},` : whose
}

export const fixBill = billKind({
  kind: 'fix_bill',
  permission: 'bills.update',
  severity: 'action',
  which: () => sql`not (${whole(sql`b`)})`,
  title: 'Complete a bill',
  says: (facts) => `${nameBill(facts)} lacks what a payment needs.${facts.why ? ` ${facts.why}` : ''}`,
})

export const checkBankDetails = billKind({
  kind: 'check_bank_details',
  permission: 'bills.update',
  severity: 'blocking',
  which: () => sql`b.bank_details_differ`,
  title: 'Check new bank details',
  says: (facts) =>
    `${nameBill(facts)} names an account that this supplier did not have before, or names it in part. Ask them on a way that you know.`,
})

export const payBill = billKind({
  kind: 'pay_bill',
  permission: 'payments.send_fiat',
  severity: 'action',
  which: () => sql`${whole(sql`b`)} and not b.bank_details_differ`,
  title: 'Pay a bill',
  says: (facts) => `${nameBill(facts)} asks for ${facts.amount} ${facts.currency}.`,
})

/** Invoice as a target of approvals: approved, it is sent; else it is a draft again. */
import type { ApprovalTarget } from '../approvals/target.ts'
import { type Blocker, refuseFirst } from '../../domain/errors.ts'
import type { InvoiceState } from '../../domain/invoices/flow.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import { NOTHING_ADDED } from '../../domain/invoices/approval-action.ts'
import { invoiceMoves } from '../../domain/invoices/events.ts'
import { sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { toLines } from './columns.ts'
import { sendInvoice } from './sending.ts'

type State = {
  id: InvoiceId
  status: InvoiceState
  /** True if its customer was deleted, or differs from the one that approvers were shown. */
  contact_changed: boolean
}

const selectState: ApprovalTarget['state'] = ({ organizationId }, id) => sql`
  select i.id, i.status, c.deleted_at is not null or a.subject_body::jsonb -> 'contact' is distinct from
      jsonb_build_object('id', c.id, 'company_name', c.company_name, 'emails', to_jsonb(c.emails)) as contact_changed
  from invoices i join billing_contacts c on c.id = i.billing_contact_id
  left join approvals a on a.id = i.approval_request_id
  where i.id = ${id} and i.organization_id = ${organizationId}`

const blockersOf = ({ status, contact_changed: changed }: State): Blocker[] => {
  const details = { current: status, allowed: ['refuse'], reason: 'customer_changed' }
  return changed ? [{ type: 'invalid_state', details }] : []
}

export const invoiceTarget: ApprovalTarget<State> = {
  type: 'billing_invoice',
  movesMoney: false,
  subject: {
    // as requested: the draft may change afterwards
    column: () => sql`approvals.subject_body::json`,
    parse: ({ target_id: id, line_items: lines, ...row }) => ({
      id,
      ...NOTHING_ADDED,
      ...row,
      line_items: toLines(lines as Parameters<typeof toLines>[0]), // as submitInvoice() stores them
    }),
  },
  state: selectState,
  blockers: blockersOf,
  async approve(tx, { id }, cause) {
    const [locked] = await tx<State[]>`${selectState(tx, id)} for no key update of i for share of c`
    refuseFirst(locked ? blockersOf(locked) : [{ type: 'not_found' }])
    await sendInvoice(tx, id, cause)
    return {}
  },
  async cancel(tx, ids, _how, cause) {
    await transition(tx, invoiceMoves, ids, {
      events: ['refuse'],
      cause,
      set: sql`approval_request_id = null, submitted_by = null`,
    })
    return () => ({})
  },
}

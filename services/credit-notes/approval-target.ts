/** Credit note as a target of approvals, answered as its invoice: approved, it is sent; else it is a draft again. */
import type { ApprovalTarget } from '../approvals/target.ts'
import { NOTHING_ADDED } from '../../domain/invoices/approval-action.ts'
import { creditNoteMoves } from '../../domain/credit-notes/events.ts'
import { type Blocker, refuseFirst } from '../../domain/errors.ts'
import type { CreditNoteState } from '../../domain/invoices/credit-note-flow.ts'
import type { CreditNoteId, InvoiceId } from '../../domain/ids.ts'
import { toLines } from '../invoices/columns.ts'
import { sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { lockCreditNote } from './commands.ts'
import { sendCreditNote } from './sending.ts'

type State = {
  readonly id: CreditNoteId
  readonly status: CreditNoteState
  /** True if the customer's addresses differ from those that approvers were shown. */
  readonly addresses_changed: boolean
  /** Rest of the invoice that may be credited, and if the credit note exceeds it. */
  readonly available: string
  readonly exceeds: boolean
}

type Body = { readonly line_items: Parameters<typeof toLines>[0] }
type InvoiceBody = Body & { readonly id: InvoiceId }
/** Members that a subject without discounts and charges does not have. */
const NONE = { discounts: [], charges: [] }

const selectState: ApprovalTarget['state'] = ({ organizationId }, id) => sql`
  select n.id, n.status, a.subject_body::jsonb #> '{billing_invoice,contact,emails}' is distinct from
      to_jsonb(coalesce(c.emails, '{}')) as addresses_changed,
    (i.total - i.credited)::text as available, n.total > i.total - i.credited as exceeds
  from credit_notes n join invoices i on i.id = n.invoice_id join billing_contacts c on c.id = i.billing_contact_id
  left join approvals a on a.id = n.approval_request_id
  where n.id = ${id} and n.organization_id = ${organizationId}`

const blockersOf = ({ status: current, addresses_changed: changed, exceeds, available }: State): Blocker[] => [
  ...(changed
    ? [{ type: 'invalid_state' as const, details: { current, allowed: ['refuse'], reason: 'customer_changed' } }]
    : []),
  ...(exceeds ? [{ type: 'credit_exceeds' as const, details: { available } }] : []),
]

export const creditNoteTarget: ApprovalTarget<State> = {
  type: 'credit_note',
  movesMoney: false,
  subject: {
    // as requested: the draft may change afterwards
    column: () => sql`approvals.subject_body::json`,
    answered({ billing_invoice, credit_note }) {
      const [invoice, note] = [billing_invoice, credit_note] as [InvoiceBody, Body] // as submitCreditNote() writes them
      return {
        id: invoice.id,
        members: {
          billing_invoice: {
            ...NOTHING_ADDED,
            ...invoice,
            line_items: toLines(invoice.line_items),
          },
          credit_note: { ...NONE, ...note, line_items: toLines(note.line_items) },
        },
      }
    },
  },
  state: selectState,
  blockers: blockersOf,
  async approve(tx, { id }, cause) {
    const locked = await lockCreditNote(tx, id)
    const [state] = await tx<State[]>`${selectState(tx, id)} for share of c`
    refuseFirst(state ? blockersOf(state) : [{ type: 'not_found' }])
    await sendCreditNote(tx, locked, cause)
    return {}
  },
  async cancel(tx, ids, _how, cause) {
    await transition(tx, creditNoteMoves, ids, {
      events: ['refuse'],
      cause,
      set: sql`approval_request_id = null, submitted_by = null`,
    })
    return () => ({})
  },
}

/** Items of attention, and the page on which each is done. */
import type { AttentionItem } from '../../services/registries/attention-kinds.ts'

type Subject = AttentionItem['subject']

/**
 * Pages below a company's address, by what an item is about: a type that is not named here does not compile. Null: there
 * is no page yet, the item is done by the API.
 */
const PAGES: {
  readonly [Type in Subject['type']]: ((subject: Extract<Subject, { type: Type }>, kind: string) => string) | null
} = {
  approval: ({ approval_request_id: id }) => `/approve/${id}`,
  payment: ({ payment_id: id }) => `/payments/${id}`,
  transaction: ({ transaction_id: id }) => `/transactions/${id}`,
  payment_contacts: () => '/payees?incomplete=true',
  payment_destination: ({ payment_contact_id: id }) => `/payees/${id}`,
  person: () => '/approve/devices',
  bill: ({ bill_id: id }) => `/bills/${id}`,
  invoice: ({ invoice_id: id }) => `/invoices/${id}`,
  credit_note: ({ credit_note_id: id }) => `/invoices/credit-notes/${id}`,
  deposit: ({ deposit_id: id }) => `/deposits/${id}`,
  payment_batch: ({ payment_batch_id: id }) => `/batches/${id}`,
  export: ({ export_id: id }) => `/books/exports/${id}`,
  accounting_connection: () => '/books/accounting',
  webhook_endpoint: ({ webhook_endpoint_id: id }) => `/programs/webhooks/${id}`,
  subscription: () => '/books/plan',
  organization: (_, kind) => (kind === 'set_approval_policy' ? '/company/rules' : '/company'),
}

/** Finds the page on which an item is done; null if there is none. */
export function pageOfItem(
  { subject, action: { kind } }: Pick<AttentionItem, 'subject' | 'action'>,
  companyId: string,
): string | null {
  // its own; one that came later has none
  const page = PAGES[subject.type] as ((subject: Subject, kind: string) => string) | null | undefined
  const path = page?.(subject, kind)
  if (path === undefined) return null
  return path.startsWith('/approve') ? path : `/o/${companyId}${path}`
}

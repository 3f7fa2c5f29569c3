/** Items of attention, and the page on which each is done. */
import type { AttentionItem } from '../../services/registries/attention-kinds.ts'

type Subject = AttentionItem['subject']

/** Pages below a company's address, by what an item is about: a type without one does not compile. */
const PAGES: { readonly [Type in Subject['type']]: (subject: Extract<Subject, { type: Type }>) => string } = {
  approval: ({ approval_request_id: id }) => `/approve/${id}`,
  bill: ({ bill_id: id }) => `/bills/${id}`,
  payment: ({ payment_id: id }) => `/payments/${id}`,
  invoice: ({ invoice_id: id }) => `/invoices/${id}`,
  credit_note: ({ invoice_id: id }) => `/invoices/${id}`,
  deposit: ({ deposit_id: id }) => `/deposits/${id}`,
  transaction: ({ transaction_id: id }) => `/transactions/${id}`,
  payment_batch: ({ payment_batch_id: id }) => `/batches/${id}`,
  payment_contacts: () => '/payees?incomplete=true',
  payment_destination: ({ payment_contact_id: id }) => `/payees/${id}`,
  export: () => '/company/exports',
  accounting_connection: () => '/company/accounting',
  webhook_endpoint: () => '/company/webhooks',
  subscription: () => '/company/plan',
  organization: () => '/company/policy',
  person: () => '/approve/devices',
}

/** Finds the page on which an item is done; Home for what came later than this page. */
export function pageOfItem({ subject }: Pick<AttentionItem, 'subject'>, companyId: string): string {
  const page = PAGES[subject.type] as ((subject: Subject) => string) | undefined // its own subject
  const path = page?.(subject) ?? ''
  return path.startsWith('/approve') ? path : `/o/${companyId}${path}`
}

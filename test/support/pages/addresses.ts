/** Addresses of all pages, filled with the things of one company: a parameter that is not named here fails. */
import { randomUUID } from 'node:crypto'
import { baseUrl } from '../api.ts'
import type { Ids } from '../contract/world.ts'

/** Things that an address names, by the word before its parameter; those after the first are of other states. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  o: ['organization_id'],
  organizations: ['organization_id'],
  approvals: ['approval_id'],
  'payment-batches': ['batch_id'],
  'payment-contacts': ['payment_contact_id'],
  'webhook-endpoints': ['webhook_endpoint_id'],
  approve: ['approval_id', 'bill_approval_id', 'batch_approval_id', 'invoice_approval_id'],
  payments: ['payment_id', 'paid_id'],
  questions: ['question_id'],
  mails: ['inbound_mail_id'],
  'inbound-mails': ['inbound_mail_id'],
  mailboxes: ['bill_mailbox_id'],
  files: ['attachment_id'],
  transactions: ['transaction_id'],
  payees: ['payment_contact_id'],
  accounts: ['payment_destination_id'],
  batches: ['batch_id', 'submitted_batch_id'],
  rows: ['row_id'],
  exports: ['export_id'],
  exchange: ['swap_id'],
  bills: ['bill_id', 'read_bill_id'],
  invoices: ['invoice_id', 'sent_invoice_id'],
  customers: ['billing_contact_id'],
  'credit-notes': ['credit_note_id', 'sent_note_id'],
  deposits: ['deposit_id'],
  people: ['member_id', 'user_id'],
  invitations: ['invitation_id'],
  substitutes: ['substitution_id'],
  keys: ['api_key_id'],
  webhooks: ['webhook_endpoint_id'],
  streams: ['log_stream_id'],
  'log-streams': ['log_stream_id'],
  deliveries: ['delivery_id'],
  papers: ['paper_id'],
  processes: ['payment_id'],
  delegates: ['delegate_id'],
  sessions: ['other_session_id'],
  passkeys: ['passkey_id'],
  approval: ['approval_credential_id'],
}

/** Addresses whose things are others than those of their words. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  '/approve/:id/bill': ['bill_approval_id'],
  '/approve/:id/bill/1.png': ['bill_approval_id'],
  '/approve/:id/bill/page.png': ['bill_approval_id'],
  '/approve/:id/bill/file': ['bill_approval_id'],
  '/approve/:id/document.pdf': ['invoice_approval_id'],
  '/approve/:id/rows': ['batch_approval_id'],
  '/o/:company/company/onboarding/people/:id': ['onboarding_person_id'],
  '/o/:company/company/onboarding/people/:id/remove': ['onboarding_person_id'],
  '/o/:company/bills/:id/file': ['read_bill_id'],
  '/o/:company/bills/:id/page.png': ['read_bill_id'],
  '/o/:company/programs/streams/:id/deliveries/:delivery': ['stream_delivery_id'],
  '/o/:company/programs/streams/:id/deliveries/:delivery/replay': ['stream_delivery_id'],
  '/o/:company/payments/:id/receipt': ['paid_id'],
  '/o/:company/batches/:id/results': ['submitted_batch_id'], // one at a time goes to a person
  '/o/:company/invoices/:id/preview': ['invoice_id'],
  '/o/:company/invoices/credit-notes/:id/preview': ['credit_note_id'],
  '/o/:company/invoices/:id/pdf': ['sent_invoice_id'],
  '/o/:company/invoices/:id/xml': ['sent_invoice_id'],
  '/o/:company/invoices/credit-notes/:id/pdf': ['sent_note_id'],
  '/o/:company/invoices/credit-notes/:id/xml': ['sent_note_id'],
}

/** Queries of pages that show what a form has asked. */
const QUERIES: Readonly<Record<string, (ids: Ids) => Readonly<Record<string, string>>>> = {
  '/o/:company/books/exchange/check': () => ({
    from: 'USD',
    to: 'EUR',
    amount: '1',
    side: 'source',
    key: randomUUID(),
  }),
  '/o/:company/payees/new': () => ({ kind: 'bank', country: 'DE', currency: 'EUR' }),
  '/o/:company/payees/:id/accounts/new': () => ({ kind: 'bank', country: 'DE', currency: 'EUR' }),
  '/operate/runbook': () => ({ section: 'readyz-names' }),
  '/o/:company/payments/check': (ids) => ({
    payee: ids['payment_contact_id'] ?? '',
    amount: '3.00',
    currency: 'USD',
    reason: 'services',
    text: 'Invoice 7',
    key: randomUUID(),
  }),
}

/** Fills an address with things, once for each that its last parameter may name. */
export function fill(address: string, ids: Ids): string[] {
  const words = address.split('/')
  const last = words.findLastIndex((word) => word.startsWith(':'))
  const query = QUERIES[address]
  const asked = query ? `?${new URLSearchParams(query(ids)).toString()}` : ''
  if (last === -1) return [address + asked]
  const idsAt = (index: number): readonly string[] => {
    const named = (index === last && OTHERS[address]) || NAMED[words[index - 1] ?? '']
    if (!named) throw new Error(`${address}: name the thing of ${words[index]} in test/support/pages/addresses.ts`)
    return named.map((name) => {
      const id = ids[name]
      if (!id) throw new Error(`test/support/pages/company.ts makes no ${name}`)
      return id
    })
  }
  const path = words.map((word, index) => (word.startsWith(':') && index < last ? (idsAt(index)[0] ?? '') : word))
  return idsAt(last).map((id) => path.with(last, id).join('/') + asked)
}

export const OWN = { origin: baseUrl, 'sec-fetch-site': 'same-origin' }

type Sent = { readonly session?: string; readonly headers?: Record<string, string> }

/** Shows a page to the holder of a session, or to nobody. */
export const show = (path: string, { session, headers = {} }: Sent = {}) =>
  fetch(baseUrl + path, {
    redirect: 'manual',
    headers: { accept: 'text/html', ...(session && { cookie: `session=${session}` }), ...headers },
  })

/** Sends a form to an address, as its page or another one does. */
export const send = (path: string, body: string | URLSearchParams | FormData, { session, headers = OWN }: Sent = {}) =>
  fetch(baseUrl + path, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { accept: 'text/html', ...(session && { cookie: `session=${session}` }), ...headers },
  })

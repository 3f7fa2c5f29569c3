/** Takes the forms on the page of an invoice. */
import type { Invoice } from '../../domain/invoices/invoice.ts'
import { type Act, type Fault, Unclear, act } from '../frame/act.ts'
import { readAmount } from '../frame/forms/amounts.ts'
import type { Viewer } from '../frame/viewer.ts'
import { invoicePage } from './invoice.ts'

const again = (viewer: Viewer, fault: Fault) => invoicePage(fault)(viewer)
const shownAs =
  (done: string) =>
  (_: unknown, { company, id }: Act): string =>
    `/o/${company}/invoices/${id}?done=${done}`
const of = ({ id }: Act): string => `/invoices/${encodeURIComponent(id)}`

export const submitInvoice = act<Invoice>({
  ask: (sent) => ({ path: `${of(sent)}/submit`, body: {}, key: sent.form.get('key') }),
  then: (invoice, sent) => shownAs(invoice.state === 'awaiting_approval' ? 'asked' : 'submitted')(invoice, sent),
  again,
})

export const withdrawInvoice = act({
  ask: ({ company, form }) => ({
    path: `/organizations/${encodeURIComponent(company)}/approvals/${encodeURIComponent(form.get('request'))}/cancel`,
    body: {},
  }),
  then: shownAs('withdrawn'),
  again,
})

export const deleteInvoice = act({
  ask: (sent) => ({ method: 'DELETE', path: of(sent) }),
  then: (_, { company }) => `/o/${company}/invoices?done=deleted`,
  again,
})

export const revokePage = act({
  ask: (sent) => ({ method: 'DELETE', path: `${of(sent)}/public-link` }),
  then: shownAs('revoked'),
  again,
})

/** Reads addresses that people part by commas, spaces or lines; undefined for none. */
export function emailsIn(text: string): string[] | undefined {
  const emails = text.split(/[\s,;]+/).filter(Boolean)
  return emails.length > 0 ? emails : undefined
}

export const resendInvoice = act({
  ask: (sent) => {
    const emails = emailsIn(sent.form.get('emails'))
    return { path: `${of(sent)}/resend`, body: { ...(emails && { emails }) }, key: sent.form.get('key') }
  },
  then: shownAs('resent'),
  again,
})

export const markPaid = act({
  ask: (sent) => {
    const day = sent.form.get('paid_on')
    const body = day ? { paid_at: `${day}T00:00:00Z` } : {}
    return { path: `${of(sent)}/mark-paid`, body, key: sent.form.get('key') }
  },
  then: shownAs('paid'),
  again,
})

const amountIn = ({ viewer, form }: Act, name: string): string => {
  const amount = readAmount(form.get(name), viewer.language)
  if (amount === null) throw new Unclear(viewer.words.pay.noAmount, name)
  return amount
}

export const acceptInvoice = act({
  ask: (sent) => ({
    path: `${of(sent)}/finalize`,
    body: { accepted_amount: amountIn(sent, 'accepted_amount') },
    key: sent.form.get('key'),
  }),
  then: shownAs('accepted'),
  again,
})

export const matchMoney = act({
  ask: (sent) => ({
    path: `${of(sent)}/allocations`,
    body: { transaction_id: sent.form.get('transaction'), amount: amountIn(sent, 'amount') },
    key: sent.form.get('key'),
  }),
  then: shownAs('matched'),
  again,
})

export const unmatchMoney = act({
  ask: (sent) => ({
    method: 'DELETE',
    path: `${of(sent)}/allocations/${encodeURIComponent(sent.form.get('allocation'))}`,
  }),
  then: shownAs('unmatched'),
  again,
})

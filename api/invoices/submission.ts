/** Invoices are sent, accepted and paid. */
import * as v from 'valibot'
import { payInvoiceBy } from '../../db/invoices/allocations.ts'
import type { Editor } from '../../db/invoices/drafts.ts'
import { type OwnOnly, findInvoice } from '../../db/invoices/invoices.ts'
import { resendInvoice } from '../../db/invoices/resending.ts'
import { finalizeInvoice, markPaidElsewhere } from '../../db/invoices/settlement.ts'
import { submitInvoice } from '../../db/invoices/sending.ts'
import type { InvoiceId } from '../../db/model/ids.ts'
import { Finalization, Invoice, PaidElsewhere, Resending } from '../../db/model/invoices/invoice.ts'
import { can } from '../../db/model/permissions.ts'
import { type Tx, within } from '../../db/sql.ts'
import { inPath } from '../http/in-path.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { type Context, route } from '../http/route.ts'

export const ofInvoice = { tag: 'Invoices', ...inPath('invoice') } as const

/** Undefined for who sees all invoices; else the caller, who sees those that they wrote. */
export const ownInvoicesOnly = ({ org, person }: Context<'org' | 'person'>): OwnOnly =>
  can(org.role, 'billing_invoices.list_all') ? undefined : person.userId

export const editorOf = (context: Context<'org' | 'person'>): Editor => ({
  person: context.person,
  own: ownInvoicesOnly(context),
})

type OfInvoice = Context<'org' | 'person' | 'write', { readonly params: { readonly invoice_id: InvoiceId } }>

/** Does the work on an invoice in one transaction, again if that was broken off, and answers it as it is after it. */
export const changed = (context: OfInvoice, work: (tx: Tx, id: InvoiceId) => Promise<void>): Promise<Invoice> => {
  const { invoice_id: id } = context.params
  return repeating(() =>
    context.write(async (tx) => {
      await work(tx, id)
      return findInvoice(within(tx), id, undefined)
    }, BRIEF_LOCKS),
  )
}

export const invoiceSteps = [
  route({
    ...ofInvoice,
    method: 'post',
    path: '/invoices/{invoice_id}/submit',
    operationId: 'submitInvoice',
    summary: 'Send a draft, or ask for the approval that the policy wants before it is sent',
    can: 'billing_invoices.submit',
    refuses: [409],
    body: v.object({}),
    returns: Invoice,
    handle: (context) => changed(context, (tx, id) => submitInvoice(tx, editorOf(context), id)),
  }),
  route({
    ...ofInvoice,
    method: 'post',
    path: '/invoices/{invoice_id}/finalize',
    operationId: 'finalizeInvoice',
    summary: 'Write down that the customer accepted an invoice: all of it, or less',
    can: 'billing_invoices.update',
    refuses: [409],
    body: Finalization,
    returns: Invoice,
    handle: (context) => changed(context, (tx, id) => finalizeInvoice(tx, editorOf(context), id, context.body)),
  }),
  route({
    ...ofInvoice,
    method: 'post',
    path: '/invoices/{invoice_id}/mark-paid',
    operationId: 'markInvoicePaid',
    summary: 'Write down that an invoice is paid: by a transaction, or elsewhere',
    can: 'billing_invoices.update',
    refuses: [409],
    body: PaidElsewhere,
    returns: Invoice,
    handle: (context) => {
      const { transaction_id: transactionId, paid_at: paidAt } = context.body
      return changed(context, (tx, id) =>
        transactionId
          ? payInvoiceBy(tx, editorOf(context), id, { transactionId, paidAt })
          : markPaidElsewhere(tx, editorOf(context), id, paidAt),
      )
    },
  }),
  route({
    ...ofInvoice,
    method: 'post',
    path: '/invoices/{invoice_id}/resend',
    operationId: 'resendInvoice',
    summary: 'Mail an invoice that was sent once more, to its customer or to whom you say; at most 5 times an hour',
    can: 'billing_invoices.resend',
    refuses: [409],
    body: Resending,
    returns: Invoice,
    handle: (context) => changed(context, (tx, id) => resendInvoice(tx, editorOf(context), id, context.body)),
  }),
]

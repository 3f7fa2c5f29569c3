/** Invoices are sent, accepted and paid. */
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { isRecorded } from '../../db/events.ts'
import { payInvoiceBy } from '../../db/invoices/allocations.ts'
import type { Editor } from '../../db/invoices/drafts.ts'
import { type OwnOnly, findInvoice } from '../../db/invoices/invoices.ts'
import { resendInvoice } from '../../db/invoices/mails.ts'
import { finalizeInvoice, markPaidElsewhere } from '../../db/invoices/settlement.ts'
import { submitInvoice } from '../../db/invoices/sending.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import { Finalization, Invoice, PaidElsewhere, Resending } from '../../domain/invoices/invoice.ts'
import { can } from '../../domain/permissions.ts'
import { type Tx, within } from '../../db/sql.ts'
import { inPath } from '../http/in-path.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'

const { command } = operations('Invoices')

export const ofInvoice = { tag: 'Invoices', ...inPath('invoice') } as const

/** Undefined for who sees all invoices; else the caller, who sees those that they wrote. */
export const ownInvoicesOnly = ({ org, person }: Context<'org' | 'person'>): OwnOnly =>
  can(org.role, 'billing_invoices.list_all') ? undefined : person.userId

export const editorOf = (context: Context<'org' | 'person'>): Editor => ({
  person: context.person,
  own: ownInvoicesOnly(context),
  cause: `request:${randomUUID()}`,
})

type OfInvoice = Context<'org' | 'person' | 'write', { readonly params: { readonly invoice_id: InvoiceId } }>

/**
 * Does the work on an invoice in one transaction, again if that was broken off, and answers it as it is after it. What
 * was committed is not done again, also if the connection was lost before anybody heard of it.
 */
export const changed = (
  context: OfInvoice,
  work: (tx: Tx, editor: Editor, id: InvoiceId) => Promise<void>,
): Promise<Invoice> => {
  const { invoice_id: id } = context.params
  const editor = editorOf(context)
  return repeating(() =>
    context.write(async (tx) => {
      if (!(await isRecorded(tx, id, editor.cause))) await work(tx, editor, id)
      return findInvoice(within(tx), id, undefined)
    }, BRIEF_LOCKS),
  )
}

const MAILS =
  'Mails to customers are counted by day, as `customer_mails` and `mails_to_customer`: what is over is refused.'

export const invoiceSteps = [
  command('post', '/invoices/{invoice_id}/submit', 'submitInvoice')
    .says('Send a draft, or ask for the approval that the policy wants before it is sent', MAILS)
    .of('invoice')
    .can('billing_invoices.submit')
    .takes(v.object({}))
    .refuses(409)
    .answers(Invoice)
    .handles((context) => changed(context, submitInvoice)),
  command('post', '/invoices/{invoice_id}/finalize', 'finalizeInvoice')
    .says('Write down that the customer accepted an invoice: all of it, or less')
    .of('invoice')
    .can('billing_invoices.update')
    .takes(Finalization)
    .refuses(409)
    .answers(Invoice)
    .handles((context) => changed(context, (tx, editor, id) => finalizeInvoice(tx, editor, id, context.body))),
  command('post', '/invoices/{invoice_id}/mark-paid', 'markInvoicePaid')
    .says('Write down that an invoice is paid: by a transaction, or elsewhere')
    .of('invoice')
    .can('billing_invoices.update')
    .takes(PaidElsewhere)
    .refuses(409)
    .answers(Invoice)
    .handles((context) => {
      const { transaction_id: transactionId, paid_at: paidAt } = context.body
      return changed(context, (tx, editor, id) =>
        transactionId
          ? payInvoiceBy(tx, editor, id, { transactionId, paidAt })
          : markPaidElsewhere(tx, editor, id, paidAt),
      )
    }),
  command('post', '/invoices/{invoice_id}/resend', 'resendInvoice')
    .says('Mail an invoice that was sent once more, to its customer or to whom you say; at most 5 times an hour', MAILS)
    .of('invoice')
    .can('billing_invoices.resend')
    .takes(Resending)
    .refuses(409)
    .answers(Invoice)
    .handles((context) => changed(context, (tx, editor, id) => resendInvoice(tx, editor, id, context.body))),
]

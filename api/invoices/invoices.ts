/** Invoices: written, read, and deleted while they are drafts. */
import * as v from 'valibot'
import { changeInvoice, createInvoice, deleteInvoice } from '../../db/invoices/drafts.ts'
import { findInvoice, listInvoices, requireInvoice } from '../../db/invoices/invoices.ts'
import { historyOf } from '../../db/events.ts'
import { Invoice, InvoiceChange, InvoiceFilters, NewInvoice } from '../../domain/invoices/invoice.ts'
import { HistoryPage } from '../../domain/event.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { Deleted } from '../../domain/text.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { operations } from '../http/operation.ts'
import { changed, editorOf, ownInvoicesOnly } from './submission.ts'

const { command, query } = operations('Invoices')

export const invoices = [
  command('post', '/organizations/{organization_id}/invoices', 'createInvoice')
    .says('Write an invoice: a draft, whose totals are computed from its lines')
    .of('organization')
    .can('billing_invoices.create')
    .takes(NewInvoice)
    .creates(Invoice, ({ read, claim }) => findInvoice(read, claim.id, undefined))
    .makes(({ write, person, claim, body }) =>
      repeating(() => write((tx) => createInvoice(tx, person, claim, body), BRIEF_LOCKS)),
    ),
  query('/organizations/{organization_id}/invoices', 'listInvoices')
    .says('List invoices, newest first: all of them, or those that you wrote')
    .of('organization')
    .can('billing_invoices.list_own')
    .filters(InvoiceFilters)
    .answers(pageOf(Invoice))
    .does((context) => listInvoices(context.read, context.query, ownInvoicesOnly(context))),
  query('/invoices/{invoice_id}', 'getInvoice')
    .says('Read an invoice')
    .of('invoice')
    .can('billing_invoices.read')
    .answers(Invoice)
    .does((context) => findInvoice(context.read, context.params.invoice_id, ownInvoicesOnly(context))),
  query('/invoices/{invoice_id}/events', 'listInvoiceEvents')
    .says('Read what happened to an invoice, oldest first: its mails and payments, too')
    .of('invoice')
    .can('billing_invoices.read')
    .filters(v.object(PageQuery))
    .answers(HistoryPage)
    .does(async (context) => {
      await requireInvoice(context.read, context.params.invoice_id, ownInvoicesOnly(context))
      return historyOf(context.read, context.params.invoice_id, context.query)
    }),
  command('patch', '/invoices/{invoice_id}', 'updateInvoice')
    .says('Change a draft; its lines are replaced as a whole', 'What is absent stays, null empties.')
    .of('invoice')
    .can('billing_invoices.update')
    .takes(InvoiceChange)
    .refuses(409)
    .answers(Invoice)
    .handles((context) => changed(context, (tx, editor, id) => changeInvoice(tx, editor, id, context.body))),
  command('delete', '/invoices/{invoice_id}', 'deleteInvoice')
    .says('Delete a draft')
    .of('invoice')
    .can('billing_invoices.delete')
    .refuses(409)
    .answers(Deleted)
    .handles(async (context) => {
      const { invoice_id: id } = context.params
      await repeating(() => context.write((tx) => deleteInvoice(tx, editorOf(context), id), BRIEF_LOCKS))
      return { deleted: true as const, id }
    }),
]

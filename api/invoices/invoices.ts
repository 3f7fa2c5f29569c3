/** Invoices: written, read, and deleted while they are drafts. */
import * as v from 'valibot'
import { changeInvoice, createInvoice, deleteInvoice } from '../../db/invoices/drafts.ts'
import { findInvoice, listInvoices, requireInvoice } from '../../db/invoices/invoices.ts'
import { historyOf } from '../../db/events.ts'
import { Invoice, InvoiceChange, InvoiceFilters, NewInvoice } from '../../domain/invoices/invoice.ts'
import { HistoryPage } from '../../domain/event.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { Deleted } from '../../domain/text.ts'
import { inPath } from '../http/in-path.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { route } from '../http/route.ts'
import { changed, editorOf, ofInvoice, ownInvoicesOnly } from './submission.ts'

const ofOrganization = {
  tag: 'Invoices',
  path: '/organizations/{organization_id}/invoices',
  ...inPath('organization'),
} as const

export const invoices = [
  route({
    ...ofOrganization,
    method: 'post',
    operationId: 'createInvoice',
    summary: 'Write an invoice: a draft, whose totals are computed from its lines',
    can: 'billing_invoices.create',
    body: NewInvoice,
    returns: Invoice,
    status: 201,
    create: ({ write, person, claim, body }) =>
      repeating(() => write((tx) => createInvoice(tx, person, claim, body), BRIEF_LOCKS)),
    replay: ({ read, claim }) => findInvoice(read, claim.id, undefined),
  }),
  route({
    ...ofOrganization,
    method: 'get',
    operationId: 'listInvoices',
    summary: 'List invoices, newest first: all of them, or those that you wrote',
    can: 'billing_invoices.list_own',
    query: InvoiceFilters,
    returns: pageOf(Invoice),
    handle: (context) => listInvoices(context.read, context.query, ownInvoicesOnly(context)),
  }),
  route({
    ...ofInvoice,
    method: 'get',
    path: '/invoices/{invoice_id}',
    operationId: 'getInvoice',
    summary: 'Read an invoice',
    can: 'billing_invoices.read',
    returns: Invoice,
    handle: (context) => findInvoice(context.read, context.params.invoice_id, ownInvoicesOnly(context)),
  }),
  route({
    ...ofInvoice,
    method: 'get',
    path: '/invoices/{invoice_id}/events',
    operationId: 'listInvoiceEvents',
    summary: 'Read what happened to an invoice, oldest first: its mails and payments, too',
    can: 'billing_invoices.read',
    query: v.object(PageQuery),
    returns: HistoryPage,
    handle: async (context) => {
      await requireInvoice(context.read, context.params.invoice_id, ownInvoicesOnly(context))
      return historyOf(context.read, context.params.invoice_id, context.query)
    },
  }),
  route({
    ...ofInvoice,
    method: 'patch',
    path: '/invoices/{invoice_id}',
    operationId: 'updateInvoice',
    summary: 'Change a draft; its lines are replaced as a whole',
    note: 'What is absent stays, null empties.',
    can: 'billing_invoices.update',
    refuses: [409],
    body: InvoiceChange,
    returns: Invoice,
    handle: (context) => changed(context, (tx, editor, id) => changeInvoice(tx, editor, id, context.body)),
  }),
  route({
    ...ofInvoice,
    method: 'delete',
    path: '/invoices/{invoice_id}',
    operationId: 'deleteInvoice',
    summary: 'Delete a draft',
    can: 'billing_invoices.delete',
    refuses: [409],
    returns: Deleted,
    handle: async (context) => {
      const { invoice_id: id } = context.params
      await repeating(() => context.write((tx) => deleteInvoice(tx, editorOf(context), id), BRIEF_LOCKS))
      return { deleted: true as const, id }
    },
  }),
]

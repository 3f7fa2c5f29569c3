/** What pays invoices, and what organizations are owed. */
import * as v from 'valibot'
import { createAllocation, findAllocation, listAllocations, takeBackAllocation } from '../../db/invoices/allocations.ts'
import { requireInvoice, summarizeInvoices } from '../../db/invoices/invoices.ts'
import { id } from '../../domain/ids.ts'
import { Allocation, InvoiceSummary, NewAllocation, SummaryFilters } from '../../domain/invoices/allocation.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { Deleted } from '../../domain/text.ts'
import { inPath } from '../http/in-path.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { route } from '../http/route.ts'
import { editorOf, ofInvoice, ownInvoicesOnly } from './submission.ts'

const all = { ...ofInvoice, path: '/invoices/{invoice_id}/allocations' } as const

export const invoiceAllocations = [
  route({
    ...all,
    method: 'post',
    operationId: 'createInvoiceAllocation',
    summary: 'Pay an invoice, or a part of it, from a transaction that came in; paid in full it is paid',
    can: 'billing_invoices.allocate',
    refuses: [409],
    body: NewAllocation,
    returns: Allocation,
    status: 201,
    create: (context) => {
      const { write, claim, params, body } = context
      const asked = { claim, invoiceId: params.invoice_id, wanted: body }
      return repeating(() => write((tx) => createAllocation(tx, editorOf(context), asked), BRIEF_LOCKS))
    },
    replay: ({ read, claim }) => findAllocation(read, claim.id),
  }),
  route({
    ...all,
    method: 'get',
    operationId: 'listInvoiceAllocations',
    summary: 'List what pays an invoice, newest first',
    can: 'billing_invoices.list_allocations',
    query: v.object(PageQuery),
    returns: pageOf(Allocation),
    handle: async (context) => {
      const { read, params, query } = context
      await requireInvoice(read, params.invoice_id, ownInvoicesOnly(context))
      return listAllocations(read, params.invoice_id, query)
    },
  }),
  route({
    ...ofInvoice,
    method: 'delete',
    path: '/invoices/{invoice_id}/allocations/{allocation_id}',
    operationId: 'deleteInvoiceAllocation',
    summary: 'Take an allocation back: an invoice that is not paid any more is what it was before',
    ...inPath('invoice', { invoice_id: id<'invoice'>(), allocation_id: id<'allocation'>() }),
    can: 'billing_invoices.allocate',
    returns: Deleted,
    handle: async (context) => {
      const { invoice_id: invoiceId, allocation_id: allocationId } = context.params
      await repeating(() =>
        context.write((tx) => takeBackAllocation(tx, editorOf(context), invoiceId, allocationId), BRIEF_LOCKS),
      )
      return { deleted: true as const, id: allocationId }
    },
  }),
  route({
    tag: 'Invoices',
    ...inPath('organization'),
    method: 'get',
    path: '/organizations/{organization_id}/invoices/summary',
    operationId: 'getInvoiceSummary',
    summary: 'Sum up what is owed, late, paid and not sent yet, by currency, and what was invoiced and paid by month',
    can: 'billing_invoices.view_summary',
    query: SummaryFilters,
    returns: InvoiceSummary,
    handle: ({ read, query }) => summarizeInvoices(read, query),
  }),
]

/** What pays invoices, and what organizations are owed. */
import * as v from 'valibot'
import { createAllocation, findAllocation, listAllocations, takeBackAllocation } from '../../db/invoices/allocations.ts'
import { requireInvoice, summarizeInvoices } from '../../db/invoices/invoices.ts'
import { Allocation, InvoiceSummary, NewAllocation, SummaryFilters } from '../../domain/invoices/allocation.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { Deleted } from '../../domain/text.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { operations } from '../http/operation.ts'
import { editorOf, ownInvoicesOnly } from './submission.ts'

const { command, query } = operations('Invoices')

export const invoiceAllocations = [
  command('post', '/invoices/{invoice_id}/allocations', 'createInvoiceAllocation')
    .says('Pay an invoice, or a part of it, from a transaction that came in; paid in full it is paid')
    .of('invoice')
    .can('billing_invoices.allocate')
    .takes(NewAllocation)
    .refuses(409)
    .creates(Allocation, ({ read, claim }) => findAllocation(read, claim.id))
    .makes((context) => {
      const { write, claim, params, body } = context
      const asked = { claim, invoiceId: params.invoice_id, wanted: body }
      return repeating(() => write((tx) => createAllocation(tx, editorOf(context), asked), BRIEF_LOCKS))
    }),
  query('/invoices/{invoice_id}/allocations', 'listInvoiceAllocations')
    .says('List what pays an invoice, newest first')
    .of('invoice')
    .can('billing_invoices.list_allocations')
    .filters(v.object(PageQuery))
    .answers(pageOf(Allocation))
    .does(async (context) => {
      const { read, params, query } = context
      await requireInvoice(read, params.invoice_id, ownInvoicesOnly(context))
      return listAllocations(read, params.invoice_id, query)
    }),
  command('delete', '/invoices/{invoice_id}/allocations/{allocation_id}', 'deleteInvoiceAllocation')
    .says('Take an allocation back: an invoice that is not paid any more is what it was before')
    .of('invoice')
    .can('billing_invoices.allocate')
    .answers(Deleted)
    .handles(async (context) => {
      const { invoice_id: invoiceId, allocation_id: allocationId } = context.params
      await repeating(() =>
        context.write((tx) => takeBackAllocation(tx, editorOf(context), invoiceId, allocationId), BRIEF_LOCKS),
      )
      return { deleted: true as const, id: allocationId }
    }),
  query('/organizations/{organization_id}/invoices/summary', 'getInvoiceSummary')
    .says('Sum up what is owed, late, paid and not sent yet, by currency, and what was invoiced and paid by month')
    .of('organization')
    .can('billing_invoices.view_summary')
    .filters(SummaryFilters)
    .answers(InvoiceSummary)
    .does(({ read, query }) => summarizeInvoices(read, query)),
]

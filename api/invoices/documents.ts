/** The documents of invoices that were sent. */
import * as v from 'valibot'
import { requireInvoice } from '../../db/invoices/invoices.ts'
import { type Format, findDocument } from '../../db/invoices/writing.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import { type Context, route } from '../http/route.ts'
import { ofInvoice, ownInvoicesOnly } from './submission.ts'

type OfInvoice = Context<'org' | 'person' | 'read', { readonly params: { readonly invoice_id: InvoiceId } }>

async function documentOf(context: OfInvoice, format: Format): Promise<Uint8Array<ArrayBuffer>> {
  const { invoice_id: id } = context.params
  await requireInvoice(context.read, id, ownInvoicesOnly(context))
  return (await findDocument(context.read, id, format)).bytes
}

const shared = {
  ...ofInvoice,
  method: 'get',
  can: 'billing_invoices.read',
  returns: v.instance(Uint8Array),
} as const

export const invoiceDocuments = [
  route({
    ...shared,
    path: '/invoices/{invoice_id}/pdf',
    operationId: 'getInvoicePdf',
    summary: 'Fetch an invoice that was sent as PDF/A-3, with Factur-X inside if its profile is a standard',
    refuses: [409],
    produces: 'application/pdf',
    filename: ({ invoice_id: id }) => `invoice-${id}.pdf`,
    handle: (context) => documentOf(context, 'pdf'),
  }),
  route({
    ...shared,
    path: '/invoices/{invoice_id}/xml',
    operationId: 'getInvoiceXml',
    summary: 'Fetch an invoice that was sent as XML: UBL if its profile is XRechnung, CII otherwise',
    refuses: [409, 422],
    produces: 'application/xml',
    filename: ({ invoice_id: id }) => `invoice-${id}.xml`,
    handle: (context) => documentOf(context, 'xml'),
  }),
]

/** The documents of invoices that were sent. */
import { requireInvoice } from '../../db/invoices/invoices.ts'
import { type Format, findDocument } from '../../db/invoices/writing.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'
import { ownInvoicesOnly } from './submission.ts'

const { query } = operations('Invoices')

type OfInvoice = Context<'org' | 'person' | 'read', { readonly params: { readonly invoice_id: InvoiceId } }>

async function documentOf(context: OfInvoice, format: Format): Promise<Uint8Array<ArrayBuffer>> {
  const { invoice_id: id } = context.params
  await requireInvoice(context.read, id, ownInvoicesOnly(context))
  return (await findDocument(context.read, id, format)).bytes
}

export const invoiceDocuments = [
  query('/invoices/{invoice_id}/pdf', 'getInvoicePdf')
    .says('Fetch an invoice that was sent as PDF/A-3, with Factur-X inside if its profile is a standard')
    .of('invoice')
    .can('billing_invoices.read')
    .refuses(409)
    .bytes('application/pdf', ({ invoice_id: id }) => `invoice-${id}.pdf`)
    .does((context) => documentOf(context, 'pdf')),
  query('/invoices/{invoice_id}/xml', 'getInvoiceXml')
    .says('Fetch an invoice that was sent as XML: UBL if its profile is XRechnung, CII otherwise')
    .of('invoice')
    .can('billing_invoices.read')
    .refuses(409, 422)
    .bytes('application/xml', ({ invoice_id: id }) => `invoice-${id}.xml`)
    .does((context) => documentOf(context, 'xml')),
]

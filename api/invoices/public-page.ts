/** What customers see of an invoice, by the link that they were sent. */
import { Readable } from 'node:stream'
import * as v from 'valibot'
import { findPublicDocument, findPublicInvoice, revokePublicLink } from '../../db/invoices/public-page.ts'
import type { Format } from '../../db/invoices/writing.ts'
import { Deleted } from '../../domain/text.ts'
import { Download, Page } from '../http/http.ts'
import { publicPages } from '../http/limits.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { route } from '../http/route.ts'
import { invoicePage, refusalPage } from './page.ts'
import { editorOf, ofInvoice } from './submission.ts'

/** Whatever it is, it is looked up like a right one: nobody learns from the answer what is wrong with it. */
const Token = v.object({ token: v.string() })

const forCustomers = {
  method: 'get',
  root: true,
  tag: 'Invoices',
  credential: 'none',
  refusalPage,
  limits: [publicPages],
  params: Token,
} as const

const CONTENT_TYPES = { pdf: 'application/pdf', xml: 'application/xml' } as const

async function download(token: string, format: Format): Promise<Download> {
  const { filename, bytes } = await findPublicDocument(token, format)
  const file = { filename, contentType: CONTENT_TYPES[format], byteSize: bytes.byteLength }
  return new Download({ ...file, open: () => Promise.resolve(Readable.from([bytes])) })
}

export const publicInvoices = [
  route({
    ...forCustomers,
    path: '/i/{token}',
    operationId: 'showPublicInvoice',
    summary: 'Show an invoice to its customer: a page without script, in the customer’s language',
    note: 'Who has the address sees it, without signing in: `public_url` of the invoice. It can be revoked.',
    produces: 'text/html',
    returns: v.instance(Page),
    handle: async ({ params: { token } }) => invoicePage(await findPublicInvoice(token), token),
  }),
  route({
    ...forCustomers,
    path: '/i/{token}/pdf',
    operationId: 'getPublicInvoicePdf',
    summary: 'Fetch the PDF of an invoice as its customer',
    refuses: [409],
    produces: CONTENT_TYPES.pdf,
    returns: v.instance(Download),
    handle: ({ params }) => download(params.token, 'pdf'),
  }),
  route({
    ...forCustomers,
    path: '/i/{token}/xml',
    operationId: 'getPublicInvoiceXml',
    summary: 'Fetch the XML of an invoice as its customer, if its profile is a standard',
    refuses: [409, 422],
    produces: CONTENT_TYPES.xml,
    returns: v.instance(Download),
    handle: ({ params }) => download(params.token, 'xml'),
  }),
  route({
    ...ofInvoice,
    method: 'delete',
    path: '/invoices/{invoice_id}/public-link',
    operationId: 'revokePublicInvoice',
    summary: 'Take the public page of an invoice back, for good: its address opens nothing any more',
    can: 'billing_invoices.update',
    returns: Deleted,
    handle: async (context) => {
      const { invoice_id: id } = context.params
      await repeating(() => context.write((tx) => revokePublicLink(tx, editorOf(context), id), BRIEF_LOCKS))
      return { deleted: true as const, id }
    },
  }),
]

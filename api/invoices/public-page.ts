import { Readable } from 'node:stream'
import * as v from 'valibot'
import { revokePublicLink } from '../../services/invoices/commands.ts'
import {
  CONTENT_TYPES,
  type Format,
  type WrittenDocument,
  findPublicDocument,
  findPublicInvoice,
} from '../../services/invoice-delivery/documents.ts'
import { Download } from '../http/http.ts'
import { publicPages } from '../http/limits.ts'
import { download, operations, page } from '../http/operation.ts'
import { invoicePage, refusalPage } from './page.ts'
import { ownInvoicesOnly } from './invoices.ts'

const { command, query } = operations('Invoices')

/** Any text: a malformed token is looked up like a right one, and answered alike. */
const Token = v.object({ token: v.string() })

export async function downloadOf(
  format: Format,
  find: (format: Format) => Promise<WrittenDocument>,
): Promise<Download> {
  const { filename, bytes } = await find(format)
  const file = { filename, contentType: CONTENT_TYPES[format], byteSize: bytes.byteLength }
  return new Download({ ...file, open: () => Promise.resolve(Readable.from([bytes])) })
}

export const publicInvoices = [
  query('/i/{token}', 'showPublicInvoice')
    .says(
      'Show an invoice to its customer',
      'A page without script, in the customer’s language. Who has the address sees it, without signing in: ' +
        '`public_url` of the invoice. It can be revoked.',
    )
    .for('anyone')
    .named(Token)
    .limited(publicPages)
    .atRoot()
    .answers(page(refusalPage))
    .does(async ({ params: { token } }) => invoicePage(await findPublicInvoice(token), token)),
  query('/i/{token}/pdf', 'getPublicInvoicePdf')
    .says('Fetch the PDF of an invoice as its customer')
    .for('anyone')
    .named(Token)
    .limited(publicPages)
    .refuses('invalid_state')
    .atRoot()
    .answers(download(CONTENT_TYPES.pdf, refusalPage))
    .does(({ params }) => downloadOf('pdf', (format) => findPublicDocument(params.token, format))),
  query('/i/{token}/xml', 'getPublicInvoiceXml')
    .says('Download the XML of an invoice as its customer', 'If its profile is a standard.')
    .for('anyone')
    .named(Token)
    .limited(publicPages)
    .refuses('invalid_state', 'invoice_incomplete')
    .atRoot()
    .answers(download(CONTENT_TYPES.xml, refusalPage))
    .does(({ params }) => downloadOf('xml', (format) => findPublicDocument(params.token, format))),
  command('delete', '/invoices/{invoice_id}/public-link', 'revokePublicInvoice')
    .says('Revoke the public page of an invoice', 'For good.')
    .of('invoice')
    .stops()
    .can('billing_invoices.update')
    .deletes()
    .does((context) => revokePublicLink(context.tx, ownInvoicesOnly(context), context.params.invoice_id)),
]

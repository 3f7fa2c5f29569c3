/** What customers see of an invoice, by the link that they were sent. */
import { Readable } from 'node:stream'
import * as v from 'valibot'
import { findPublicDocument, findPublicInvoice, revokePublicLink } from '../../db/invoices/public-page.ts'
import type { Format } from '../../db/invoices/writing.ts'
import { Deleted } from '../../domain/text.ts'
import { Download, Page } from '../http/http.ts'
import { publicPages } from '../http/limits.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { operations } from '../http/operation.ts'
import { invoicePage, refusalPage } from './page.ts'
import { editorOf } from './submission.ts'

const { command, query } = operations('Invoices')

/** Whatever it is, it is looked up like a right one: nobody learns from the answer what is wrong with it. */
const Token = v.object({ token: v.string() })

const CONTENT_TYPES = { pdf: 'application/pdf', xml: 'application/xml' } as const

async function download(token: string, format: Format): Promise<Download> {
  const { filename, bytes } = await findPublicDocument(token, format)
  const file = { filename, contentType: CONTENT_TYPES[format], byteSize: bytes.byteLength }
  return new Download({ ...file, open: () => Promise.resolve(Readable.from([bytes])) })
}

export const publicInvoices = [
  query('/i/{token}', 'showPublicInvoice')
    .says(
      'Show an invoice to its customer: a page without script, in the customer’s language',
      'Who has the address sees it, without signing in: `public_url` of the invoice. It can be revoked.',
    )
    .open()
    .named(Token)
    .limited(publicPages)
    .atRoot()
    .refusesBy(refusalPage)
    .produces('text/html', v.instance(Page))
    .does(async ({ params: { token } }) => invoicePage(await findPublicInvoice(token), token)),
  query('/i/{token}/pdf', 'getPublicInvoicePdf')
    .says('Fetch the PDF of an invoice as its customer')
    .open()
    .named(Token)
    .limited(publicPages)
    .refuses(409)
    .atRoot()
    .refusesBy(refusalPage)
    .downloads(CONTENT_TYPES.pdf)
    .does(({ params }) => download(params.token, 'pdf')),
  query('/i/{token}/xml', 'getPublicInvoiceXml')
    .says('Fetch the XML of an invoice as its customer, if its profile is a standard')
    .open()
    .named(Token)
    .limited(publicPages)
    .refuses(409, 422)
    .atRoot()
    .refusesBy(refusalPage)
    .downloads(CONTENT_TYPES.xml)
    .does(({ params }) => download(params.token, 'xml')),
  command('delete', '/invoices/{invoice_id}/public-link', 'revokePublicInvoice')
    .says('Take the public page of an invoice back, for good: its address opens nothing any more')
    .of('invoice')
    .can('billing_invoices.update')
    .answers(Deleted)
    .handles(async (context) => {
      const { invoice_id: id } = context.params
      await repeating(() => context.write((tx) => revokePublicLink(tx, editorOf(context), id), BRIEF_LOCKS))
      return { deleted: true as const, id }
    }),
]

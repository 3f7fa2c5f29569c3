/** Invoice or credit note that the address of a page names. */
import type { CreditNote } from '../../domain/credit-notes/credit-note.ts'
import type { Invoice } from '../../domain/invoices/invoice.ts'
import { type CompanyShell, bodyOf } from '../frame/company.ts'
import type { Viewer } from '../frame/viewer.ts'

const findBelow =
  <Body extends { readonly organization_id: string }>(path: string) =>
  async (viewer: Viewer, { company }: CompanyShell): Promise<Body | null> => {
    const id = encodeURIComponent(viewer.http.req.param('id') ?? '')
    const answer = await viewer.call<Body>('GET', `${path}/${id}`)
    if (answer.status === 404) return null
    const found = bodyOf(answer)
    return found.organization_id === company.id ? found : null
  }

/** Finds the invoice of an address; null if there is none in the company. */
export const findInvoice = findBelow<Invoice>('/invoices')

/** Finds the credit note of an address; null if there is none in the company. */
export const findCreditNote = findBelow<CreditNote>('/credit-notes')

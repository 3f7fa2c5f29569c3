/** Files of invoices and credit notes, as the API answers them: downloads. */
import { isElsewhere, notFound } from '../frame/company.ts'
import type { Page } from '../frame/layout.ts'
import type { RefusalView, Viewer } from '../frame/viewer.ts'
import { faultOf, type Fault } from '../frame/act.ts'
import { NO_FIELDS } from '../frame/viewer.ts'
import { notePage } from './credit-notes/credit-note.ts'
import { invoicePage } from './invoice.ts'

type Shown = (fault?: Fault) => (viewer: Viewer) => Promise<Page | Response>

/** Hands a file on; what the API refuses stands on the page that leads here. */
const fileOf =
  (things: string, file: string, page: Shown) =>
  async (viewer: Viewer): Promise<Page | Response> => {
    const path = `${things}/${encodeURIComponent(viewer.http.req.param('id') ?? '')}`
    if (await isElsewhere(viewer, path)) return notFound(viewer)
    const answer = await viewer.fetch('GET', `${path}/${file}`)
    if (answer.ok) return answer
    if (answer.status === 404) return notFound(viewer)
    const { error } = (await answer.json()) as { error: RefusalView } // the envelope of every refusal
    if (error.type === 'not_authenticated') return page()(viewer)
    const fault = faultOf(error, NO_FIELDS)
    const isPending = error.details?.['reason'] === 'documents_pending'
    return page(isPending ? { ...fault, text: viewer.words.invoices.one.writing } : fault)(viewer)
  }

export const showPreview = fileOf('/invoices', 'pdf?draft=true', invoicePage)
export const showPdf = fileOf('/invoices', 'pdf', invoicePage)
export const showXml = fileOf('/invoices', 'xml', invoicePage)
export const showNotePreview = fileOf('/credit-notes', 'pdf?draft=true', notePage)
export const showNotePdf = fileOf('/credit-notes', 'pdf', notePage)
export const showNoteXml = fileOf('/credit-notes', 'xml', notePage)

/** Preview of a draft: drawn in the process that reads files, since 500 lines take a second of its processor time. */
import { refuse } from '../../domain/errors.ts'
import type { InvoiceDocument } from '../../domain/invoice-documents/document.ts'
import { FileRefused } from '../reading/process.ts'
import { type Callers, queueOfFiles, readForRequest } from '../reading/requests.ts'

/** Previews that wait or are drawn in this process. */
const inTurn = queueOfFiles({ max: 20, each: { organization: 2, person: 2 } })

export type Preview = { readonly document: InvoiceDocument; readonly logo: Uint8Array | null }

/** Loads and draws a draft as a PDF, without XML and attachments. Refuses `service_unavailable` if that takes too much. */
export const drawPreview = (callers: Callers, load: () => Promise<Preview>): Promise<Uint8Array<ArrayBuffer>> =>
  inTurn(callers, async () => {
    const drawing = readForRequest('invoice', await load())
    return Uint8Array.from(
      await drawing.catch((error: unknown) => {
        if (error instanceof FileRefused) refuse('service_unavailable', { retry_after_seconds: 60 })
        throw error
      }),
    )
  })

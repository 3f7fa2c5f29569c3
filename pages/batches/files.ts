/** Files of batches: the new batch that a file fills, another file for a draft, the template, and the results. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Batch } from '../../domain/batches/batch.ts'
import type { UploadSlot } from '../../domain/files/file.ts'
import { type Act, type ApiCall, type Fault, Unclear, act, faultOf } from '../frame/act.ts'
import { companyFile, companyPage, fileOf } from '../frame/company.ts'
import { type Page, keepFields } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { field, head, notice } from '../frame/parts.ts'
import { toSignIn } from '../frame/return.ts'
import { type Answer, type Fields, NO_FIELDS, type SentFile, type Viewer } from '../frame/viewer.ts'
import { batchPage, fileField, templateLink } from './batch.ts'

export const showNewBatch = (viewer: Viewer): Promise<Page | Response> => newPage()(viewer)

const newPage = (fault?: Fault) =>
  companyPage('batches', ({ words: { batches } }, { company }) => {
    const { sent = NO_FIELDS, wrong = {} } = fault ?? {}
    return Promise.resolve({
      title: batches.add,
      ...(fault && { status: fault.status }),
      body: html`${head(batches.add, { actions: templateLink(company.id, batches) })}
        ${fault ? notice('fault', fault.text) : ''}
        <form class="card" method="post" action="/o/${company.id}/batches" enctype="multipart/form-data">
          ${keepFields([['key', randomUUID()]])}
          ${field({ id: 'name', label: batches.name, value: sent.get('name'), required: true, hint: batches.nameHint, wrong: wrong['name'], more: html`maxlength="255"` })}
          ${fileField(batches, { hint: html`${batches.fileHint} ${batches.fileLater}`, required: false }, wrong)}
          <div class="actions">
            <button>${batches.create}</button>
            <a class="button second" href="/o/${company.id}/batches">${batches.back}</a>
          </div>
        </form>
        <p class="small">${batches.templateWhy}</p>`,
    })
  })

/** Makes a batch, and reads its file if one came; a file that is refused leaves the draft, where another is chosen. */
export async function makeBatch(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const companyId = viewer.http.req.param('company') ?? ''
  const path = `/organizations/${encodeURIComponent(companyId)}/payment-batches`
  const made = await viewer.call<Batch>('POST', path, { name: form.get('name') }, form.get('key'))
  if (made.ok) return form.files('file').length > 0 ? takeFile(viewer, form, made.body.id) : toDraft(viewer, made.body)
  return made.error.type === 'not_authenticated' ? toSignIn(viewer) : newPage(faultOf(made.error, form))(viewer)
}

const toDraft = ({ http }: Viewer, { organization_id: company, id }: Batch): Response =>
  http.redirect(`/o/${company}/batches/${id}`, 303)

const takeFile = (viewer: Viewer, form: Fields, id: string): Promise<Page | Response> =>
  act<Batch>({
    ask: (given) => importOf(given, id),
    then: (batch) => `/o/${batch.organization_id}/batches/${batch.id}?done=sent`,
    again: (_, fault) => batchPage(fault, id)(viewer),
  })(viewer, form)

/** Reads another file into a draft. */
export const replaceFile = (viewer: Viewer, form: Fields): Promise<Page | Response> =>
  takeFile(viewer, form, viewer.http.req.param('id') ?? '')

const WORKBOOK = /\.xlsx$/i

/** Sends the file of a form to a slot of the batch, and asks for its import. */
async function importOf({ viewer, form }: Act, id: string): Promise<ApiCall> {
  const { noFile } = viewer.words.batches
  const [file] = form.files('file')
  if (!file || file.bytes.length === 0) throw new Unclear(noFile, 'file')
  const slot = bodyOrUnclear(await openSlot(viewer, id, file, form.get('key')))
  bodyOrUnclear(await viewer.upload(slot.upload_url, slot.content_type, file.bytes))
  return { path: `/payment-batches/${id}/import`, body: { file_id: slot.id }, key: `${form.get('key')}-import` }
}

const openSlot = (viewer: Viewer, id: string, { name, bytes }: SentFile, key: string): Promise<Answer<UploadSlot>> => {
  const of = { filename: name || 'batch', byte_size: bytes.length }
  return WORKBOOK.test(name)
    ? viewer.call('POST', `/payment-batches/${id}/documents/upload`, { format: 'xlsx', ...of }, `${key}-file`)
    : viewer.call('POST', `/payment-batches/${id}/upload`, { content_type: 'text/csv', ...of }, `${key}-file`)
}

function bodyOrUnclear<Body>(answer: Answer<Body>): Body {
  if (answer.ok) return answer.body
  throw new Unclear(messageOf(answer.error), 'file')
}

export const showTemplate = companyFile(() => '/payment-batches/template.csv', 'batch.csv')
export const showResults = fileOf('/payment-batches', 'results.csv')

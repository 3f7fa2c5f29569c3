/** One batch: how far it is, what it pays, its rows, and what can be done about it. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Batch } from '../../domain/batches/batch.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import type { Fault } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, liveIn, may, notFound } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { field, head, icon, notice, progress, sure } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { batchBadge, sumsOf } from './list.ts'
import { Here, rowsPart } from './rows.ts'

export const showBatch = (viewer: Viewer): Promise<Page | Response> => batchPage()(viewer)

/** Writes the page of a batch, with why a form of it was not taken. */
export const batchPage = (fault?: Fault, batchId?: string) =>
  companyPage('batches', async (viewer, shell) => {
    const { words } = viewer
    const live = await liveIn(shell.company)
    const answer = await viewer.call<Batch>('GET', `/payment-batches/${batchId ?? viewer.http.req.param('id') ?? ''}`)
    if (answer.status === 404) return notFound(viewer).frame
    const batch = bodyOf(answer)
    if (batch.organization_id !== shell.company.id) return notFound(viewer).frame
    const here = new Here(fault ? new URLSearchParams(fault.sent.get('at')) : new URL(viewer.http.req.url).searchParams)
    const isDraft = batch.status === 'draft'
    return {
      title: markAlike(batch.name),
      ...(fault && { status: fault.status }),
      ...(UNDER_WAY.has(batch.status) && { live }),
      body: html`${fault ? notice('fault', fault.text) : doneNotice(viewer, words.batches.done)}
      ${head(isolate(batch.name), { below: batchBadge(batch, words), actions: actions(batch, shell, words) })}
      ${howFar(batch, words)} ${describe(batch, shell, words)}
      ${isDraft && may(shell, 'payments.send_fiat') ? submission(batch, shell, words, fault) : ''}
      ${batch.status === 'importing' ? '' : await rowsPart({ viewer, shell, batch, here, fault })}
      ${isDraft && may(shell, 'payments.send_fiat') ? ofDraft(batch, shell, words, fault) : ''}`,
    }
  })

/** States that a page waits in, and shows changes of. */
const UNDER_WAY: ReadonlySet<Batch['status']> = new Set(['importing', 'awaiting_approval', 'processing', 'cancelling'])

/** Shows the progress of a batch, or why its file could not be read. */
function howFar(batch: Batch, { batches }: Words): Markup | '' {
  const { status, import_error: error, rows_processed: done, rows_total: total } = batch
  if (status === 'draft' && error)
    return notice(
      'fault',
      html`${batches.notRead} ${isolate(error.message)} ${error.line === null ? '' : batches.atLine(error.line)}`,
    )
  if (status !== 'importing' && status !== 'processing' && status !== 'cancelling') return ''
  const isReading = status === 'importing'
  const known = isReading ? 0 : total
  return html`<div class="card">
    ${isReading ? html`<p>${batches.reading(done, known)}</p>` : progress(done, known, batches.paying(done, known))}
    <p><a class="button second" href="?">${batches.reload}</a></p>
  </div>`
}

function describe(batch: Batch, { formats }: CompanyShell, { batches }: Words): Markup {
  const { totals, fees, rows_empty: emptyRows, columns_empty: emptyColumns, schedule } = batch
  const day = schedule?.execute_on ?? batch.execute_on
  const count = batch.submitted_at === null ? batch.rows_valid : batch.rows_total - batch.rows_skipped
  return html`<div class="card">
    ${totals.length > 0 ? html`<p class="amount">${sumsOf(totals, formats)}</p>` : ''}
    ${rowsOf([
      [batches.filters, count > 0 ? batches.rows(count) : null],
      [batches.fees, fees.length > 0 ? sumsOf(fees, formats) : null],
      [batches.paidOn, day && formats.longDay(day)],
      [batches.submitted, batch.submitted_at && formats.instant(batch.submitted_at)],
      [batches.made, formats.instant(batch.inserted_at)],
    ])}
    ${emptyRows + emptyColumns > 0 ? html`<p class="small">${batches.passedOver(emptyRows, emptyColumns)}</p>` : ''}
  </div>`
}

/** Shows what can be done about a submitted batch. */
function actions(batch: Batch, shell: CompanyShell, { batches }: Words): Markup {
  const { status, approval_request_id: request } = batch
  const of = `/o/${shell.company.id}/batches/${batch.id}`
  const mayChange = may(shell, 'payments.send_fiat')
  const ask = (verb: 'withdraw' | 'cancel'): Markup =>
    sure({ ask: batches[verb], text: batches[`${verb}Sure`], action: `${of}/${verb}`, button: batches[verb] })
  return html`<div class="actions">
    ${request && status !== 'draft' ? html`<a class="button second" href="/approve/${request}">${batches.request}</a>` : ''}
    ${batch.submitted_at !== null ? html`<a class="button second" href="${of}/results">${icon('download')}${batches.results}</a>` : ''}
    ${mayChange && status === 'awaiting_approval' ? ask('withdraw') : ''}
    ${mayChange && status === 'processing' ? ask('cancel') : ''}
  </div>`
}

/** Says what the submission of a draft does, and asks for it. */
function submission(batch: Batch, { company }: CompanyShell, words: Words, fault: Fault | undefined): Markup | '' {
  const { batches } = words
  const { rows_valid: valid, rows_invalid: invalid } = batch
  if (valid === 0) return ''
  const sent = fault?.sent
  const asks = fault?.type === 'payee_mismatch' || sent?.get('acknowledged') === 'yes'
  return html`<form class="card" method="post" action="/o/${company.id}/batches/${batch.id}/submit">
    <h2>${batches.submitHead}</h2>
    <p>${batches.submitSays(valid)}</p>
    ${keepFields([['key', randomUUID()]])}
    ${invalid > 0 ? html`${notice('warn', batches.mend(invalid))} ${tick('exclude', batches.leaveOut(invalid), sent?.get('exclude') === 'yes')}` : ''}
    ${asks ? tick('acknowledged', batches.acknowledge, false) : ''}
    ${field({ id: 'day', label: batches.day, type: 'date', value: sent?.get('day'), hint: batches.dayHint, wrong: fault?.wrong['execute_on'] }, words.pay.optional)}
    <div class="actions"><button>${batches.submit}</button></div>
  </form>`
}

const tick = (name: string, text: string, isTicked: boolean): Markup =>
  html`<label class="choice"
    ><input type="checkbox" name="${name}" value="yes" required ${isTicked ? 'checked' : ''} /> ${text}</label
  >`

/** Shows what else can be done about a draft: another file, or its end. */
function ofDraft(batch: Batch, { company }: CompanyShell, { batches }: Words, fault: Fault | undefined): Markup {
  const of = `/o/${company.id}/batches/${batch.id}`
  const hasRows = batch.rows_total > 0
  return html`<form class="card" method="post" action="${of}/file" enctype="multipart/form-data">
      <h2>${hasRows ? batches.importHead : batches.file}</h2>
      ${hasRows ? html`<p>${batches.importWhy}</p>` : ''} ${keepFields([['key', randomUUID()]])}
      ${fileField(batches, { hint: batches.fileHint, required: true }, fault?.wrong ?? {})}
      <div class="actions">
        <button class="second">${batches.importFile}</button> ${templateLink(company.id, batches)}
      </div>
    </form>
    ${sure({ ask: batches.delete, text: batches.deleteSure, action: `${of}/delete`, button: batches.delete })}`
}

/** Leads to the empty file. */
export const templateLink = (companyId: string, batches: Words['batches']): Markup =>
  html`<a class="button second" href="/o/${companyId}/batches/template">${icon('download')}${batches.template}</a>`

type FileField = { readonly hint: Markup | string; readonly required: boolean }

/** Shows the field that takes a file of rows. */
export const fileField = (batches: Words['batches'], of: FileField, wrong: Fault['wrong']): Markup =>
  field({
    ...of,
    id: 'file',
    label: batches.file,
    type: 'file',
    wrong: wrong['file'],
    more: html`accept=".csv,.xlsx,text/csv"`,
  })

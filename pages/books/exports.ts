/** Exports: statements and lists as files, for the person who asked for them. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Export } from '../../domain/exports/export.ts'
import { config } from '../../platform/config.ts'
import {
  type CompanyShell,
  bodyOf,
  companyPage,
  doneNotice,
  liveIn,
  nextOf,
  notFound,
  queryOf,
} from '../frame/company.ts'
import { type Fault, act } from '../frame/act.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { type Mood, badge, empty, head, icon, notice, progress, table } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

export const showExports = companyPage('books', async (viewer, shell) => {
  const { words } = viewer
  const { company } = shell
  const live = await liveIn(company)
  const path = `/organizations/${company.id}/exports?${queryOf(viewer, ['cursor'])}`
  const rows = bodyOf(await viewer.call<Rows<Export>>('GET', path))
  const isWaiting = rows.data.some(({ status }) => status === 'pending')
  return {
    title: words.books.parts.exports.name,
    ...(isWaiting && { live }),
    body: html`${head(words.books.parts.exports.name, {
        below: html`${words.books.exports.yours}`,
        actions: html`<a class="button" href="/o/${company.id}/books/exports/new"
          >${icon('plus')}${words.books.exports.add}</a
        >`,
      })}
      <div class="card">
        ${
          rows.data.length > 0
            ? exportTable(rows.data, shell, words)
            : empty('download', words.books.exports.none, words.books.exports.noneYet)
        }
      </div>
      ${nextOf(viewer, rows)}`,
  }
})

const MOODS: Readonly<Record<Export['status'], Mood | undefined>> = {
  pending: undefined,
  completed: 'good',
  failed: 'bad',
}

const stateBadge = ({ status }: Export, { books }: Words): Markup => badge(books.exports.states[status], MOODS[status])

/** Writes the days of an export in the form of the viewer. */
const rangeOf = ({ from, to }: Export, { formats }: CompanyShell): Markup =>
  html`${dayOf(from, formats)} – ${dayOf(to, formats)}`

const dayOf = (text: string, { day, instant }: CompanyShell['formats']): Markup | string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) ? day(text) : instant(text)

const exportTable = (rows: readonly Export[], shell: CompanyShell, words: Words): Markup =>
  table({
    caption: words.books.parts.exports.name,
    columns: [
      { name: words.books.exports.what },
      { name: words.books.exports.days },
      { name: words.books.exports.format },
      { name: words.books.exports.state },
      { name: words.books.exports.file },
    ],
    rows: rows.map((row) => [
      html`<a href="/o/${shell.company.id}/books/exports/${row.id}">${words.books.exports.types[row.type]}</a>`,
      rangeOf(row, shell),
      words.books.exports.formats[row.format],
      stateBadge(row, words),
      row.status === 'completed' ? fileLink(row, shell, words) : '',
    ]),
  })

const fileLink = ({ id }: Export, { company }: CompanyShell, { books }: Words): Markup =>
  html`<a href="/o/${company.id}/books/exports/${id}/file">${icon('download')}${books.exports.download}</a>`

export const showExport = (viewer: Viewer): Promise<Page | Response> => exportPage()(viewer)

const exportPage = (fault?: Fault) =>
  companyPage('books', async (viewer, shell) => {
    const { words } = viewer
    const { company, formats } = shell
    const live = await liveIn(company)
    const answer = await viewer.call<Export>('GET', `/exports/${encodeURIComponent(viewer.http.req.param('id') ?? '')}`)
    if (answer.status === 404) return notFound(viewer).frame
    const one = bodyOf(answer)
    if (one.organization_id !== company.id) return notFound(viewer).frame
    const { exports: of } = words.books
    return {
      title: of.types[one.type],
      ...(one.status === 'pending' && { live }),
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, of.done)} ${fault ? notice('fault', fault.text) : ''}
        ${head(of.types[one.type], { below: html`${rangeOf(one, shell)} ${stateBadge(one, words)} <a href="/o/${company.id}/books/exports">${of.all}</a>` })}
        <div class="card">
          ${one.status === 'pending' ? waiting(one, words) : ''}
          ${one.failure ? notice('fault', of.failures[one.failure.code]) : ''}
          ${rowsOf([
            [of.format, of.formats[one.format]],
            [words.pay.currency, one.currency ?? of.allCurrencies],
            [of.rows, one.status === 'completed' ? formats.figure(String(one.rows_processed)) : null],
            [of.filename, isolate(one.filename)],
            [of.asked, formats.instant(one.inserted_at)],
          ])}
          ${actions(one, shell, words)}
        </div>`,
    }
  })

const waiting = ({ rows_processed: done, rows_total: total }: Export, { books }: Words): Markup =>
  html`${progress(done, total ?? 0, books.exports.beingWritten)}
    <p class="small"><a href="">${books.exports.lookAgain}</a></p>`

function actions(one: Export, { company }: CompanyShell, { books }: Words): Markup | '' {
  const of = `/o/${company.id}/books/exports/${one.id}`
  if (one.status === 'completed')
    return html`<div class="actions">
        <a class="button" href="${of}/file">${icon('download')}${books.exports.download}</a>
      </div>
      <p class="small">${books.exports.keptFor}</p>`
  if (one.status === 'failed')
    return html`<form method="post" action="${of}/retry">
      <div class="actions"><button>${books.exports.retry}</button></div>
    </form>`
  return ''
}

/** Has an export that failed written again. */
export const retryExport = act<Export>({
  ask: ({ id }) => ({ path: `/exports/${encodeURIComponent(id)}/retry`, body: {} }),
  then: ({ id }, { company }) => `/o/${company}/books/exports/${id}?done=retried`,
  again: (viewer, fault) => exportPage(fault)(viewer),
})

/** Leads to the file by a link that was made for this click: it is good for minutes, and stands on no page. */
export async function downloadExport(viewer: Viewer): Promise<Page | Response> {
  const answer = await viewer.call<Export>('GET', `/exports/${encodeURIComponent(viewer.http.req.param('id') ?? '')}`)
  if (!answer.ok) return answer.status === 404 ? notFound(viewer) : exportPage()(viewer)
  const { download_url: url, organization_id: of } = answer.body
  if (url === null || of !== viewer.http.req.param('company')) return exportPage()(viewer)
  viewer.http.header('cache-control', 'no-store')
  const { origin, pathname, search } = new URL(url, config.publicUrl)
  return viewer.http.redirect(origin === new URL(config.publicUrl).origin ? pathname + search : url, 302)
}

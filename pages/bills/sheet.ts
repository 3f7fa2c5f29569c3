/** Pages of the file of a bill, with what was read marked; and the file as it was handed in. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Bill, BillFile } from '../../domain/bills/bill.ts'
import { type CompanyShell, companyPage, notFound } from '../frame/company.ts'
import type { Page } from '../frame/layout.ts'
import { icon, notice } from '../frame/parts.ts'
import type { Viewer } from '../frame/viewer.ts'
import { findBill } from './find.ts'

/** Shows the page that the address names, else the first one, and leads to those beside it. */
export async function sheetOf(viewer: Viewer, { company }: CompanyShell, bill: Bill): Promise<Markup> {
  const { one } = viewer.words.bills
  if (bill.file_id === null) return html`<p class="small">${one.noFile}</p>`
  const of = `/o/${company.id}/bills/${bill.id}`
  const file = html`<p><a class="button second" href="${of}/file">${icon('download')}${one.file}</a></p>`
  const asked = numberIn(viewer)
  const original = await viewer.call<BillFile>('GET', `/bills/${bill.id}/file`)
  if (original.ok && original.body.content_type.endsWith('xml')) {
    return html`<div>${notice('info', one.noPages)} ${file}</div>`
  }
  // every other file has a first page; a later one is drawn to know
  const isThere = asked === 1 || (await viewer.fetch('GET', `/bills/${bill.id}/pages/${asked}.png`)).ok
  const page = isThere ? asked : asked - 1
  return html`<div>
    ${isThere ? '' : notice('info', one.last)}
    <figure class="sheet">
      <img src="${of}/page.png?n=${page}" alt="${one.alt(page)}" width="595" height="842" />
      <figcaption class="small">${one.pageOf(page)}</figcaption>
    </figure>
    <p class="actions">
      ${page > 1 ? html`<a href="?page=${page - 1}">${one.before}</a>` : ''}
      ${isThere ? html`<a href="?page=${page + 1}">${one.after}</a>` : ''}
    </p>
    ${file}
  </div>`
}

const PAGE_MAX = 9999
const numberIn = ({ http }: Viewer): number => {
  const number = Number(/^\d{1,4}$/.exec(http.req.query('page') ?? http.req.query('n') ?? '')?.[0] ?? 1)
  return Math.min(Math.max(number, 1), PAGE_MAX)
}

/** Answers a page of the file as a picture, with the fields marked that were read. */
export const showSheet = companyPage('bills', async (viewer, shell) => {
  const found = await findBill(viewer, shell)
  const picture =
    found && (await viewer.fetch('GET', `/bills/${found.bill.id}/pages/${numberIn(viewer)}.png?mark=true`))
  if (!picture?.ok) return notFound(viewer).frame
  return viewer.http.body(await picture.arrayBuffer(), 200, { 'content-type': 'image/png' })
})

/** Leads to the file as it was handed in. */
export const showFile = companyPage('bills', async (viewer, shell): Promise<Response | Page['frame']> => {
  const found = await findBill(viewer, shell)
  const answer = found && (await viewer.call<BillFile>('GET', `/bills/${found.bill.id}/file`))
  return answer?.ok ? viewer.http.redirect(answer.body.download_url, 302) : notFound(viewer).frame
})

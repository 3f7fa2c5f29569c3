/** Desk: what waits for the hands of the viewer in each of their organizations, before anything is approved. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Bill, BillSums } from '../../domain/bills/bill.ts'
import type { AttentionItem } from '../../services/registries/attention-kinds.ts'
import { furtherOf, namePart } from '../approvals/inbox.ts'
import { amountOf } from '../bills/find.ts'
import { billBadge } from '../bills/states.ts'
import { doneNotice } from '../frame/company.ts'
import { Page, isolate } from '../frame/layout.ts'
import { type Organization, organizationsHere } from '../frame/organizations.ts'
import { empty, head } from '../frame/parts.ts'
import { toSignIn } from '../frame/return.ts'
import { type Shell, shellOf } from '../frame/shell.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import { pageOfItem } from '../home/attention.ts'

/** Rows of each kind that a company shows. */
const SHOWN = 10

export async function showDesk(viewer: Viewer): Promise<Page | Response> {
  const [page, shell] = await Promise.all([organizationsHere(viewer), shellOf(viewer)])
  if (!page || !shell) return toSignIn(viewer)
  const { desk: words } = viewer.words
  const companies = await Promise.all(page.data.map((organization) => companyOf(viewer, organization, shell)))
  const shown = companies.filter((one) => one !== '')
  return new Page({
    title: words.heading,
    place: 'bills',
    shell,
    body: html`${head(html`${words.heading}${namePart(page, viewer)}`)} ${doneNotice(viewer, words.done)} ${shown}
    ${shown.length === 0 ? html`<div class="card">${empty('good', words.nothing, words.nothingNow)}</div>` : ''}
    ${furtherOf(page, viewer)}`,
  })
}

/** Shows what waits in a company; nothing if nothing does. */
async function companyOf(viewer: Viewer, organization: Organization, shell: Shell): Promise<Markup | ''> {
  const of = `/organizations/${organization.id}`
  const { desk: words } = viewer.words
  const [questions, returned, strangers, empties, uncoded, sums] = await Promise.all([
    rowsAt<AttentionItem>(viewer, `${of}/attention?kind=question&limit=${SHOWN}`),
    rowsAt<AttentionItem>(viewer, `${of}/attention?kind=sent_back&limit=${SHOWN}`),
    rowsAt<AttentionItem>(viewer, `${of}/attention?kind=unknown_sender&limit=${SHOWN}`),
    rowsAt<AttentionItem>(viewer, `${of}/attention?kind=mail_without_bill&limit=${SHOWN}`),
    rowsAt<Bill>(viewer, `${of}/bills?status=extracted&coded=false&order=due&limit=${SHOWN}`),
    viewer.call<BillSums>('GET', `${of}/bills/sums`),
  ])
  const sections = [
    itemsOf(words.questions, questions),
    itemsOf(words.returned, returned),
    itemsOf(words.mails.waiting, [...strangers, ...empties]),
    billsOf(uncoded, organization, { viewer, shell }),
    sums.ok ? dueOf(sums.body, organization, { viewer, shell }) : '',
  ].filter((section) => section !== '')
  if (sections.length === 0) return ''
  return html`<section>
    <h2>${isolate(organization.name)}</h2>
    ${sections}
  </section>`
}

/** Reads rows; none for those whose role does not see them. */
async function rowsAt<Row>(viewer: Viewer, path: string): Promise<readonly Row[]> {
  const answer = await viewer.call<Rows<Row>>('GET', path)
  return answer.ok ? answer.body.data : []
}

type Looks = { readonly viewer: Viewer; readonly shell: Shell }

const itemsOf = (title: string, items: readonly AttentionItem[]): Markup | '' =>
  items.length === 0
    ? ''
    : html`<h3>${title}</h3>
        <ul class="cards">
          ${items.map(
            (item) =>
              html`<li>
                <a class="item" href="${pageOfItem(item) ?? '/'}"><span>${isolate(item.summary)}</span></a>
              </li>`,
          )}
        </ul>`

/** Shows the bills that nobody has coded, the earliest due date first. */
function billsOf(bills: readonly Bill[], { id }: Organization, { viewer, shell }: Looks): Markup | '' {
  const { words } = viewer
  if (bills.length === 0) return ''
  return html`<h3>${words.desk.toCode}</h3>
    <ul class="cards">
      ${bills.map(
        (bill) =>
          html`<li>
            <a class="item" href="/o/${id}/bills/${bill.id}/code">
              <span
                ><strong>${bill.supplier_name ? isolate(bill.supplier_name) : words.bills.list.nobody}</strong></span
              >
              <span class="figure">${amountOf(bill, shell)}</span>
              <span class="small"
                >${bill.bill_number ? isolate(bill.bill_number) : ''}
                ${bill.due_date ? words.desk.due(shell.formats.day(bill.due_date)) : ''}
                ${billBadge(bill, true, words)}</span
              >
            </a>
          </li>`,
      )}
    </ul>`
}

/** Shows the sums that are overdue or due soon, and leads to what is paid. */
function dueOf({ data }: BillSums, { id }: Organization, { viewer, shell }: Looks): Markup | '' {
  const { desk: words, bills } = viewer.words
  const due = data.filter((one) => (one.due === 'overdue' || one.due === 'week') && one.count > 0)
  if (due.length === 0) return ''
  return html`<h3>${words.toPay}</h3>
    <div class="card">
      ${due.map(
        ({ due: when, count, totals }) =>
          html`<p>
            ${bills.list.sums[when]}: ${bills.list.count(count)},
            ${totals.map((total, index) => html`${index > 0 ? ' + ' : ''}${shell.formats.money(total)}`)}
          </p>`,
      )}
      <div class="actions"><a class="button" href="/o/${id}/bills?show=week">${words.payThem}</a></div>
    </div>`
}

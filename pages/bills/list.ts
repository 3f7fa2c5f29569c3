/** Bills of a company: what they come to, by when they are due, and a form that takes files. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Bill, BillSums } from '../../domain/bills/bill.ts'
import { BILL_STATUSES } from '../../domain/bills/flow.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, liveIn, may, queryOf } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { type Choice, empty, field, head, icon, notice, select, table, tabs } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { amountOf } from './find.ts'
import { billBadge } from './states.ts'
import { filesForm } from './upload.ts'
import { daysAfter } from '../../domain/instants.ts'

type Tab = keyof Words['bills']['list']['tabs']
const TABS: readonly Tab[] = ['open', 'overdue', 'week', 'closed']

/** Days after today that the last tab but one shows; the sums of the API have the same. */
const DAYS_AFTER = 6

export const showBills = companyPage('bills', async (viewer, shell) => {
  const { company } = shell
  const { words } = viewer
  const live = await liveIn(company)
  const of = `/organizations/${company.id}/bills`
  const sums = bodyOf(await viewer.call<BillSums>('GET', `${of}/sums`))
  const asked = viewer.http.req.query('show') ?? ''
  const tab = TABS.find((one) => one === asked) ?? 'open'
  const filters = queryOf(viewer, ['q', 'status', 'due_from', 'due_to', 'cursor'])
  const rows = bodyOf(await viewer.call<Rows<Bill>>('GET', `${of}?${queryOfTab(tab, sums, filters)}`))
  return {
    title: words.places.bills,
    ...(sums.reading > 0 && { live }),
    body: html`${head(words.places.bills, { actions: html`<a class="button second" href="/o/${company.id}/mails">${words.desk.mails.link}</a> <a class="button second" href="/desk">${words.desk.link}</a> ${runButton(shell, words)} ${typeButton(shell, words)}` })}
      ${doneNotice(viewer, { cancelled: words.bills.one.done.cancelled })}
      ${sums.reading > 0 ? notice('info', words.bills.list.reading(sums.reading)) : ''}
      ${may(shell, 'bills.create') ? filesForm(shell, words) : ''} ${sumsOf(sums, shell, words)}
      ${tabsOf(tab, sums, words)} ${filterForm(viewer, tab)}
      <div class="card">
        ${rows.data.length > 0 ? billTable(rows.data, tab !== 'closed', shell, words) : nothing(viewer, sums)}
      </div>
      ${moreOf(viewer, rows)}`,
  }
})

/** Writes the query of a tab; the filters of the viewer come on top. */
function queryOfTab(tab: Tab, { today }: BillSums, filters: string): string {
  const query = new URLSearchParams(filters)
  const add = (name: string, value: string) => query.has(name) || query.set(name, value)
  if (tab === 'closed') add('open', 'false')
  else {
    add('open', 'true')
    add('order', 'due')
  }
  if (tab === 'overdue') add('overdue', 'true')
  if (tab === 'week') {
    add('due_from', today)
    add('due_to', daysAfter(today, DAYS_AFTER))
  }
  return query.toString()
}

/** Leads to the run of several bills, for those who may pay. */
const runButton = (shell: CompanyShell, { bills }: Words): Markup | '' =>
  may(shell, 'payments.send_fiat')
    ? html`<a class="button" href="/o/${shell.company.id}/bills/run">${bills.run.heading}</a>`
    : ''

/** Leads to a bill without a file, for those who may add one. */
const typeButton = (shell: CompanyShell, { bills }: Words): Markup =>
  may(shell, 'bills.create')
    ? html`<a class="button second" href="/o/${shell.company.id}/bills/new">${icon('plus')}${bills.list.add}</a>`
    : html``

/** Shows what is open by the time at which it is due. */
const sumsOf = ({ data }: BillSums, { formats }: CompanyShell, { bills: { list } }: Words): Markup | '' =>
  data.every(({ count }) => count === 0)
    ? ''
    : html`<div class="columns sums">
        ${data
          .filter(({ count }) => count > 0)
          .map(
            ({ due, count, totals }) =>
              html`<section class="card">
                <h2>${list.sums[due]}</h2>
                ${totals.map((total) => html`<p class="sum">${formats.money(total)}</p>`)}
                <p class="small">${list.count(count)}</p>
              </section>`,
          )}
      </div>`

const tabsOf = (here: Tab, { data }: BillSums, { bills: { list } }: Words): Markup => {
  const countOf = (tab: Tab): { count?: number } => {
    if (tab === 'open') return { count: data.reduce((sum, { count }) => sum + count, 0) }
    const found = data.find(({ due }) => due === tab)
    return found ? { count: found.count } : {}
  }
  return tabs(
    list.label,
    TABS.map((tab) => ({ path: `?show=${tab}`, text: list.tabs[tab], here: tab === here, ...countOf(tab) })),
  )
}

function filterForm({ http, words }: Viewer, tab: Tab): Markup {
  const { list, statuses } = words.bills
  const value = (name: string) => http.req.query(name) ?? ''
  const states = BILL_STATUSES.map((one): Choice => [one, statuses[one]])
  return html`<form class="filters" method="get" role="search">
    <input type="hidden" name="show" value="${tab}" />
    ${field({ id: 'q', label: words.list.search, value: value('q'), type: 'search', required: false, more: html`maxlength="255"` })}
    ${select({ id: 'status', label: list.status, value: value('status'), choices: [['', list.all], ...states] })}
    ${field({ id: 'due_from', label: list.from, value: value('due_from'), type: 'date' })}
    ${field({ id: 'due_to', label: list.to, value: value('due_to'), type: 'date' })}
    <button class="second">${words.list.find}</button>
  </form>`
}

function nothing({ http, words }: Viewer, { data }: BillSums): Markup {
  const { list } = words.bills
  const isFiltered = ['q', 'status', 'due_from', 'due_to'].some((name) => http.req.query(name))
  if (isFiltered) return empty('search', words.list.none, '')
  const isEmpty = !http.req.query('show') && data.every(({ count }) => count === 0)
  return isEmpty ? empty('bills', list.none, list.noneYet) : empty('bills', list.nothing, list.nothingNow)
}

const billTable = (rows: readonly Bill[], isOpen: boolean, shell: CompanyShell, words: Words): Markup => {
  const { list } = words.bills
  return table({
    caption: words.places.bills,
    columns: [
      { name: list.due },
      { name: list.supplier },
      { name: list.number },
      { name: list.state },
      { name: list.amount, figure: true },
    ],
    rows: rows.map((bill) => [
      bill.due_date ? shell.formats.day(bill.due_date) : '',
      html`<a href="/o/${shell.company.id}/bills/${bill.id}"
        >${bill.supplier_name ? isolate(bill.supplier_name) : list.nobody}</a
      >`,
      bill.bill_number ? isolate(bill.bill_number) : '',
      billBadge(bill, isOpen, words),
      amountOf(bill, shell),
    ]),
  })
}

function moreOf({ http, words }: Viewer, { next_cursor: next }: Rows<Bill>): Markup | '' {
  if (next === null) return ''
  const { searchParams } = new URL(http.req.url)
  searchParams.set('cursor', next)
  return html`<p><a href="?${searchParams.toString()}">${words.bills.list.next}</a></p>`
}

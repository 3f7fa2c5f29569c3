/** Deposits of a company: money that came from outside, with what is held back. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { Deposit } from '../../../domain/deposits/deposit.ts'
import { DEPOSIT_STATUSES } from '../../../domain/deposits/flow.ts'
import { type CompanyShell, bodyOf, companyPage, nextOf, queryOf } from '../../frame/company.ts'
import { isolate } from '../../frame/layout.ts'
import { badge, empty, head, table, type Choice } from '../../frame/parts.ts'
import type { Rows, Viewer } from '../../frame/viewer.ts'
import type { Words } from '../../words/en.ts'
import { invoiceTabs } from '../tabs.ts'
import { filterForm, wordsFilter, choiceFilter } from '../../frame/forms/filters.ts'

export const showDeposits = companyPage('invoices', async (viewer, shell) => {
  const { words } = viewer
  const { deposits } = words.invoices
  const path = `/organizations/${shell.company.id}/deposits?${queryOf(viewer, ['q', 'status', 'cursor'])}`
  const rows = bodyOf(await viewer.call<Rows<Deposit>>('GET', path))
  const isFiltered = ['q', 'status'].some((name) => viewer.http.req.query(name))
  const none = isFiltered ? empty('search', words.list.none, '') : empty('invoices', deposits.none, deposits.noneYet)
  return {
    title: deposits.heading,
    body: html`${head(words.invoices.heading)} ${invoiceTabs('deposits', shell, words)} ${filters(viewer)}
      <div class="card">${rows.data.length > 0 ? depositTable(rows.data, shell, words) : none}</div>
      ${nextOf(viewer, rows)}`,
  }
})

function filters(viewer: Viewer): Markup {
  const { deposits } = viewer.words.invoices
  const choices = DEPOSIT_STATUSES.map((one): Choice => [one, deposits.states[one]])
  return filterForm(viewer, [
    wordsFilter(viewer),
    choiceFilter(viewer, 'status', deposits.state, [['', deposits.allStates], ...choices]),
  ])
}

/** Shows the state of a deposit; one whose sender is asked for is in doubt. */
export const depositBadge = ({ status }: Pick<Deposit, 'status'>, { invoices: { deposits } }: Words): Markup =>
  badge(deposits.states[status], status === 'held' ? 'warn' : status === 'credited' ? 'good' : undefined)

const depositTable = (rows: readonly Deposit[], { company, formats }: CompanyShell, words: Words): Markup => {
  const { deposits } = words.invoices
  return table({
    caption: deposits.heading,
    columns: [
      { name: deposits.when },
      { name: deposits.from },
      { name: deposits.state },
      { name: deposits.amount, figure: true },
    ],
    rows: rows.map((row) => [
      html`<a href="/o/${company.id}/deposits/${row.id}">${formats.instant(row.occurred_at)}</a>`,
      row.source.name ? isolate(row.source.name) : deposits.unknown,
      depositBadge(row, words),
      formats.money(row.amount),
    ]),
  })
}

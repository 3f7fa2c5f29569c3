/** Home of a company: its balances, what needs the viewer, and what came and went. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Balances } from '../../domain/accounts/account.ts'
import type { Transaction } from '../../domain/accounts/transaction.ts'
import type { AttentionItem } from '../../services/registries/attention-kinds.ts'
import { proofLine, readProof } from '../books/proof.ts'
import { type CompanyShell, bodyOf, companyPage, may } from '../frame/company.ts'
import type { Formats } from '../frame/formats.ts'
import { isolate, isolateQuoted } from '../frame/layout.ts'
import { badge, empty, head, icon, table } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { pageOfItem } from './attention.ts'
import { readFirstSteps, showFirstSteps } from './first-steps.ts'

/** Most items and transactions that Home shows. */
const SHOWN_MAX = 8

const balancesOf = (of: string): string => `${of}/balances`
const tasksOf = (of: string): string => `${of}/attention?limit=${SHOWN_MAX}`
const feedOf = (of: string): string => `${of}/transactions?limit=${SHOWN_MAX}`

export const showHome = companyPage('home', showHomeOf, (_, of) => [balancesOf(of), tasksOf(of), feedOf(of)])

async function showHomeOf(viewer: Viewer, shell: CompanyShell) {
  const { company } = shell
  const { words } = viewer
  const of = `/organizations/${company.id}`
  const [balances, items, feed, proof] = await Promise.all([
    viewer.call<Balances>('GET', balancesOf(of)),
    viewer.call<Rows<AttentionItem>>('GET', tasksOf(of)),
    viewer.call<Rows<Transaction>>('GET', feedOf(of)),
    readProof(viewer, shell),
  ])
  const rows = feed.ok ? feed.body : null
  const hasReceived = rows?.data.some(({ direction }) => direction === 'in') === true
  // a company with a longer feed is not new
  const steps = rows && !rows.has_more ? await readFirstSteps(viewer, shell, { hasReceived }) : []
  return {
    title: company.name,
    body: html`${head(isolate(company.name), {
      ...(company.svc_id && { below: html`${words.home.serviceId} ${company.svc_id}` }),
      actions: headActions(shell, words),
    })}
    ${showFirstSteps(steps, shell, words)} ${balances.ok ? showBalances(balances.body, shell, words) : ''}
    ${proof ? proofLine(proof, shell, words) : ''} ${showItems(bodyOf(items), shell, words)}
    ${rows ? showFeed(rows, shell, words) : ''}`,
  }
}

/** Leads to what most come for: pay, receive money, and take a statement. */
const headActions = (shell: CompanyShell, { home }: Words): Markup => {
  const of = `/o/${shell.company.id}`
  return html`<div class="actions">
    ${may(shell, 'payments.send_fiat') ? html`<a class="button" href="${of}/payments/new">${icon('payments')}${home.pay}</a>` : ''}
    ${may(shell, 'bank_accounts.list') ? html`<a class="button second" href="${of}/books/accounts">${icon('plus')}${home.receive}</a>` : ''}
    ${may(shell, 'transactions.list_all') ? html`<a class="button second" href="${of}/books/exports/new">${icon('download')}${home.statement}</a>` : ''}
  </div>`
}

function showBalances({ data }: Balances, { formats }: CompanyShell, words: Words): Markup {
  if (data.length === 0)
    return html`<section class="card">${empty('home', words.home.noMoney, words.home.noMoneyYet)}</section>`
  return html`<section class="columns" aria-label="${words.home.balances}">
    ${data.map(
      ({ available, held }) =>
        html`<div class="card">
          <p class="small">${words.home.available}</p>
          <p class="amount">${formats.money(available)}</p>
          <p class="small">${Number(held.amount) === 0 ? '' : html`${words.home.held} ${formats.money(held)}`}</p>
        </div>`,
    )}
  </section>`
}

/** Shows what people have to do. */
function showItems({ data, has_more: more }: Rows<AttentionItem>, shell: CompanyShell, words: Words): Markup {
  return html`<section>
    <h2>${words.home.toDo}</h2>
    ${itemList(data, shell, words)}
    ${more ? html`<p><a href="/o/${shell.company.id}/attention">${words.home.allToDo}</a></p>` : ''}
  </section>`
}

/** Lists tasks, each with the page where it is done. */
export const itemList = (items: readonly AttentionItem[], { formats }: CompanyShell, words: Words): Markup =>
  items.length === 0
    ? html`<div class="card">${empty('good', words.home.nothingToDo, words.home.nothingToDoNow)}</div>`
    : html`<ul class="cards">
        ${items.map((item) => {
          const page = pageOfItem(item)
          const text = describe(item, formats, words)
          return html`<li>${page === null ? html`<div>${text}</div>` : html`<a href="${page}">${text}</a>`}</li>`
        })}
      </ul>`

const describe = (
  { kind, title, severity, summary, due_at: due }: AttentionItem,
  formats: Formats,
  words: Words,
): Markup =>
  html`<strong>${words.home.titleTask(kind, title)}</strong>
    ${severity === 'blocking' ? badge(words.home.blocking, 'bad') : ''}
    <br />${isolateQuoted(words.home.sayTask(summary))}
    ${due ? html`<br /><span class="small">${words.home.until} ${formats.instant(due)}</span>` : ''}`

function showFeed({ data, has_more: more }: Rows<Transaction>, shell: CompanyShell, words: Words): Markup {
  const { company } = shell
  return html`<section>
    <h2>${words.home.transactions}</h2>
    <div class="card">
      ${data.length === 0 ? empty('clock', words.home.noTransactions, words.home.noTransactionsYet) : transactionTable(data, shell, words)}
      ${data.length === 0 ? '' : html`<p><a href="/o/${company.id}/transactions">${more ? words.home.allTransactions : words.home.searchAll}</a></p>`}
    </div>
  </section>`
}

/** Shows rows of the feed. */
export const transactionTable = (
  rows: readonly Transaction[],
  { company, formats }: CompanyShell,
  words: Words,
): Markup =>
  table({
    caption: words.home.transactions,
    columns: [
      { name: words.home.when },
      { name: words.home.what },
      { name: words.home.amount, figure: true },
      { name: words.home.balance, figure: true },
    ],
    rows: rows.map((row) => [
      formats.instant(row.occurred_at),
      html`<a href="/o/${company.id}/transactions/${row.id}"
          >${row.counterparty ? isolate(row.counterparty) : words.home.type[row.type]}</a
        >
        ${row.type === 'fee' && row.counterparty ? html`<br /><span class="small">${words.home.type.fee}</span>` : ''}
        ${row.description ? html`<br /><span class="small">${isolate(row.description)}</span>` : ''}
        ${row.status === 'pending' ? badge(words.home.pending, 'warn') : ''}`,
      html`${row.direction === 'in' ? '+' : '−'}${formats.money(row.amount)}`,
      row.running_balance ? formats.money(row.running_balance) : '',
    ]),
  })

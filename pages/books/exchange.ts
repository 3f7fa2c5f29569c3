/**
 * Exchange between own balances in two steps: a quote for a minute, then the swap. The first step makes the key of the
 * swap: it is made once, also by a page that is shown again with another quote.
 */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Balances } from '../../domain/accounts/account.ts'
import { BANK_CURRENCIES } from '../../domain/accounts/receiving-account.ts'
import { isCoin } from '../../domain/money/currencies.ts'
import type { Swap, SwapQuote } from '../../domain/swaps/swap.ts'
import { type Fault, act, faultOf } from '../frame/act.ts'
import { readAmount } from '../frame/forms/amounts.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, nextOf, notFound, queryOf } from '../frame/company.ts'
import type { Formats } from '../frame/formats.ts'
import { type Page, keepFields } from '../frame/layout.ts'
import { type Choice, empty, field, head, notice, select, table } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import { NO_FIELDS, type Rows, type Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

type Amounts = Pick<Swap, 'source_amount' | 'source_currency' | 'target_amount' | 'target_currency' | 'rate'>

const sourceOf = ({ source_amount: amount, source_currency: currency }: Amounts, { money }: Formats): Markup =>
  money({ amount, currency })
const targetOf = ({ target_amount: amount, target_currency: currency }: Amounts, { money }: Formats): Markup =>
  money({ amount, currency })

export const showExchange = (viewer: Viewer): Promise<Page | Response> => exchangePage()(viewer)

const exchangePage = (fault?: Fault) =>
  companyPage('books', async (viewer, shell) => {
    const { http, words } = viewer
    const { exchange: of, parts } = words.books
    const at = `/organizations/${shell.company.id}`
    const [swaps, balances] = await Promise.all([
      viewer.call<Rows<Swap>>('GET', `${at}/swaps?${queryOf(viewer, ['cursor'])}`),
      viewer.call<Balances>('GET', `${at}/balances`),
    ])
    const rows = bodyOf(swaps)
    const own = bodyOf(balances).data.map(({ available }) => available)
    const value = (name: string): string => fault?.sent.get(name) || (http.req.query(name) ?? '')
    return {
      title: parts.exchange.name,
      ...(fault && { status: fault.status }),
      body: html`${head(parts.exchange.name, { below: html`${of.text}` })} ${fault ? notice('fault', fault.text) : ''}
        ${
          own.some(({ currency }) => !isCoin(currency))
            ? quoteForm({ shell, words, value, own, ...(fault && { fault }) })
            : html`<div class="card">${empty('home', words.home.noMoney, words.home.noMoneyYet)}</div>`
        }
        <h2>${of.earlier}</h2>
        <div class="card">
          ${rows.data.length > 0 ? swapTable(rows.data, shell, words) : empty('clock', of.none, of.noneYet)}
        </div>
        ${nextOf(viewer, rows)}`,
    }
  })

type QuoteForm = {
  readonly shell: CompanyShell
  readonly words: Words
  readonly value: (name: string) => string
  readonly own: readonly { readonly amount: string; readonly currency: string }[]
  readonly fault?: Fault
}

function quoteForm({ shell, words, value, own, fault }: QuoteForm): Markup {
  const { exchange: of } = words.books
  const held = own.filter(({ currency }) => !isCoin(currency))
  const sources = held.map(({ amount, currency }): Choice => [
    currency,
    of.availableOf(currency, shell.formats.plain({ amount, currency })),
  ])
  const all = [...new Set([...held.map(({ currency }) => currency), ...BANK_CURRENCIES])].toSorted()
  return html`<form class="card" method="get" action="/o/${shell.company.id}/books/exchange/check">
    ${keepFields([['key', value('key') || randomUUID()]])}
    <div class="pair">
      ${select({ id: 'from', label: of.from, value: value('from'), required: true, choices: sources })}
      ${select({
        id: 'to',
        label: of.to,
        value: value('to') || all.find((one) => one !== held[0]?.currency),
        required: true,
        choices: all.map((one): Choice => [one, one]),
      })}
    </div>
    <div class="pair">
      ${field({
        id: 'amount',
        label: words.home.amount,
        value: value('amount'),
        required: true,
        hint: words.pay.amountHint,
        wrong: fault?.wrong['amount'],
        more: html`inputmode="decimal"`,
      })}
      ${select({
        id: 'side',
        label: of.side,
        value: value('side'),
        required: true,
        choices: [
          ['source', of.give],
          ['target', of.get],
        ],
      })}
    </div>
    <div class="actions"><button>${of.quote}</button></div>
  </form>`
}

const swapTable = (rows: readonly Swap[], { company, formats }: CompanyShell, words: Words): Markup => {
  const { exchange: of } = words.books
  return table({
    caption: of.earlier,
    columns: [
      { name: words.home.when },
      { name: of.gave, figure: true },
      { name: of.rate, figure: true },
      { name: of.got, figure: true },
    ],
    rows: rows.map((row) => [
      html`<a href="/o/${company.id}/books/exchange/${row.swap_id}">${formats.instant(row.executed_at)}</a>`,
      sourceOf(row, formats),
      formats.figure(row.rate),
      targetOf(row, formats),
    ]),
  })
}

/** Asks for a quote, and shows it with the form that executes it. A quote moves nothing, so that it is a page. */
export async function checkExchange(viewer: Viewer): Promise<Page | Response> {
  const { http, words, language } = viewer
  const asked = ASKED.map((name): [string, string] => [name, http.req.query(name) ?? ''])
  const { from, to, side, key, amount: typed = '' } = Object.fromEntries(asked)
  if (!key) return exchangePage()(viewer)
  const amount = readAmount(typed, language)
  if (amount === null) {
    const fault = { text: words.pay.noAmount, status: 422, type: null, sent: NO_FIELDS } as const
    return exchangePage({ ...fault, wrong: { amount: words.pay.noAmount } })(viewer)
  }
  const wanted = side === 'target' ? 'target_amount' : 'source_amount'
  const path = `/organizations/${encodeURIComponent(http.req.param('company') ?? '')}/swaps/quote`
  const body = { source_currency: from, target_currency: to, [wanted]: amount }
  const answer = await viewer.call<SwapQuote>('POST', path, body)
  return answer.ok ? quotePage(answer.body, asked)(viewer) : exchangePage(faultOf(answer.error, NO_FIELDS))(viewer)
}

const ASKED = ['from', 'to', 'amount', 'side', 'key'] as const

const quotePage = (quote: SwapQuote, asked: [string, string][]) =>
  companyPage('books', ({ words }, { company, formats }) => {
    const { exchange: of } = words.books
    const at = `/o/${company.id}/books/exchange`
    return Promise.resolve({
      title: of.check,
      body: html`${head(of.check)}
        <div class="card">
          <p class="small">${of.youGet}</p>
          <p class="amount">${targetOf(quote, formats)}</p>
          ${rowsOf([
            [of.youGive, sourceOf(quote, formats)],
            [of.rate, `1 ${quote.source_currency} = ${formats.figure(quote.rate)} ${quote.target_currency}`],
            [of.goodUntil, formats.instant(quote.expires_at)],
          ])}
          <p class="small">${of.minute}</p>
          <form method="post" action="${at}">
            ${keepFields([...asked, ['quote_id', quote.quote_id]])}
            <div class="actions">
              <button>${of.execute}</button>
              <a class="button second" href="${at}?${new URLSearchParams(asked).toString()}">${words.pay.change}</a>
            </div>
          </form>
        </div>`,
    })
  })

/** Executes a quote, once by its key; a repeat shows the same swap. */
export const executeExchange = act<Swap>({
  ask: ({ form }) => ({ path: '/swaps/execute', key: form.get('key'), body: { quote_id: form.get('quote_id') } }),
  then: ({ swap_id: id }, { company }) => `/o/${company}/books/exchange/${id}?done=exchanged`,
  again: (viewer, fault) =>
    fault.type === 'idempotency_key_reused'
      ? exchangePage({ ...fault, text: viewer.words.books.exchange.before, sent: NO_FIELDS })(viewer)
      : exchangePage(fault)(viewer),
})

export const showSwap = companyPage('books', async (viewer, { company, formats }) => {
  const { words } = viewer
  const { exchange: of } = words.books
  const at = `/organizations/${company.id}`
  const id = encodeURIComponent(viewer.http.req.param('id') ?? '')
  const answer = await viewer.call<Swap>('GET', `/swaps/${id}`)
  if (answer.status === 404) return notFound(viewer).frame
  const swap = bodyOf(answer)
  // an answer of a swap names no company: its transactions do
  const feed = bodyOf(await viewer.call<Rows<{ readonly id: string }>>('GET', `${at}/transactions?swap_id=${id}`))
  if (feed.data.length === 0) return notFound(viewer).frame
  return {
    title: words.books.parts.exchange.name,
    body: html`${doneNotice(viewer, of.done)}
      ${head(html`<span class="amount">${targetOf(swap, formats)}</span>`, {
        below: html`${of.forAmount} ${sourceOf(swap, formats)}`,
      })}
      <div class="card">
        ${rowsOf([
          [of.rate, `1 ${swap.source_currency} = ${formats.figure(swap.rate)} ${swap.target_currency}`],
          [words.home.when, formats.instant(swap.executed_at)],
        ])}
      </div>
      <div class="actions">
        ${feed.data.map(
          ({ id: row }, index) =>
            html`<a class="button second" href="/o/${company.id}/transactions/${row}"
              >${words.home.what} ${index + 1}</a
            >`,
        )}
        <a class="button second" href="/o/${company.id}/books/exchange">${of.another}</a>
      </div>`,
  }
})

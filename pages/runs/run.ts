/** Run of bills: those that can be paid are proposed, and the chosen ones become the draft of a batch. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Batch } from '../../domain/batches/batch.ts'
import type { Bill, BillPage } from '../../domain/bills/bill.ts'
import type { BatchBills } from '../../domain/runs/run.ts'
import { type ApiCall, type Fault, Unclear, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, may } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { type Choice, empty, field, head, notice, select, table } from '../frame/parts.ts'
import { type Viewer, refusalIn } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { amountOf } from '../bills/find.ts'

/** Bills that a page proposes; the next ones follow when these are in a batch. */
const PROPOSED = 100

export const showRun = (viewer: Viewer): Promise<Page | Response> => runPage()(viewer)

/** Writes the page that proposes bills, with why its form was not taken. */
const runPage = (fault?: Fault) =>
  companyPage('bills', async (viewer, shell) => {
    const { words } = viewer
    const { run } = words.bills
    const before = viewer.http.req.query('due_before') ?? ''
    const of = `/organizations/${shell.company.id}/bills?limit=${PROPOSED}&order=due`
    const due = /^\d{4}-\d{2}-\d{2}$/.test(before) ? `&due_before=${before}` : ''
    const [bills, credits] = await Promise.all(
      [`${of}&payable=true${due}`, `${of}&credits=true`].map(async (path) =>
        bodyOf(await viewer.call<BillPage>('GET', path)),
      ),
    )
    const [payable, usable] = [bills?.data ?? [], credits?.data ?? []]
    return {
      title: run.heading,
      ...(fault && { status: fault.status }),
      body: html`${fault ? notice('fault', fault.text) : ''} ${head(run.heading)}
        <form class="filters" method="get" role="search">
          ${field({ id: 'due_before', label: run.before, value: before, type: 'date' })}
          <button class="second">${words.list.find}</button>
        </form>
        ${payable.length > 0 && may(shell, 'payments.send_fiat') ? form({ payable, usable, bills, shell, words, fault }) : empty('bills', run.none, run.noneNow)}
        <p><a href="/o/${shell.company.id}/bills">${run.back}</a></p>`,
    }
  })

type Proposal = {
  readonly payable: readonly Bill[]
  readonly usable: readonly Bill[]
  readonly bills: BillPage | undefined
  readonly shell: CompanyShell
  readonly words: Words
  readonly fault: Fault | undefined
}

/** Shows what can be paid, and the credit notes that lower it. */
function form({ payable, usable, bills, shell, words, fault }: Proposal): Markup {
  const { run } = words.bills
  const isChosen = (id: string) => fault?.sent.all('bill').includes(id) ?? false
  const days: Choice[] = [
    ['', run.now],
    ['due_date', run.due],
  ]
  return html`<form method="post" action="/o/${shell.company.id}/bills/run">
    ${keepFields([['key', randomUUID()]])}
    <div class="card">
      ${(bills?.sums ?? []).map(({ amount, count }) => html`<p class="sum">${shell.formats.money(amount)} <span class="small">${words.bills.list.count(count)}</span></p>`)}
      ${choices(run.payable, payable, isChosen, { shell, words })}
    </div>
    ${
      usable.length > 0
        ? html`<div class="card">
            <h2>${run.credits}</h2>
            <p class="small">${run.creditsWhy}</p>
            ${choices(run.credits, usable, isChosen, { shell, words })}
          </div>`
        : ''
    }
    <div class="card">
      ${field({ id: 'name', label: words.batches.name, value: fault?.sent.get('name') ?? run.name, wrong: fault?.wrong['name'] })}
      ${select({ id: 'on', label: run.when, value: fault?.sent.get('on') ?? '', choices: days })}
      <div class="actions"><button>${run.make}</button></div>
    </div>
  </form>`
}

type Spoken = { readonly shell: CompanyShell; readonly words: Words }

/** Shows bills with a box to choose each. */
function choices(
  caption: string,
  bills: readonly Bill[],
  isChosen: (id: string) => boolean,
  { shell, words }: Spoken,
): Markup {
  const { list } = words.bills
  return table({
    caption,
    columns: [{ name: list.supplier }, { name: list.due }, { name: list.amount, figure: true }],
    rows: bills.map((bill) => {
      const name = bill.supplier_name ? isolate(bill.supplier_name) : list.nobody
      return [
        html`<label class="choice"
            ><input type="checkbox" name="bill" value="${bill.id}" ${isChosen(bill.id) ? 'checked' : ''} />
            ${name}</label
          >
          <a class="small" href="/o/${shell.company.id}/bills/${bill.id}"
            >${bill.bill_number ? isolate(bill.bill_number) : words.bills.run.look}</a
          >`,
        bill.due_date ? shell.formats.day(bill.due_date) : '',
        amountOf(bill, shell),
      ]
    }),
  })
}

/** Makes a batch of the chosen bills; the key of the form makes it once. */
export const makeRun = act<BatchBills>({
  ask: async ({ viewer, form, company }): Promise<ApiCall> => {
    const bills = form.all('bill')
    if (bills.length === 0) throw new Unclear(viewer.words.bills.run.chooseOne)
    const of = `/organizations/${encodeURIComponent(company)}/payment-batches`
    const batch = await viewer.call<Batch>('POST', of, { name: form.get('name') }, form.get('key'))
    if (!batch.ok) throw refusalIn(batch.error)
    const on = form.get('on')
    return { path: `/payment-batches/${batch.body.id}/bills`, body: { bill_ids: bills, ...(on && { on }) } }
  },
  then: (outcome, { viewer, company }) =>
    outcome.refused.length === 0
      ? `/o/${company}/batches/${outcome.batch.id}?done=billed`
      : outcomePage(outcome)(viewer),
  again: (viewer, fault) => runPage(fault)(viewer),
})

/** Shows which bills stayed out of a batch, and why. */
const outcomePage = ({ batch, added, refused }: BatchBills) =>
  companyPage('bills', ({ words, language }, { company }) => {
    const { run, list } = words.bills
    return Promise.resolve({
      title: run.heading,
      body: html`${head(run.heading)} ${added.length > 0 ? notice('done', run.added(added.length)) : ''}
        ${notice('fault', run.refused(refused.length))}
        <div class="card">
          ${table({
            caption: run.heading,
            columns: [{ name: list.number }, { name: list.state }],
            rows: refused.map((one) => [
              html`<a href="/o/${company.id}/bills/${one.bill_id}">${run.look}</a>`,
              messageOf({ ...one, language }),
            ]),
          })}
        </div>
        <p><a class="button" href="/o/${company.id}/batches/${batch.id}">${run.toBatch}</a></p>`,
    })
  })

/** Coding of a bill: its paper beside its lines, each with account, tax and labels, or split into parts. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Bill } from '../../domain/bills/bill.ts'
import type { AccountsChart } from '../../domain/coding/chart.ts'
import type { BillCoding } from '../../domain/coding/coding.ts'
import type { Dimension } from '../../domain/coding/dimension.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import { type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, may, notFound } from '../frame/company.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { badge, field, head, notice } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import { countParts, readParts } from './coded-lines.ts'
import { amountOf, findBill } from './find.ts'
import { sheetOf } from './sheet.ts'

type Line = BillCoding['lines'][number]
type Books = { readonly chart: AccountsChart; readonly dimensions: readonly Dimension[] }

/** Lines that a page shows. */
const SHOWN = 50

export const showCoding = (viewer: Viewer): Promise<Page | Response> => codingPage()(viewer)

const codingPage = (fault?: Fault) =>
  companyPage('bills', async (viewer, shell) => {
    const found = await findBill(viewer, shell)
    if (!found) return notFound(viewer).frame
    const { bill } = found
    const { coding: words } = viewer.words.desk
    const [coding, books, sheet] = await Promise.all([
      viewer.call<BillCoding>('GET', `/bills/${bill.id}/coding`).then(bodyOf),
      readBooks(viewer, shell),
      sheetOf(viewer, shell, bill),
    ])
    const name = bill.supplier_name ?? viewer.words.bills.list.nobody
    return {
      title: `${words.heading}: ${markAlike(name)}`,
      ...(fault && { status: fault.status }),
      body: html`${fault ? notice('fault', fault.text) : ''}
        ${head(html`${words.heading}: ${isolate(name)}`, {
          below: bill.bill_number ? html`${isolate(bill.bill_number)}` : html``,
          actions: html`<p class="amount">${amountOf(bill, shell)}</p>`,
        })}
        <div class="beside">
          <div>${bodyOfPage({ viewer, shell, bill, coding, books, fault })}</div>
          ${sheet}
        </div>`,
    }
  })

async function readBooks(viewer: Viewer, { company }: CompanyShell): Promise<Books> {
  const of = `/organizations/${company.id}`
  const [chart, dimensions] = await Promise.all([
    viewer.call<AccountsChart>('GET', `${of}/accounts-chart`).then(bodyOf),
    viewer.call<Rows<Dimension>>('GET', `${of}/dimensions`).then(bodyOf),
  ])
  const isChosen = ({ archived_at: archived }: { archived_at: string | null }) => archived === null
  return {
    chart: { accounts: chart.accounts.filter(isChosen), tax_codes: chart.tax_codes.filter(isChosen) },
    dimensions: dimensions.data
      .filter(isChosen)
      .map((dimension) => ({ ...dimension, values: dimension.values.filter(isChosen) })),
  }
}

type PageParts = {
  readonly viewer: Viewer
  readonly shell: CompanyShell
  readonly bill: Bill
  readonly coding: BillCoding
  readonly books: Books
  readonly fault: Fault | undefined
}

/** Shows the form, or why nothing can be coded. */
function bodyOfPage({ viewer, shell, bill, coding, books, fault }: PageParts): Markup {
  const { coding: words } = viewer.words.desk
  const { chart, dimensions } = books
  if (chart.accounts.length + chart.tax_codes.length + dimensions.length === 0)
    return html`<div class="card">${notice('info', words.noChart)}</div>`
  const from = fromIn(viewer)
  const shown = coding.lines.slice(from, from + SHOWN)
  const form = html`<form class="card" method="post" action="/o/${shell.company.id}/bills/${bill.id}/code">
    <input type="hidden" name="from" value="${from}" />
    ${shown.map((line) => lineOf(line, { viewer, shell, books, currency: coding.currency, fault }))}
    <div class="actions">
      <button name="next" value="bill">${words.save}</button>
      <button name="next" value="desk" class="second">${words.saveNext}</button>
    </div>
  </form>`
  const further =
    coding.lines.length > from + SHOWN ? html`<p><a href="?from=${from + SHOWN}">${words.more}</a></p>` : ''
  return html`${may(shell, 'bills.update') ? form : notice('info', words.mayNot)} ${further} ${listsOf(books)}`
}

const fromIn = ({ http }: Viewer): number => placeIn(http.req.query('from') ?? '')

/** Reads the place of the first line that a page shows. */
const placeIn = (text: string): number => Number(/^\d{1,4}$/.exec(text)?.[0] ?? 0)

type LineParts = Pick<PageParts, 'viewer' | 'shell' | 'books' | 'fault'> & { readonly currency: string | null }

/** Shows a line with its parts; another one is added by a link, so that it works without script. */
function lineOf(line: Line, { viewer, shell, books, currency, fault }: LineParts): Markup {
  const { coding: words } = viewer.words.desk
  const { line: number, amount, description, coded_by: by, parts } = line
  const sent = fault ? countParts(fault.sent, number) : 0
  const isSplit = viewer.http.req.query('split') === String(number)
  const count = sent || Math.max(parts.length, 1) + (isSplit ? 1 : 0)
  const total = amount !== null && currency !== null ? shell.formats.money({ amount, currency }) : ''
  return html`<fieldset id="line-${number}">
    <legend>${number}. ${description ? isolate(description) : words.whole}</legend>
    <p class="figure">${total}</p>
    ${by === 'person' ? badge(words.saved, 'good') : by ? badge(words.proposed, 'warn') : ''}
    ${Array.from({ length: count }, (_, at) => partOf(line, { at, isSplit: count > 1 }, { viewer, shell, books, fault }))}
    ${amount === null ? html`<p class="small">${words.noAmount}</p>` : html`<a class="small" href="?from=${fromIn(viewer)}&split=${number}#line-${number}">${words.split}</a>`}
  </fieldset>`
}

/** Shows the fields of a part: what was sent, else what is saved or proposed. */
function partOf(
  { line, parts }: Line,
  { at, isSplit }: { readonly at: number; readonly isSplit: boolean },
  { viewer, shell, books, fault }: Omit<LineParts, 'currency'>,
): Markup {
  const { coding: words } = viewer.words.desk
  const part = parts[at]
  const of = `${line}-${at}`
  const value = (name: string, saved: string | null | undefined) =>
    fault ? fault.sent.get(`${of}-${name}`) : (saved ?? '')
  const input = (name: string, label: string, saved: string | null | undefined, list: string) =>
    field({
      id: `${of}-${name}`,
      label,
      value: value(name, saved),
      more: html`list="${list}" maxlength="64" autocomplete="off"`,
    })
  const amount = isSplit && part ? shell.formats.figure(part.amount) : ''
  return html`<input type="hidden" name="${of}-part" value="1" />
    <div class="triple">
      ${isSplit ? field({ id: `${of}-amount`, label: words.amount, value: value('amount', amount), hint: words.amountHint }) : ''}
      ${books.chart.accounts.length > 0 ? input('account', words.account, part?.account_code, 'accounts') : ''}
      ${books.chart.tax_codes.length > 0 ? input('tax', words.tax, part?.tax_code, 'tax-codes') : ''}
      ${books.dimensions.map(({ code, name }, index) =>
        input(
          `label-${index}`,
          markAlike(name),
          part?.labels.find(({ dimension }) => dimension === code)?.value,
          `dimension-${index}`,
        ),
      )}
    </div>`
}

/** Lists the codes that can be chosen once, for all lines. */
const listsOf = ({ chart, dimensions }: Books): Markup => {
  const options = (codes: readonly { readonly code: string; readonly name: string }[]) =>
    codes.map(({ code, name }) => html`<option value="${code}">${code} ${name}</option>`)
  return html`<datalist id="accounts">${options(chart.accounts)}</datalist>
    <datalist id="tax-codes">${options(chart.tax_codes)}</datalist>
    ${dimensions.map(({ values }, index) => html`<datalist id="dimension-${index}">${options(values)}</datalist>`)}`
}

/** Saves the lines that the page shows; those of other pages stay as they were saved. */
export const saveCoding = act({
  ask: async ({ viewer, form, company, id }) => {
    const path = `/bills/${id}/coding`
    const [coding, dimensions] = await Promise.all([
      viewer.call<BillCoding>('GET', path).then(bodyOf),
      viewer.call<Rows<Dimension>>('GET', `/organizations/${encodeURIComponent(company)}/dimensions`).then(bodyOf),
    ])
    const from = placeIn(form.get('from'))
    const isShown = (at: number) => at >= from && at < from + SHOWN
    const codes = dimensions.data.filter(({ archived_at: archived }) => archived === null).map(({ code }) => code)
    const lines = coding.lines.flatMap((line, at) => {
      const parts = isShown(at)
        ? readParts(form, line.line, { dimensions: codes, viewer })
        : line.coded_by === 'person'
          ? line.parts
          : []
      return parts.length > 0 ? [{ line: line.line, parts }] : []
    })
    return { method: 'PUT', path, body: { lines } }
  },
  then: (_, { form, company, id }) =>
    form.get('next') === 'desk' ? `/desk?done=coded&company=${company}` : `/o/${company}/bills/${id}?done=coded`,
  again: (viewer, fault) => codingPage(fault)(viewer),
})

/** Bills that the rows of a batch pay: each with its paper, what is remarked on its row, and how it is coded. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { BatchRow } from '../../../domain/batches/batch.ts'
import type { BillDetail } from '../../../domain/bills/bill.ts'
import type { BillCoding } from '../../../domain/coding/coding.ts'
import { isolate } from '../../frame/layout.ts'
import { icon } from '../../frame/parts.ts'
import type { Rows, Viewer } from '../../frame/viewer.ts'
import type { RequestShell } from '../find.ts'

/** Bills that the page of a request shows, the largest first; the list of rows leads to the others. */
const SHOWN = 20

/** Shows the bills of a batch, the largest first; nothing for another request. */
export async function showBillsOfBatch(viewer: Viewer, request: RequestShell): Promise<Markup | ''> {
  const { approval, texts } = request
  const { subject, approval_id: id, target_id: batch } = approval
  if (subject.type !== 'payment_batch' || subject.payment_batch.bills === 0) return ''
  const { request: words } = texts.words
  const path = `/payment-batches/${batch}/rows?order=amount&limit=${SHOWN}`
  const answer = await viewer.call<Rows<BatchRow>>('GET', path)
  const rows = answer.ok ? answer.body.data.filter(({ bill_id: bill, status }) => bill && status !== 'skipped') : []
  const shown = await Promise.all(rows.map((row) => showRow(viewer, request, row)))
  return html`<section class="card">
    <h2>${words.bills.heading(subject.payment_batch.bills)}</h2>
    <p class="small">${words.bills.why} <a href="/approve/${id}/rows">${words.allRows}</a></p>
    <div class="columns">${shown}</div>
  </section>`
}

async function showRow(viewer: Viewer, { approval, texts }: RequestShell, row: BatchRow): Promise<Markup> {
  const { bill_id: bill, payee, amount } = row
  const { words, formats } = texts
  const of = `/approve/${approval.approval_id}/bill`
  return html`<figure class="sheet">
    ${(await hasPaper(viewer, bill ?? '')) ? html`<a href="${of}?bill=${bill}"><img src="${of}/page.png?bill=${bill}" alt="${words.request.bills.paper(row.row_number)}" loading="lazy" /></a>` : ''}
    <figcaption class="small">
      <a href="${of}?bill=${bill}">${isolate(payee ?? '')}</a> · ${amount ? formats.money(amount) : ''}
      ${row.credits.map((one) => html`<br />${words.batches.credit} ${formats.money(one.amount)}`)}
      ${row.warnings.map((one) => html`<br />${icon('warn')} ${isolate(words.batches.remark(one.code, one.message))}`)}
      ${await showCodes(viewer, bill ?? '', texts)}
    </figcaption>
  </figure>`
}

async function hasPaper(viewer: Viewer, bill: string): Promise<boolean> {
  const answer = await viewer.call<BillDetail>('GET', `/bills/${bill}`)
  return answer.ok && answer.body.bill.file_id !== null
}

/** Names the accounts that a bill is coded with. */
async function showCodes(viewer: Viewer, bill: string, { words }: RequestShell['texts']): Promise<Markup | ''> {
  const answer = await viewer.call<BillCoding>('GET', `/bills/${bill}/coding`)
  const lines = answer.ok ? answer.body.lines : []
  const codes = new Set(lines.flatMap(({ parts }) => parts.flatMap(({ account_code: code }) => code ?? [])))
  return codes.size === 0 ? '' : html`<br />${words.desk.coding.account}: ${[...codes].join(', ')}`
}

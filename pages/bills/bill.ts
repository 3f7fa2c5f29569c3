/** One bill: its fields beside its pages, what to settle first, and what comes next. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Bill, Provenance } from '../../domain/bills/bill.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { Fault } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, liveIn, may, notFound } from '../frame/company.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { head, notice, sure } from '../frame/parts.ts'
import type { Viewer } from '../frame/viewer.ts'
import { stateBadge } from '../payments/list.ts'
import type { Words } from '../words/en.ts'
import { showCoded } from './coded.ts'
import { fieldsOf } from './fields.ts'
import { amountOf, findBill } from './find.ts'
import { sheetOf } from './sheet.ts'
import { billBadge } from './states.ts'
import { alertsOf, doubtsOf, linesOf, readRows } from './findings.ts'

export const showBill = (viewer: Viewer): Promise<Page | Response> => billPage()(viewer)

export const billPage = (fault?: Fault) =>
  companyPage('bills', async (viewer, shell) => {
    const { words } = viewer
    const live = await liveIn(shell.company)
    const found = await findBill(viewer, shell)
    if (!found) return notFound(viewer).frame
    const { bill } = found
    const of = { companyId: shell.company.id, billId: bill.id, formats: shell.formats }
    const [{ data: provenance }, payment, sheet, coded] = await Promise.all([
      viewer.call<Provenance>('GET', `/bills/${bill.id}/provenance`).then(bodyOf),
      paymentOf(viewer, bill),
      sheetOf(viewer, shell, bill),
      showCoded(viewer, of),
    ])
    const { one } = words.bills
    const name = bill.supplier_name ?? words.bills.list.nobody
    const isOpen = payment?.status !== 'succeeded'
    const number = bill.bill_number && html`${one.bill} ${isolate(bill.bill_number)}`
    return {
      title: `${one.bill}: ${markAlike(name)}`,
      ...(fault && { status: fault.status }),
      ...(bill.status === 'extracting' && { live }),
      body: html`${doneNotice(viewer, one.done)} ${fault ? notice('fault', fault.text) : ''}
        ${head(bill.supplier_name ? isolate(name) : name, {
          below: html`${number ?? ''} ${billBadge(bill, isOpen, words)}`,
          actions: html`<p class="amount">${amountOf(bill, shell)}</p>`,
        })}
        ${alertsOf(found, shell, words)} ${nextOf(bill, payment, shell, words)}
        <div class="beside">
          <div>
            ${
              canChange(bill, shell)
                ? html`<form class="card" method="post" action="/o/${shell.company.id}/bills/${bill.id}">
                    ${doubtsOf(bill, words)}
                    <h2>${one.fields}</h2>
                    ${fieldsOf({ viewer, shell, shown: { bill, provenance, fault } })}
                    <div class="actions"><button class="second">${one.save}</button></div>
                  </form>`
                : readRows(bill, shell, words)
            }
            ${linesOf(found, shell, words)} ${codingOf(bill, coded, shell, words)}
          </div>
          ${sheet}
        </div>
        ${endOf(bill, shell, words)}`,
    }
  })

async function paymentOf(viewer: Viewer, { fiat_outgoing_id: id }: Bill): Promise<Payment | null> {
  if (id === null) return null
  const answer = await viewer.call<Payment>('GET', `/payments/${id}`)
  return answer.ok ? answer.body : null
}

const canChange = ({ status }: Bill, shell: CompanyShell): boolean =>
  (status === 'extracted' || status === 'extracting') && may(shell, 'bills.update')

/** Shows how far the payment is, or leads to it. */
function nextOf(bill: Bill, payment: Payment | null, shell: CompanyShell, words: Words): Markup | '' {
  const { one } = words.bills
  const of = `/o/${shell.company.id}`
  if (bill.status === 'payment_requested') {
    return html`<div class="card">
      <p>${one.paymentState}: ${payment ? stateBadge(payment, words) : words.bills.states.asked}</p>
      ${bill.account_is_paid === false ? notice('warn', one.paidElsewhere) : ''}
      <div class="actions">
        ${bill.fiat_outgoing_id ? html`<a class="button second" href="${of}/payments/${bill.fiat_outgoing_id}">${one.payment}</a>` : ''}
        ${bill.approval_request_id ? html`<a class="button second" href="/approve/${bill.approval_request_id}">${one.request}</a>` : ''}
      </div>
    </div>`
  }
  if (bill.status === 'extracted' && bill.payment_batch_id) {
    const { run } = words.bills
    return notice('info', html`${run.inBatch} <a href="${of}/batches/${bill.payment_batch_id}">${run.toBatch}</a>`)
  }
  if (bill.status !== 'extracted' || bill.not_payable || !may(shell, 'payments.send_fiat')) return ''
  const isSure = bill.doubts.length === 0
  const { payment_contact_id: contactId } = bill
  return html`<p class="actions next">
    <a class="button ${isSure ? '' : 'second'}" href="${of}/bills/${bill.id}/pay">${one.pay}</a>
    ${contactId ? html`<a class="button second" href="${of}/payees/${contactId}">${one.payeeLink}</a>` : ''}
  </p>`
}

/** Shows how the bill is coded, and leads to the form. */
function codingOf(bill: Bill, coded: Markup | '', shell: CompanyShell, { desk }: Words): Markup | '' {
  const canCode = bill.status !== 'cancelled' && bill.status !== 'extracting' && may(shell, 'bills.update')
  if (coded === '' && !canCode) return ''
  const link = html`<a class="button second" href="/o/${shell.company.id}/bills/${bill.id}/code"
    >${desk.coding.link}</a
  >`
  return html`<div class="card">
    ${coded}
    <div class="actions">${canCode ? link : ''}</div>
  </div>`
}

/** Shows what ends a bill, or reads its file again. */
function endOf(bill: Bill, shell: CompanyShell, { bills: { one } }: Words): Markup {
  const of = `/o/${shell.company.id}/bills/${bill.id}`
  const isHeld = bill.status === 'extracting' || bill.status === 'extracted'
  return html`<div class="actions">
    ${
      bill.status === 'extracted' && bill.file_id && may(shell, 'bills.update')
        ? html`<form method="post" action="${of}/extract"><button class="second">${one.readAgain}</button></form>`
        : ''
    }
    ${
      isHeld && may(shell, 'bills.cancel')
        ? sure({ ask: one.cancel, text: one.cancelWhy, action: `${of}/cancel`, button: one.cancel })
        : ''
    }
  </div>`
}

/** One payment: how far it is, what it costs, and what can be done about it. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import { type Payment, stateOf } from '../../domain/payments/payment.ts'
import { type CompanyShell, bodyOf, companyPage, notFound } from '../frame/company.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { head, icon, notice } from '../frame/parts.ts'
import { toSignIn } from '../frame/return.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { stateBadge } from './list.ts'

type Fault = string | undefined

export const showPayment = (viewer: Viewer): Promise<Page | Response> => paymentPage()(viewer)

const paymentPage = (fault?: Fault) =>
  companyPage('payments', async (viewer, shell) => {
    const { words } = viewer
    const answer = await viewer.call<Payment>('GET', `/payments/${viewer.http.req.param('id') ?? ''}`)
    if (answer.status === 404) return notFound(viewer).frame
    const payment = bodyOf(answer)
    if (payment.organization_id !== shell.company.id) return notFound(viewer).frame
    const { landing, destination_name: payee } = payment
    const done = viewer.http.req.query('done')
    return {
      title: `${shell.formats.plain(landing)}: ${markAlike(payee)}`,
      ...(fault && { status: 409 as const }),
      body: html`${fault ? notice('fault', fault) : ''}
      ${done === 'asked' || done === 'ended' ? notice('done', words.payments.done[done]) : ''}
      ${head(html`<span class="amount">${shell.formats.money(landing)}</span>`, {
        below: html`${words.payments.to} ${isolate(payee)} ${stateBadge(payment, words)}`,
      })}
      ${describe(payment, shell, words)} ${actions(payment, shell, words)}`,
    }
  })

function describe(payment: Payment, { formats }: CompanyShell, words: Words): Markup {
  const { payments: of } = words
  const differs = payment.deducting.amount !== payment.landing.amount
  return html`<div class="card">
    ${rowsOf([
      [of.payee, isolate(payment.destination_name)],
      [of.leaves, differs ? formats.money(payment.deducting) : null],
      [of.paidOn, payment.schedule && formats.longDay(payment.schedule.execute_on)],
      [of.asked, formats.instant(payment.created_at)],
      [of.partner, stateOf(payment) === 'awaiting_approval' ? null : isolate(payment.status_detail)],
      [of.notes, payment.internal_notes && isolate(payment.internal_notes)],
    ])}
  </div>`
}

/** Shows what can be done now: decide, withdraw, end, cancel, or take the receipt. */
function actions(payment: Payment, { company }: CompanyShell, { payments: words }: Words): Markup {
  const of = `/o/${company.id}/payments/${payment.id}`
  const { approval_request_id: request, status, schedule } = payment
  const form = (verb: string, text: string): Markup =>
    html`<form method="post" action="${of}/${verb}"><button class="danger">${text}</button></form>`
  const links = [
    ...(request ? [html`<a class="button second" href="/approve/${request}">${words.request}</a>`] : []),
    ...(status === 'succeeded' || status === 'reversed'
      ? [html`<a class="button second" href="${of}/receipt">${icon('download')}${words.receipt}</a>`]
      : []),
    ...(status === 'awaiting_approval' && request ? [form('withdraw', words.withdraw)] : []),
    ...(schedule?.state === 'waiting' && status === 'submitted' ? [form('unschedule', words.unschedule)] : []),
    ...(payment.cancellable ? [form('cancel', words.cancel)] : []),
  ]
  return html`<div class="actions">${links}</div>`
}

/** Ends a payment in the way that its form names, and shows it as it is then. */
const end =
  (path: (payment: Payment, companyId: string) => string) =>
  async (viewer: Viewer, _form: Fields): Promise<Page | Response> => {
    const [id, companyId] = [viewer.http.req.param('id') ?? '', viewer.http.req.param('company') ?? '']
    const found = await viewer.call<Payment>('GET', `/payments/${id}`)
    if (!found.ok) return paymentPage()(viewer)
    const answer = await viewer.call('POST', path(found.body, companyId), {})
    if (answer.ok) return viewer.http.redirect(`/o/${companyId}/payments/${id}?done=ended`, 303)
    return paymentPage(messageOf(answer.error))(viewer)
  }

export const withdraw = end(
  ({ approval_request_id: request }, companyId) => `/organizations/${companyId}/approvals/${request ?? ''}/cancel`,
)
export const unschedule = end(({ id }) => `/payments/${id}/unschedule`)
export const cancel = end(({ id }) => `/payments/${id}/cancel`)

/** Hands the receipt of a payment on. */
export async function showReceipt(viewer: Viewer): Promise<Page | Response> {
  const answer = await viewer.fetch('GET', `/payments/${viewer.http.req.param('id') ?? ''}/receipt`)
  if (answer.status === 401) return toSignIn(viewer)
  return answer.ok ? answer : notFound(viewer)
}

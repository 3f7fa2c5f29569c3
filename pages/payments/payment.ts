/** One payment: how far it is, what it costs, and what can be done about it. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import { subtract } from '../../domain/money/money.ts'
import { type Payment, isWaitingForPause, stateOf } from '../../domain/payments/payment.ts'
import { type Act, type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, fileOf, liveIn, notFound } from '../frame/company.ts'
import type { Formats } from '../frame/formats.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { head, icon, notice, sure } from '../frame/parts.ts'
import { throughOf } from '../frame/through.ts'
import { rowsOf } from '../frame/rows.ts'
import { type Viewer, refusalIn } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { historyOf } from './history.ts'
import { stateBadge } from './list.ts'
import { speedWord } from './speed.ts'

export const showPayment = (viewer: Viewer): Promise<Page | Response> => paymentPage()(viewer)

const paymentPage = (fault?: Fault) =>
  companyPage('payments', async (viewer, shell) => {
    const { words } = viewer
    const live = await liveIn(shell.company)
    const answer = await viewer.call<Payment>('GET', `/payments/${viewer.http.req.param('id') ?? ''}`)
    if (answer.status === 404) return notFound(viewer).frame
    const payment = bodyOf(answer)
    if (payment.organization_id !== shell.company.id) return notFound(viewer).frame
    const { landing, destination_name: payee } = payment
    return {
      title: `${shell.formats.plain(landing)}: ${markAlike(payee)}`,
      ...(fault && { status: fault.status }),
      ...(!ENDED.has(payment.status) && { live }),
      body: html`${fault ? notice('fault', fault.text) : doneNotice(viewer, words.payments.done)}
      ${head(html`<span class="amount">${shell.formats.money(landing)}</span>`, {
        below: html`${words.payments.to} ${isolate(payee)} ${stateBadge(payment, words)}`,
      })}
      ${isWaitingForPause(payment) ? notice('info', words.payments.paused) : ''} ${describe(payment, shell, words)}
      ${actions(payment, shell, words)} ${await historyOf(viewer, shell, payment.id)}`,
    }
  })

/** Ends of a payment: its page waits for nothing more. */
const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'reversed', 'cancelled'])
/** States of a payment whose reason a partner, or the day, gave. */
const SAYS_WHY: ReadonlySet<string> = new Set(['on_hold', 'failed', 'reversed'])

function describe(payment: Payment, { company, formats }: CompanyShell, words: Words): Markup {
  const { payments: of } = words
  const differs = payment.deducting.amount !== payment.landing.amount
  return html`<div class="card">
    ${rowsOf([
      [
        of.payee,
        html`<a href="/o/${company.id}/payees/${payment.payment_contact_id}">${isolate(payment.destination_name)}</a>`,
      ],
      [of.leaves, differs ? formats.money(payment.deducting) : null],
      [of.paidOn, payment.schedule && formats.longDay(payment.schedule.execute_on)],
      [words.pay.speed, speedWord(payment, words)],
      [of.asked, formats.instant(payment.created_at)],
      [of.through, throughOf(payment)],
      [of.cameBack, shortReturnOf(payment, formats, of)],
      [of.partner, SAYS_WHY.has(stateOf(payment)) ? isolate(payment.status_detail) : null],
      [of.notes, payment.internal_notes && isolate(payment.internal_notes)],
    ])}
  </div>`
}

/** Says how much came back, and what was kept; null if that was nothing. */
function shortReturnOf({ landing, charges }: Payment, { plain }: Formats, of: Words['payments']): string | null {
  return charges ? of.shortReturn(plain(subtract(landing, charges)), plain(landing), plain(charges)) : null
}

/** Shows what can be done now: decide, withdraw, end, cancel, or take the receipt. */
function actions(payment: Payment, { company }: CompanyShell, { payments: words }: Words): Markup {
  const of = `/o/${company.id}/payments/${payment.id}`
  const { approval_request_id: request, status, schedule } = payment
  const form = (verb: 'withdraw' | 'unschedule' | 'cancel'): Markup =>
    sure({ ask: words[verb], text: words.sure[verb], action: `${of}/${verb}`, button: words[verb] })
  const links = [
    ...(request ? [html`<a class="button second" href="/approve/${request}">${words.request}</a>`] : []),
    ...(status === 'succeeded' || status === 'reversed'
      ? [html`<a class="button second" href="${of}/receipt">${icon('download')}${words.receipt}</a>`]
      : []),
    ...(status === 'awaiting_approval' && request ? [form('withdraw')] : []),
    ...(schedule?.state === 'waiting' && status === 'submitted' ? [form('unschedule')] : []),
    ...(payment.cancellable ? [form('cancel')] : []),
  ]
  return html`<div class="actions">${links}</div>`
}

const then = (_: unknown, { company, id }: Act): string => `/o/${company}/payments/${id}?done=ended`
const again = (viewer: Viewer, fault: Fault): Promise<Page | Response> => paymentPage(fault)(viewer)

/** Withdraws the request for approval of a payment. */
export const withdraw = act({
  ask: async ({ viewer, company, id }) => {
    const found = await viewer.call<Payment>('GET', `/payments/${id}`)
    if (!found.ok) throw refusalIn(found.error)
    return { path: `/organizations/${company}/approvals/${found.body.approval_request_id ?? ''}/cancel`, body: {} }
  },
  then,
  again,
})

export const unschedule = act({ ask: ({ id }) => ({ path: `/payments/${id}/unschedule`, body: {} }), then, again })
export const cancel = act({ ask: ({ id }) => ({ path: `/payments/${id}/cancel`, body: {} }), then, again })

/** Hands the receipt of a payment on. */
export const showReceipt = fileOf('/payments', 'receipt')

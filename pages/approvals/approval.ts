/** One request: what it does, what is known about it, who has decided, and what the viewer can do about it. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { ApprovalDetail } from '../../domain/approvals/approval.ts'
import { isStop } from '../../domain/approvals/warning.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { isWaitingForPause, stateOf } from '../../domain/payments/payment.ts'
import { type Frame, type Page, digestOf, isolate, isolateQuoted } from '../frame/layout.ts'
import { icon, notice } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { type Draft, actionsFor, askerOf, sayOwn } from './actions.ts'
import { type FoundApproval, type RequestShell, about, findBill, findPayment, pageOf } from './find.ts'
import { byRank, wordsOf } from './line.ts'
import { type Done, showNext } from './next.ts'
import { showQuestions } from './subjects/questions.ts'
import { showSteps } from './steps.ts'
import { showAttachments } from './subjects/attachments.ts'
import { showBillBeside } from './subjects/bill.ts'
import { showBillsOfBatch } from './subjects/bills.ts'
import { describe } from './subjects/describe.ts'
import { type Description, type Texts, joinAmounts } from './subjects/description.ts'
import { showPayment } from './subjects/payment.ts'
import { showSentBack } from './subjects/sent-back.ts'

export const showApproval = about((viewer, found) => approvalPage(viewer, found, { done: doneOf(viewer, found) }))

/** Says which decision the viewer comes from, if the approval has it: any link can lead here with `?done=`. */
function doneOf({ http }: Viewer, { approval }: FoundApproval): Done | null {
  const done = http.req.query('done')
  const { status, sent_back: isSentBack, decisions, can_take_action: can } = approval
  if (done === 'sent-back' && isSentBack) return 'sentBack'
  if (done === 'rejected' && status === 'rejected') return done
  const wasApproved = !can && decisions.some(({ decision }) => decision === 'approve')
  return done === 'approved' && wasApproved ? done : null
}

type PageState = {
  readonly done?: Done | null
  /** Reason why the viewer's decision was not taken, and what they had written. */
  readonly fault?: string
  readonly draft?: Draft
  readonly status?: NonNullable<Frame['status']>
}

/** Writes the page of a request. */
export const approvalPage = (viewer: Viewer, found: FoundApproval, state: PageState = {}): Promise<Page | Response> =>
  pageOf(viewer, found, async (request) => {
    const { organization, approval, texts } = request
    const description = describe(approval.subject, texts)
    const [payment, bill, me] = await Promise.all([
      findPayment(viewer, approval),
      findBill(viewer, found),
      idOf(viewer),
    ])
    const isOwn = me === approval.requester.id
    const { approval_id: id } = approval
    const { request: words } = texts.words
    const shown = digestOf({ organization, approval, payment })
    return {
      title: titleOf(description, texts),
      live: `/approve/stream?approval=${id}&shown=${shown}`,
      status: state.status ?? 200,
      body: html`${state.fault ? notice('fault', state.fault) : ''}
        ${state.done ? await showNext(viewer, request, state.done) : ''}
        ${await showSentBack(viewer, request, { payment, isOwn })} ${headOf(request, description, isOwn)}
        ${progressOf(approval, payment, texts)} ${warningsOf(approval, texts.words)}
        <section class="card">${rowsOf(description.rows)}</section>
        ${await showBillBeside(viewer, request, bill)} ${await showBillsOfBatch(viewer, request)}
        ${showAttachments(request)} ${description.more ? html`<section class="card">${description.more}</section>` : ''}
        ${whyOf(request, description)} ${payment ? await showPayment(viewer, request, payment) : ''}
        <section class="card">${await showSteps(viewer, request)}</section>
        ${await showQuestions(viewer, request, { me, draft: state.draft })}
        <p class="small"><a href="/approve/${id}/evidence">${words.evidence.heading}</a> ${words.evidenceOf}</p>
        ${isOwn && approval.can_take_action ? sayOwn(approval, texts) : ''}
        ${actionsFor(request, description, { isOwn, draft: state.draft })}`,
    }
  })

const titleOf = ({ title, amounts, name }: Description, { formats }: Texts): string =>
  `${title}: ${amounts.length > 0 ? amounts.map(formats.plain).join(' + ') : markAlike(name)}`

/** Shows what is asked for: its kind, amount and payee, and the sentence that a proof confirms. */
function headOf(
  { organization, approval, texts }: RequestShell,
  { title, amounts, name, isOfThing }: Description,
  isOwn: boolean,
): Markup {
  const { formats } = texts
  const { request: words } = texts.words
  return html`<div class="head">
    <div>
      <h1>${title}</h1>
      <p class="amount">${amounts.length > 0 ? joinAmounts(amounts, formats) : isolate(name)}</p>
      ${amounts.length > 0 ? html`<p class="who">${isOfThing ? '' : words.to} <strong>${isolate(name)}</strong></p>` : ''}
      <p class="small">
        ${isolate(organization.name)} · ${words.askedBy} ${askerOf(approval, isOwn, texts)},
        ${formats.instant(approval.created_at)}
      </p>
      ${approval.summary ? html`<p>${words.bound} <span lang="en">${isolateQuoted(approval.summary)}</span></p>` : ''}
    </div>
  </div>`
}

/** Reads the id of the viewer; null without a session. */
async function idOf(viewer: Viewer): Promise<string | null> {
  const answer = await viewer.call<{ id: string }>('GET', '/me')
  return answer.ok ? answer.body.id : null
}

/** Shows warnings in two ranks: those at which to stop and look, the gravest first, and those to note. */
export const warningsOf = ({ warnings }: Pick<ApprovalDetail, 'warnings'>, words: Words): Markup | '' =>
  warnings.length === 0
    ? ''
    : html`<ul class="warnings" aria-label="${words.request.warnings}">
        ${byRank(warnings).map(
          (name) =>
            html`<li class="${isStop(name) ? 'stop' : 'warn'}">
              ${icon(isStop(name) ? 'bad' : 'warn')}${wordsOf(name, words).long}
            </li>`,
        )}
      </ul>`

/** Shows why it is asked for, and the papers that belong to it. */
function whyOf({ approval, texts }: RequestShell, { why = [] }: Description): Markup | '' {
  const { approval_id: id, target_type: type, status } = approval
  const { request: words } = texts.words
  const rows = why.filter(([, value]) => value)
  const links = [
    ...(type === 'payment_batch' ? [html`<a href="/approve/${id}/rows">${words.allRows}</a>`] : []),
    ...(type === 'billing_invoice' && status === 'pending'
      ? [html`<a href="/approve/${id}/document.pdf" target="_blank">${icon('file')} ${words.draft}</a>`]
      : []),
  ]
  if (rows.length + links.length === 0) return ''
  return html`<section class="card">
    <h2>${rows.length > 0 ? words.why : words.papers}</h2>
    ${rows.length > 0 ? rowsOf(rows) : ''} ${links.map((link) => html`<p>${link}</p>`)}
  </section>`
}

/** Says how far it is after its decision. */
function progressOf(
  { status, sent_back: isSentBack }: ApprovalDetail,
  payment: Payment | null,
  { words, formats }: Texts,
): Markup | '' {
  if (status === 'pending' || isSentBack) return ''
  const { progress, statuses } = words.request
  if (status !== 'approved' || !payment) return html`<p><strong>${statuses[status]}</strong></p>`
  const { schedule } = payment
  const day = schedule && stateOf(payment) === 'scheduled' && formats.longDay(schedule.execute_on)
  const onDay = day ? (schedule.state === 'waiting' ? words.request.onDay(day) : words.request.sinceDay(day)) : null
  const said = isWaitingForPause(payment) ? words.payments.paused : onDay
  return html`<p>
    <strong>${said ?? (progress as Readonly<Record<string, string>>)[payment.status] ?? statuses[status]}</strong>
  </p>`
}

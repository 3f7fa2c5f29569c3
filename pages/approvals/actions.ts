/** Actions on a request: approve, reject, withdraw; or why there are none. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { ApprovalDetail } from '../../domain/approvals/approval.ts'
import { isolate } from '../frame/layout.ts'
import { blocker } from '../frame/messages.ts'
import { area, notice, sure } from '../frame/parts.ts'
import type { RequestShell } from './find.ts'
import { type Description, type Texts, joinAmounts } from './subjects/description.ts'

/** Texts that the viewer had written when their decision was not taken. */
export type Draft = {
  readonly ofApproval?: string
  readonly ofRejection?: string
  readonly ofReturn?: string
  readonly ofQuestion?: string
  readonly ofAnswer?: string
}

type Standing = { readonly isOwn: boolean; readonly draft?: Draft | undefined }

/** Tells the viewer that they may approve their own request, and if no other person has to. */
export function sayOwn({ steps }: ApprovalDetail, { words: { request: words } }: Texts): Markup {
  const alone = steps.reduce((sum, { required }) => sum + required, 0) === 1
  return notice('info', html`${words.own(alone)} ${words.ownHint} <code>self_approval: false</code>.`)
}

/** Names the requester, and the delegate that asked in their name. */
export function askerOf({ requester, delegate }: ApprovalDetail, isOwn: boolean, { words }: Texts): Markup {
  const { you, agentOf, programOf, byDelegate } = words.request
  const person = isOwn ? html`<strong>${you}</strong>` : nameOf(requester)
  if (!delegate) return person
  return html`${byDelegate} ${delegate.kind === 'agent' ? agentOf : programOf}
    <strong>${isolate(delegate.name)}</strong> ${words.request.delegateOf} ${person}`
}

const nameOf = (person: ApprovalDetail['requester']): Markup =>
  html`${person.name ? html`${isolate(person.name)} (${person.email})` : person.email}`

/** Shows what the viewer can do in a bar that stays in view, or why they cannot. */
export function actionsFor(request: RequestShell, description: Description, standing: Standing): Markup {
  const { approval, texts } = request
  const { approval_id: id, status, can_take_action: can, acting_for: principal, blocked_by: blockers } = approval
  const { request: words } = texts.words
  if (status !== 'pending') return html``
  const why = blockers.map((type) =>
    blocker({ type, message: type.replaceAll('_', ' ') }, request.organization.id, texts),
  )
  const acting = principal
    ? notice(
        'info',
        html`${words.youDecideFor} <strong>${isolate(principal.name ?? words.anotherMember)}</strong>,
          ${words.asSubstitute}`,
      )
    : ''
  const mayReject = can || blockers.includes('requester_cannot_approve')
  const buttons = [
    ...(can ? [html`<button form="approve">${words.approve}</button>`] : []),
    ...(mayReject ? [sendBackButton(id, standing, texts), rejectButton(id, standing, texts)] : []),
  ]
  return html`${why} ${acting} ${can ? commentForm(id, standing, texts) : ''}
  ${standing.isOwn ? withdrawButton(id, texts) : ''}
  ${buttons.length > 0 ? html`<div class="actions bar">${summaryOf(description, texts)} ${buttons}</div>` : ''}`
}

/** Names amount and payee once more where they are decided on. */
const summaryOf = ({ amounts, name }: Description, { formats }: Texts): Markup =>
  html`<p class="about">
    ${amounts.length > 0 ? html`<strong>${joinAmounts(amounts, formats)}</strong>` : ''} <span>${isolate(name)}</span>
  </p>`

const commentForm = (id: string, { draft }: Standing, { words: { request: words } }: Texts): Markup =>
  html`<form id="approve" method="post" action="/approve/${id}/approve">
    <label
      >${words.commentLabel}
      <input name="comment" value="${draft?.ofApproval ?? ''}" maxlength="1000" autocomplete="off"
    /></label>
  </form>`

const sendBackButton = (id: string, { draft }: Standing, { words: { request: words } }: Texts): Markup =>
  html`<details class="sure" ${draft?.ofReturn ? 'open' : ''}>
    <summary class="button second">${words.sentBack.ask}</summary>
    <form method="post" action="/approve/${id}/send-back">
      ${area({ id: 'change', label: words.sentBack.reason, value: draft?.ofReturn, required: true, hint: words.sentBack.hint, more: html`maxlength="1000"` })}
      <div class="actions"><button class="second">${words.sentBack.send}</button></div>
    </form>
  </details>`

const rejectButton = (id: string, { draft }: Standing, { words: { request: words } }: Texts): Markup =>
  html`<details class="sure" ${draft?.ofRejection ? 'open' : ''}>
    <summary class="button danger">${words.rejectAsk}</summary>
    <form method="post" action="/approve/${id}/reject">
      <label
        >${words.rejectReason}
        <input name="reason" value="${draft?.ofRejection ?? ''}" maxlength="1000" autocomplete="off"
      /></label>
      <div class="actions"><button class="danger">${words.reject}</button></div>
    </form>
  </details>`

const withdrawButton = (id: string, { words: { request: words } }: Texts): Markup =>
  sure({ ask: words.withdraw, text: words.withdrawHint, action: `/approve/${id}/withdraw`, button: words.withdrawNow })

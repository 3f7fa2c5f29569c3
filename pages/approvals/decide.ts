/** Decisions by form: one approval or a set of them, with the proof of identity that they need. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { ApprovalDetail, SetVerdicts } from '../../domain/approvals/approval.ts'
import { approvalPage, findApproval, notHere, warningsOf } from './approval.ts'
import { notice } from '../frame/parts.ts'
import { Page, type HiddenFields, isolate, isolateQuoted, keepFields, writePage } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { askWithProof } from '../frame/proof.ts'
import type { Words } from '../words/en.ts'
import { toSignIn } from '../frame/return.ts'
import type { Fields, RefusalView, Viewer } from '../frame/viewer.ts'

/** Approves one request. */
export async function approve(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const id = viewer.http.req.param('id') ?? ''
  const found = await findApproval(viewer, id)
  if (found === 'signed out') return toSignIn(viewer)
  if (!found) return notHere()
  const comment = form.get('comment').trim()
  const answer = await askWithProof(viewer, form, {
    path: `/organizations/${found.organization.id}/approvals/${id}/approve`,
    body: comment ? { comment } : {},
    organization: found.organization.name,
  })
  if (answer instanceof Page) return answer
  if (answer.ok) return viewer.http.redirect(`/approve/${id}?done=approved`, 303)
  return showRefusal(viewer, id, answer.error)
}

/** Rejects one request; that needs no proof, as it moves nothing. */
export async function reject(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const id = viewer.http.req.param('id') ?? ''
  const found = await findApproval(viewer, id)
  if (found === 'signed out') return toSignIn(viewer)
  if (!found) return notHere()
  const reason = form.get('reason').trim()
  const path = `/organizations/${found.organization.id}/approvals/${id}/reject`
  const answer = await viewer.call('POST', path, reason ? { reason } : {})
  if (answer.ok) return viewer.http.redirect(`/approve/${id}?done=rejected`, 303)
  return showRefusal(viewer, id, answer.error)
}

/** Shows the approval as it is now, with what stood against the decision. */
async function showRefusal(viewer: Viewer, id: string, error: RefusalView): Promise<Page | Response> {
  const now = await findApproval(viewer, id)
  if (now === 'signed out') return toSignIn(viewer)
  return now ? approvalPage(viewer, now, notice('fault', messageOf(error)), 409) : notHere()
}

const SET_MAX = 100

/** Decides a set of one organization: with one proof, which names count and totals. */
export async function decideSet(viewer: Viewer, form: Fields): Promise<Page | Response> {
  if (!viewer.isSignedIn) return toSignIn(viewer)
  const [organization, ids] = [form.get('organization_id'), form.all('approval_id').slice(0, SET_MAX)]
  const decision = form.get('decision') === 'reject' ? 'reject' : 'approve'
  const reason = form.get('reason').trim()
  if (ids.length === 0) return viewer.http.redirect('/approve', 303)
  if (form.get('looked_at') === '') return reviewPage(viewer, { organization, ids, decision })
  const answer = await askWithProof<SetVerdicts>(viewer, form, {
    path: `/organizations/${encodeURIComponent(organization)}/approvals/decide`,
    body: { approval_ids: ids, decision, ...(reason && { reason }) },
    kept: fieldsOf({ organization, ids, decision }, reason),
  })
  if (answer instanceof Page) return answer
  if (!answer.ok) return setPage([], messageOf(answer.error))
  const refusedOnes = answer.body.data.filter(({ error }) => error)
  if (refusedOnes.length > 0) return setPage(answer.body.data, null)
  return viewer.http.redirect(`/approve?done=${decision === 'approve' ? 'approved' : 'rejected'}`, 303)
}

type DecisionChoice = {
  readonly organization: string
  readonly ids: readonly string[]
  readonly decision: 'approve' | 'reject'
}

const fieldsOf = ({ organization, ids, decision }: DecisionChoice, reason: string): HiddenFields => [
  ['organization_id', organization],
  ['decision', decision],
  ['looked_at', 'yes'],
  ['reason', reason],
  ...ids.map((id): readonly [string, string] => ['approval_id', id]),
]

/** Shows what was chosen, each with its warnings, before anything is decided. */
async function reviewPage(viewer: Viewer, chosen: DecisionChoice): Promise<Page | Response> {
  const path = `/organizations/${encodeURIComponent(chosen.organization)}/approvals`
  const cards: Markup[] = []
  let warned = 0
  for (const id of chosen.ids) {
    const answer = await viewer.call<ApprovalDetail>('GET', `${path}/${encodeURIComponent(id)}`)
    if (answer.status === 401) return toSignIn(viewer)
    if (answer.ok && answer.body.warnings.length > 0) warned += 1
    cards.push(
      html`<li>${answer.ok ? cardOf(answer.body, viewer.words) : html`<p>${messageOf(answer.error)}</p>`}</li>`,
    )
  }
  const isApproval = chosen.decision === 'approve'
  const title = `${isApproval ? 'Approve' : 'Reject'} ${chosen.ids.length} ${chosen.ids.length === 1 ? 'request' : 'requests'}?`
  return writePage({
    title,
    place: null,
    body: html`<h1>${title}</h1>
      ${warned > 0 ? notice('fault', `${warned} of them ${warned === 1 ? 'has' : 'have'} warnings.`) : ''}
      <ul class="cards">
        ${cards}
      </ul>
      <form method="post" action="/approve/set">
        ${keepFields(fieldsOf(chosen, '').filter(([name]) => name !== 'reason'))}
        ${isApproval ? '' : html`<label>Reason (optional) <input name="reason" maxlength="1000" autocomplete="off" /></label>`}
        <div class="actions">
          <button>${isApproval ? 'Approve' : 'Reject'}</button>
          <a href="/approve">Not now</a>
        </div>
      </form>`,
  })
}

function cardOf(approval: ApprovalDetail, words: Words): Markup {
  return html`<div>
    <a href="/approve/${approval.approval_id}"><strong>${isolateQuoted(approval.summary ?? 'A request')}</strong></a>
    <p class="small">asked for by ${isolate(approval.requester.name ?? approval.requester.email)}</p>
    ${warningsOf(approval, words)}
  </div>`
}

/** Lists the verdicts of a set, if not all went through. */
const setPage = (verdicts: SetVerdicts['data'], fault: string | null): Promise<Page> =>
  writePage({
    title: 'Not all were decided',
    place: null,
    status: 409,
    body: html`<h1>${fault ? 'Nothing was decided' : 'Not all were decided'}</h1>
      ${fault ? notice('fault', fault) : ''}
      <ul class="cards">
        ${verdicts.map(
          ({ approval_id: id, status, error }) =>
            html`<li>
              <a href="/approve/${id}"><strong>${error ? messageOf(error) : (status ?? '')}</strong></a>
            </li>`,
        )}
      </ul>
      <p><a href="/approve">To the inbox</a></p>`,
  })

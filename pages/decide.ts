/** Decisions by form: one approval or a set of them, with the proof of identity that they need. */
import { html } from 'hono/html'
import { Page } from '../api/http/http.ts'
import type { SetVerdicts } from '../domain/approvals/approval.ts'
import { approvalPage, findApproval, notHere } from './approval.ts'
import { writePage, notice } from './layout.ts'
import { messageOf } from './messages.ts'
import { askWithProof } from './proof.ts'
import { toSignIn } from './sign-in.ts'
import type { Fields, Refused, Viewer } from './viewer.ts'

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
    action: `/approve/${id}/approve`,
    kept: [['comment', comment]],
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
async function showRefusal(viewer: Viewer, id: string, error: Refused): Promise<Page | Response> {
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
  if (ids.length === 0) return viewer.http.redirect('/approve', 303)
  const answer = await askWithProof<SetVerdicts>(viewer, form, {
    path: `/organizations/${encodeURIComponent(organization)}/approvals/decide`,
    body: { approval_ids: ids, decision },
    action: '/approve/set',
    kept: [
      ['organization_id', organization],
      ['decision', decision],
      ...ids.map((id): readonly [string, string] => ['approval_id', id]),
    ],
  })
  if (answer instanceof Page) return answer
  if (!answer.ok) return setPage([], messageOf(answer.error))
  const refusedOnes = answer.body.data.filter(({ error }) => error)
  if (refusedOnes.length > 0) return setPage(answer.body.data, null)
  return viewer.http.redirect(`/approve?done=${decision === 'approve' ? 'approved' : 'rejected'}`, 303)
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

/** Sets of requests, of one company or several: looked at, proved once for each company, and their verdicts. */
import type { SetVerdicts } from '../../domain/approvals/approval.ts'
import { Page } from '../frame/layout.ts'
import { askWithProof } from '../frame/proof.ts'
import { toSignIn } from '../frame/return.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'
import { type ChosenSet, type Verdict, fieldsOf, setIn } from './chosen.ts'
import { reviewPage, verdictPage } from './set-pages.ts'

/** Takes a choice of the inbox, and shows it before anything is decided; then decides it, company by company. */
export async function decideSet(viewer: Viewer, form: Fields): Promise<Page | Response> {
  if (!viewer.isSignedIn) return toSignIn(viewer)
  const set = setIn(form)
  if (set.chosen.length === 0) return viewer.http.redirect('/approve', 303)
  if (form.get('looked_at') === '') return reviewPage(viewer, set)
  return decideLeft(viewer, form, set)
}

/** Decides the companies that are left, one after the other: each asks for its own proof. */
async function decideLeft(viewer: Viewer, form: Fields, set: ChosenSet): Promise<Page | Response> {
  const decided = new Set(set.verdicts.map(({ id }) => id))
  const left = set.chosen.find(({ ids }) => ids.some((id) => !decided.has(id)))
  if (!left) return endOf(viewer, set)
  const { organization, ids } = left
  const name = await nameOf(viewer, organization)
  const answer = await askWithProof<SetVerdicts>(viewer, form, {
    path: `/organizations/${encodeURIComponent(organization)}/approvals/decide`,
    body: { approval_ids: ids, decision: set.decision, ...(set.reason && { reason: set.reason }) },
    key: `${set.key}-${set.chosen.indexOf(left)}`,
    kept: fieldsOf(set),
    ...(name && { organization: name }),
  })
  if (answer instanceof Page) return answer
  if (!answer.ok && answer.error.type === 'not_authenticated') return toSignIn(viewer)
  const verdicts = answer.ok
    ? answer.body.data.map(({ approval_id: id, status, error }): Verdict => ({
        id,
        status,
        refusal: error?.type ?? null,
      }))
    : ids.map((id): Verdict => ({ id, status: null, refusal: answer.error.type }))
  return decideLeft(viewer, withoutProof(form), { ...set, verdicts: [...set.verdicts, ...verdicts] })
}

/** Takes the proof out of a form: that of one company releases nothing of another. */
const withoutProof = (form: Fields): Fields => ({
  ...form,
  get: (name) => (PROOF.has(name) ? '' : form.get(name)),
})
const PROOF = new Set(['step_up', 'challenge', 'method', 'credential', 'code'])

async function nameOf(viewer: Viewer, id: string): Promise<string | null> {
  const answer = await viewer.call<{ readonly name: string }>('GET', `/organizations/${encodeURIComponent(id)}`)
  return answer.ok ? answer.body.name : null
}

/** Leads to the inbox if all went through, else shows which did not. */
function endOf(viewer: Viewer, set: ChosenSet): Promise<Page | Response> | Response {
  const wanted = set.decision === 'approve' ? 'approved' : 'rejected'
  return set.verdicts.every(({ status, refusal }) => refusal === null && status === wanted)
    ? viewer.http.redirect(`/approve?done=${wanted}`, 303)
    : verdictPage(viewer, set)
}

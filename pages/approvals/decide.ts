/** Decisions and questions by form on one request: with the proof of identity that an approval needs. */
import { Page } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { notFound } from '../frame/company.ts'
import { askWithProof } from '../frame/proof.ts'
import { toSignIn } from '../frame/return.ts'
import type { Answer, Fields, Viewer } from '../frame/viewer.ts'
import type { Draft } from './actions.ts'
import { approvalPage } from './approval.ts'
import { type FoundApproval, findApproval } from './find.ts'

type Decision = {
  readonly draft: (form: Fields) => Draft
  readonly ask: (viewer: Viewer, form: Fields, found: FoundApproval, draft: Draft) => Promise<Answer<unknown> | Page>
  /** Word by which the page confirms the decision. */
  readonly done: 'approved' | 'rejected' | 'sent-back' | 'withdrawn' | 'asked' | 'answered'
}

/** Makes what takes a decision: it asks the API once, and leads back to the request, or says why not. */
const decision =
  ({ draft: draftIn, ask, done }: Decision) =>
  async (viewer: Viewer, form: Fields): Promise<Page | Response> => {
    const id = viewer.http.req.param('id') ?? ''
    const found = await findApproval(viewer, id)
    if (found === 'signed out') return toSignIn(viewer)
    if (!found) return notFound(viewer)
    const draft = draftIn(form)
    const answer = await ask(viewer, form, found, draft)
    if (answer instanceof Page) return answer
    if (answer.ok) return viewer.http.redirect(`/approve/${id}?done=${done}`, 303)
    const now = await findApproval(viewer, id)
    if (now === 'signed out') return toSignIn(viewer)
    return now ? approvalPage(viewer, now, { fault: messageOf(answer.error), draft, status: 409 }) : notFound(viewer)
  }

const pathOf = ({ organization, approval }: FoundApproval, verb: string): string =>
  `/organizations/${organization.id}/approvals/${approval.approval_id}/${verb}`

/** Approves one request. */
export const approve = decision({
  draft: (form) => ({ ofApproval: form.get('comment').trim() }),
  ask: (viewer, form, found, { ofApproval: comment }) =>
    askWithProof(viewer, form, {
      path: pathOf(found, 'approve'),
      body: comment ? { comment } : {},
      organization: found.organization.name,
    }),
  done: 'approved',
})

/** Rejects one request; that needs no proof, as it moves nothing. */
export const reject = decision({
  draft: (form) => ({ ofRejection: form.get('reason').trim() }),
  ask: (viewer, _form, found, { ofRejection: reason }) =>
    viewer.call('POST', pathOf(found, 'reject'), reason ? { reason } : {}),
  done: 'rejected',
})

/** Sends one request back to be changed; that needs no proof either. */
export const sendBack = decision({
  draft: (form) => ({ ofReturn: form.get('change').trim() }),
  ask: (viewer, _form, found, { ofReturn: reason }) => viewer.call('POST', pathOf(found, 'send-back'), { reason }),
  done: 'sent-back',
})

/** Asks a member about a request. It decides nothing. */
export const askAbout = decision({
  draft: (form) => ({ ofQuestion: form.get('question').trim() }),
  ask: (viewer, form, found, { ofQuestion: text }) =>
    viewer.call('POST', pathOf(found, 'questions'), { text, to: form.get('to') }),
  done: 'asked',
})

/** Answers a question about a request. */
export const answer = decision({
  draft: (form) => ({ ofAnswer: form.get('answer').trim() }),
  ask: (viewer, form, { organization }, { ofAnswer: text }) => {
    const question = encodeURIComponent(viewer.http.req.param('question') ?? '')
    return viewer.call('POST', `/organizations/${organization.id}/questions/${question}/answers`, {
      text,
      attachments: form.all('file'),
    })
  },
  done: 'answered',
})

/** Withdraws a request of the viewer. */
export const withdraw = decision({
  draft: () => ({}),
  ask: (viewer, _form, found) => viewer.call('POST', pathOf(found, 'cancel'), {}),
  done: 'withdrawn',
})

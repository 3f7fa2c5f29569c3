/** Proof of identity on a page: asks the API, shows what is confirmed and how, and asks again unchanged. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import * as v from 'valibot'
import { type StepUp, type StepUpChallenge, StepUpChallengeAnswer } from '../../domain/step-up/step-up.ts'
import { codeForm, jsonOf, passkeyForm } from './factor-forms.ts'
import { notice } from './parts.ts'
import { type Page, type HiddenFields, isolate, isolateQuoted, keepFields, writePage } from './layout.ts'
import { messageOf } from './messages.ts'
import { fieldsToKeep } from './return.ts'
import type { Words } from '../words/en.ts'
import type { Answer, Fields, Method, Viewer } from './viewer.ts'

/** Request that may need a step-up: how the API is asked, and what the page keeps to ask it again unchanged. */
export type ProtectedRequest = {
  readonly method?: Exclude<Method, 'GET'>
  readonly path: string
  readonly body?: object
  /** Key with which a form that is sent again does its work once. */
  readonly key?: string
  /** Values that the form brought; all of them, if absent. */
  readonly kept?: HiddenFields
  /** Address for a viewer who does not confirm; the page of the form, if absent. */
  readonly place?: string
  /** Name of the organization, if it is for one. */
  readonly organization?: string
}

/** Request with the page that asks it: where its form leads, what it keeps, and where its viewer goes instead. */
type Asking = Omit<ProtectedRequest, 'kept' | 'place'> & {
  readonly kept: HiddenFields
  readonly action: string
  readonly place: string
}

/** Asks the API; answers a page where the viewer proves who they are, if that is needed. */
export async function askWithProof<Body>(
  viewer: Viewer,
  form: Fields,
  request: ProtectedRequest,
): Promise<Answer<Body> | Page> {
  const asked = { kept: fieldsToKeep(viewer), place: viewer.place, ...request, action: viewer.http.req.path }
  const stepUp = form.get('step_up')
  if (form.get('method') === 'another') return anotherProof(viewer, asked, stepUp)
  const kept = v.safeParse(StepUpChallengeAnswer, jsonOf(form.get('challenge')))
  const challenge = kept.success ? (kept.output as StepUpChallenge) : null // its id is of the same text
  const fault = stepUp && challenge ? await complete(viewer, form, challenge) : null
  if (fault && challenge)
    return fault === viewer.words.signIn.proof.over
      ? overPage(viewer, asked)
      : proofPage(viewer, asked, challenge, fault)
  const answer = await viewer.call<Body>(asked.method ?? 'POST', asked.path, asked.body, asked.key)
  if (answer.ok || answer.error.type !== 'step_up_required') return answer
  return proofPage(viewer, asked, answer.error.step_up as StepUpChallenge)
}

/** Asks for a code by message in place of the other ways. */
async function anotherProof(viewer: Viewer, asked: Asking, id: string): Promise<Answer<never> | Page> {
  const path = `/step-up/${encodeURIComponent(id)}/fallback`
  const answer = await viewer.call<StepUpChallenge>('POST', path, { method: 'messaging_code' })
  return answer.ok ? proofPage(viewer, asked, answer.body) : answer
}

/** Completes a step-up by what the form brings; answers why it is not complete. */
async function complete(viewer: Viewer, form: Fields, { id, webauthn }: StepUpChallenge): Promise<string | null> {
  const method = form.get('method')
  const code = form.get('code').replaceAll(/\s/g, '')
  const assertion = { challenge_id: webauthn?.challenge_id, credential: jsonOf(form.get('credential')) }
  const proof = { method, ...(code && { code }), ...(method === 'webauthn' && assertion) }
  const answer = await viewer.call<StepUp>('POST', `/step-up/${encodeURIComponent(id)}/complete`, proof)
  if (!answer.ok) return messageOf(answer.error)
  const { status, remaining_attempts: left } = answer.body
  const { proof: words } = viewer.words.signIn
  if (status === 'verified' || status === 'consumed') return null
  if (status === 'pending') return words.waiting
  if (status === 'denied') return words.denied
  if (status === 'failed' && left > 0) return words.wrong(left)
  return words.over
}

/** Leads from a challenge that has ended to a fresh one. */
const overPage = ({ words: { signIn } }: Viewer, { action, kept, place }: Asking): Promise<Page> =>
  writePage({
    title: signIn.proof.again,
    place: null,
    status: 401,
    body: html`<h1>${signIn.proof.again}</h1>
      ${notice('fault', signIn.proof.over)}
      <form method="post" action="${action}">
        ${keepFields(kept)}
        <div class="actions"><button>${signIn.proof.ask}</button></div>
      </form>
      <p class="small"><a href="${place}">${signIn.proof.notNow}</a></p>`,
  })

/** Shows the words that the proof is bound to, and the ways to confirm them. */
function proofPage(
  { words: { signIn } }: Viewer,
  { action, kept, organization, place }: Asking,
  challenge: StepUpChallenge,
  fault?: string,
): Promise<Page> {
  const { id, methods, summary, match_code: number, webauthn, payment } = challenge
  const fields: HiddenFields = [...kept, ['step_up', id], ['challenge', JSON.stringify(challenge)]]
  const { proof: words } = signIn
  const form = { action, kept: fields, button: words.button }
  const byMessage = methods.includes('messaging_code')
  return writePage({
    title: words.heading,
    place: null,
    status: fault ? 401 : 200,
    body: html`<h1>${words.heading}</h1>
      ${fault ? notice('fault', fault) : ''}
      ${organization ? html`<p class="small">${words.for} ${isolate(organization)}</p>` : ''}
      ${notice('info', boundWords(summary, words))}
      ${webauthn && methods.includes('webauthn') ? passkeyForm(action, fields, webauthn, { ...words, button: words.passkey }, payment) : ''}
      ${number === null ? '' : byNumber(words, form, number)}
      ${methods.includes('totp') ? codeForm({ ...form, label: words.totp }) : ''}
      ${byMessage ? codeForm({ ...form, label: words.message, method: 'messaging_code' }) : ''}
      ${byMessage ? '' : another(words, form)}
      <p class="small"><a href="${place}">${words.notNow}</a></p>`,
  })
}

type ProofWords = Words['signIn']['proof']

/** Shows the words that the proof is bound to: below what they say in the language of the page, where that is known. */
function boundWords(summary: string | null, words: ProofWords): Markup {
  const said = summary === null ? words.about : words.says(summary)
  if (summary === null || said === summary) return isolateQuoted(said ?? words.about)
  return html`<p>${said === null ? words.bound : isolateQuoted(said)}</p>
    <p ${said === null ? '' : html`class="small"`} lang="en">${isolateQuoted(summary)}</p>`
}

const byNumber = (words: ProofWords, { action, kept }: Pick<Asking, 'action' | 'kept'>, number: string): Markup =>
  html`<h2>${words.phone}</h2>
    <p>${words.number}</p>
    <p class="number">${number}</p>
    <form method="post" action="${action}">
      ${keepFields([...kept, ['method', 'approval_device']])}
      <div class="actions"><button class="second">${words.entered}</button></div>
    </form>`

const another = (words: ProofWords, { action, kept }: Pick<Asking, 'action' | 'kept'>): Markup =>
  html`<form method="post" action="${action}">
    ${keepFields([...kept, ['method', 'another']])}
    <p><button class="plain">${words.another}</button></p>
  </form>`

/** Sign-in and sign-out in a browser: password, then a passkey or a code. */
import { html } from 'hono/html'
import * as v from 'valibot'
import { qrCode } from '../../api/invoices/page.ts'
import type { WebauthnOptions } from '../../domain/factors/passkey.ts'
import { type AuthenticatedSession, type MfaAnswer, Setup, type SignInAnswer } from '../../domain/sign-in/sign-in.ts'
import { notice } from '../frame/parts.ts'
import { type Page, type HiddenFields, writePage, keepFields } from '../frame/layout.ts'
import { codeForm, jsonOf, passkeyForm } from '../frame/factor-forms.ts'
import { messageOf } from '../frame/messages.ts'
import { nextOf } from '../frame/return.ts'
import { type Answer, type Fields, type Viewer, refusalIn } from '../frame/viewer.ts'

/** Tells if a link of another site led here: then the browser has kept the cookies back. */
export const isFromElsewhere = ({ http }: Viewer): boolean =>
  http.req.method === 'GET' &&
  http.req.header('sec-fetch-site') === 'cross-site' &&
  http.req.query('here') === undefined

/** Answers a page that loads the same address again, now from our own site, with the cookies. */
export function landAgain({ http, words }: Viewer): Promise<Page> {
  const { pathname, search } = new URL(http.req.url)
  const keeps = ['/authorize', '/sign-in/company/callback'].includes(pathname) && search !== ''
  const address = keeps ? `${pathname}${search}&here=1` : `${pathname}?here=1`
  return writePage({
    title: words.signIn.moment,
    refresh: address,
    body: html`<p><a href="${address}" data-again>${words.signIn.next}</a></p>`,
  })
}

export function showSignIn(viewer: Viewer): Promise<Page> {
  const { http, words } = viewer
  const next = nextOf(http.req.query('next') ?? '')
  return signInPage(viewer, { next, ...(http.req.query('done') && { done: words.signIn.signedOut }) })
}

type SignInQuery = { readonly next: string; readonly email?: string; readonly fault?: string; readonly done?: string }

const signInPage = ({ words: { signIn } }: Viewer, { next, email = '', fault, done }: SignInQuery): Promise<Page> =>
  writePage({
    title: signIn.heading,
    status: fault ? 401 : 200,
    body: html`<h1>${signIn.heading}</h1>
      ${fault ? notice('fault', fault) : ''} ${done ? notice('done', done) : ''}
      <form method="post" action="/sign-in">
        ${keepFields([['next', next]])}
        <label
          >${signIn.email}
          <input name="email" type="email" autocomplete="username webauthn" value="${email}" required autofocus
        /></label>
        <label
          >${signIn.password} <input name="password" type="password" autocomplete="current-password" required
        /></label>
        <div class="actions"><button>${signIn.next}</button></div>
      </form>
      <p class="links">
        <a href="/sign-in/company?next=${encodeURIComponent(next)}">${signIn.company.heading}</a>
        <a href="/forgot-password">${signIn.forgot}</a> <a href="/sign-up">${signIn.create}</a>
      </p>`,
  })

/** Takes the password. */
export async function takePassword(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const [next, email] = [nextOf(form.get('next')), form.get('email')]
  const body = { email, password: form.get('password'), ...(viewer.device && { device_id: viewer.device }) }
  const answer = await viewer.call<SignInAnswer>('POST', '/auth/sign-in', body)
  if (!answer.ok) return signInPage(viewer, { next, email, fault: messageOf(answer.error) })
  const { body: given } = answer
  switch (given.status) {
    case 'authenticated':
      return startSession(viewer, given, next)
    case 'totp_setup_required':
      return setUpPage(viewer, { next, challenge: given.challenge_token })
    default: {
      const webauthn = given.status === 'webauthn_required' ? given.webauthn : null
      return factorPage(viewer, { next, challenge: given.challenge_token, webauthn })
    }
  }
}

type Second = {
  readonly next: string
  readonly challenge: string
  readonly webauthn: WebauthnOptions | null
  readonly fault?: string
}

function factorPage({ words: { signIn } }: Viewer, { next, challenge, webauthn, fault }: Second): Promise<Page> {
  const kept: HiddenFields = [
    ['next', next],
    ['challenge', challenge],
    ['webauthn', JSON.stringify(webauthn)],
  ]
  return writePage({
    title: signIn.second.title,
    status: fault ? 401 : 200,
    body: html`<h1>${signIn.second.heading}</h1>
      ${fault ? notice('fault', fault) : ''}
      ${webauthn ? passkeyForm('/sign-in/factor', kept, webauthn, { ...signIn.proof, button: signIn.second.passkey }) : ''}
      ${codeForm({ action: '/sign-in/factor', kept, label: signIn.second.code, button: signIn.heading })}
      <p class="small"><a href="/sign-in">${signIn.second.again}</a></p>`,
  })
}

/** Takes the second factor: a passkey, a code of an authenticator, or a recovery code. */
export async function takeFactor(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const [next, challenge] = [nextOf(form.get('next')), form.get('challenge')]
  const answer = await prove(viewer, form, challenge)
  if (!answer.ok) return signInPage(viewer, { next, fault: messageOf(answer.error) })
  const { body } = answer
  if (body.status === 'authenticated') return startSession(viewer, body, next)
  if (body.status === 'mfa_failed') {
    const webauthn = jsonOf(form.get('webauthn')) as WebauthnOptions | null
    return factorPage(viewer, { next, challenge, webauthn, fault: viewer.words.signIn.second.wrong })
  }
  if (body.status === 'totp_setup_required') return setUpPage(viewer, { next, challenge: body.challenge_token })
  return signInPage(viewer, { next, fault: viewer.words.signIn.second.over })
}

type SetupQuery = { readonly next: string; readonly challenge: string }

/** Shows the secret of a new authenticator, once: an organization of the person requires one. */
async function setUpPage(viewer: Viewer, { next, challenge }: SetupQuery): Promise<Page> {
  const answer = await viewer.call<Setup>('POST', '/auth/sign-in/totp/setup', { challenge_token: challenge })
  if (!answer.ok) return signInPage(viewer, { next, fault: messageOf(answer.error) })
  return newAuthenticatorPage(viewer, { next, challenge, setup: answer.body })
}

const newAuthenticatorPage = (
  { words: { signIn } }: Viewer,
  { next, challenge, setup }: SetupQuery & { readonly setup: Setup },
  fault?: string,
): Promise<Page> =>
  writePage({
    title: signIn.setUp.heading,
    status: fault ? 401 : 200,
    body: html`<h1>${signIn.setUp.heading}</h1>
      ${fault ? notice('fault', fault) : ''}
      <p>${signIn.setUp.required}</p>
      <figure class="code">${qrCode(setup.uri, signIn.setUp.picture)}</figure>
      <p>${signIn.setUp.secret} <code>${setup.secret_encoded}</code></p>
      ${codeForm({
        action: '/sign-in/authenticator',
        kept: [
          ['next', next],
          ['challenge', challenge],
          ['setup', JSON.stringify(setup)],
        ],
        label: signIn.setUp.code,
        button: signIn.heading,
      })}`,
  })

/** Takes the first code of a new authenticator. */
export async function takeFirstCode(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const [next, challenge] = [nextOf(form.get('next')), form.get('challenge')]
  const setup = v.safeParse(Setup, jsonOf(form.get('setup')))
  const body = { challenge_token: challenge, code: form.get('code').replaceAll(/\s/g, '') }
  const answer = await viewer.call<MfaAnswer>('POST', '/auth/sign-in/totp/activate', body)
  if (!answer.ok) return signInPage(viewer, { next, fault: messageOf(answer.error) })
  if (answer.body.status === 'authenticated') return startSession(viewer, answer.body, next)
  if (answer.body.status !== 'mfa_failed' || !setup.success)
    return signInPage(viewer, { next, fault: viewer.words.signIn.second.over })
  return newAuthenticatorPage(viewer, { next, challenge, setup: setup.output }, viewer.words.signIn.setUp.wrong)
}

const prove = (viewer: Viewer, form: Fields, challenge: string): Promise<Answer<MfaAnswer>> =>
  form.get('method') === 'webauthn'
    ? viewer.call('POST', '/auth/webauthn', { challenge_token: challenge, credential: jsonOf(form.get('credential')) })
    : viewer.call('POST', '/auth/mfa', { challenge_token: challenge, code: form.get('code').replaceAll(/\s/g, '') })

/** Begins a session in this browser, and ends the one before it, if any. */
export async function startSession(
  viewer: Viewer,
  session: Pick<AuthenticatedSession, 'token' | 'device_id'>,
  next: string,
): Promise<Response> {
  if (viewer.isSignedIn) await viewer.call('POST', '/auth/sign-out', {})
  viewer.begin(session)
  return viewer.http.redirect(next, 303)
}

/** Ends the session, here and at the service. */
export async function signOut(viewer: Viewer): Promise<Response> {
  const answer = await viewer.call('POST', '/auth/sign-out', {})
  if (!answer.ok && answer.status !== 401) throw refusalIn(answer.error)
  viewer.end()
  viewer.http.header('clear-site-data', '"cache"')
  return viewer.http.redirect('/sign-in?done=1', 303)
}

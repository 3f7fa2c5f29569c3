/** Sign-in at the identity provider of a company: to the provider and back, and the link with an account. */
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { IdentityLink, ProviderSignIn, ProviderSignInAnswer } from '../../domain/identity-providers/sign-in.ts'
import { Page, isolate, keepFields, writePage } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { notice } from '../frame/parts.ts'
import { askWithProof } from '../frame/proof.ts'
import { nextOf, toSignIn } from '../frame/return.ts'
import { COOKIE, type Fields, type Viewer, cookieName } from '../frame/viewer.ts'
import { startSession } from './sign-in.ts'

const START = '/sign-in/company'
export const CALLBACK = `${START}/callback`
const LINK = '/me/company-sign-in'
const COOKIE_NAME = cookieName('company-sign-in')
const ATTEMPT_SECONDS = 1200 // until the provider sends back, and until the person links

export const showCompanySignIn = (viewer: Viewer): Promise<Page> =>
  startPage(viewer, { next: nextOf(viewer.http.req.query('next') ?? '') })

type StartQuery = { readonly next: string; readonly email?: string; readonly fault?: string }

const startPage = ({ words }: Viewer, { next, email = '', fault }: StartQuery): Promise<Page> => {
  const { signIn } = words
  return writePage({
    title: signIn.company.heading,
    status: fault ? 422 : 200,
    body: html`<h1>${signIn.company.heading}</h1>
      ${fault ? notice('fault', fault) : ''}
      <p>${signIn.company.text}</p>
      <form method="post" action="${START}">
        ${keepFields([['next', next]])}
        <label
          >${signIn.email} <input name="email" type="email" autocomplete="username" value="${email}" required autofocus
        /></label>
        <div class="actions"><button>${signIn.next}</button></div>
      </form>
      <p class="links"><a href="/sign-in">${signIn.company.own}</a></p>`,
  })
}

/** Begins a sign-in, bound to this browser by a cookie, and shows the way to the provider. */
export async function beginCompanySignIn(viewer: Viewer, form: Fields): Promise<Page> {
  const [next, email] = [nextOf(form.get('next')), form.get('email')]
  const answer = await viewer.call<ProviderSignIn>('POST', '/auth/identity-provider/start', { email })
  if (!answer.ok) return startPage(viewer, { next, email, fault: messageOf(answer.error) })
  const { authorize_url: url, attempt_token: attempt, organization_name: name } = answer.body
  setCookie(viewer.http, COOKIE_NAME, `${attempt} ${next}`, { ...COOKIE, maxAge: ATTEMPT_SECONDS })
  const { company } = viewer.words.signIn
  return writePage({
    title: company.heading,
    body: html`<h1>${isolate(name)}</h1>
      <p>${company.leaves}</p>
      <p><a class="button" href="${url}">${company.onward[0]}${isolate(new URL(url).host)}${company.onward[1]}</a></p>
      <p class="links"><a href="/sign-in">${company.own}</a></p>`,
  })
}

/** Reads the token of this browser, and where its sign-in leads. */
function attemptOf({ http }: Viewer): { readonly attempt: string; readonly next: string } {
  const [attempt = '', next = ''] = (getCookie(http, COOKIE_NAME) ?? '').split(' ')
  return { attempt, next: nextOf(next) }
}

/** Completes the sign-in of a browser that the provider sent back. */
export async function takeCallback(viewer: Viewer): Promise<Page | Response> {
  const { attempt, next } = attemptOf(viewer)
  const { searchParams } = new URL(viewer.http.req.url)
  searchParams.delete('here')
  const body = {
    attempt_token: attempt,
    callback: searchParams.toString(),
    ...(viewer.device && { device_id: viewer.device }),
  }
  const answer = await viewer.call<ProviderSignInAnswer>('POST', '/auth/identity-provider/complete', body)
  if (!answer.ok) {
    const { company } = viewer.words.signIn
    const isOver = answer.error.type !== 'identity_provider_unusable'
    return startPage(viewer, { next, fault: isOver ? company.over : messageOf(answer.error) })
  }
  if (answer.body.status === 'authenticated') {
    deleteCookie(viewer.http, COOKIE_NAME, COOKIE)
    return startSession(viewer, answer.body, next)
  }
  return viewer.isSignedIn ? viewer.http.redirect(LINK, 303) : unknownPage(viewer, answer.body.organization_name)
}

const unknownPage = ({ words: { signIn } }: Viewer, name: string): Promise<Page> =>
  writePage({
    title: signIn.company.unknown,
    body: html`<h1>${signIn.company.unknown}</h1>
      <p>${isolate(name)}</p>
      <p>${signIn.company.unknownText}</p>
      <p><a class="button" href="/sign-in?next=${encodeURIComponent(LINK)}">${signIn.heading}</a></p>`,
  })

/** Asks the person to link their account with the name that this browser brought. */
export function showLink(viewer: Viewer): Promise<Page> | Page | Response {
  return viewer.isSignedIn ? linkPage(viewer) : toSignIn(viewer, LINK)
}

const linkPage = ({ words: { signIn } }: Viewer, fault?: string): Promise<Page> =>
  writePage({
    title: signIn.company.link,
    place: null,
    status: fault ? 422 : 200,
    body: html`<h1>${signIn.company.link}</h1>
      ${fault ? notice('fault', fault) : ''}
      <p>${signIn.company.linkText}</p>
      <form method="post" action="${LINK}">
        <div class="actions">
          <button>${signIn.company.linkNow}</button>
          <a class="button second" href="/">${signIn.proof.notNow}</a>
        </div>
      </form>`,
  })

/** Links the account, with a proof. */
export async function takeLink(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const { attempt } = attemptOf(viewer)
  const path = '/me/identity-links'
  const answer = await askWithProof<IdentityLink>(viewer, form, {
    path,
    body: { attempt_token: attempt },
    place: '/me',
  })
  if (answer instanceof Page) return answer
  if (answer.ok) {
    deleteCookie(viewer.http, COOKIE_NAME, COOKIE)
    return viewer.http.redirect(`/o/${answer.body.organization_id}`, 303)
  }
  if (answer.error.type === 'not_authenticated') return toSignIn(viewer, LINK)
  const isOver = ['token_invalid', 'invalid_request'].includes(answer.error.type)
  return linkPage(viewer, isOver ? viewer.words.signIn.company.over : messageOf(answer.error))
}

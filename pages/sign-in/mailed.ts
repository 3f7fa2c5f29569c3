/**
 * Pages that mails link to: each takes the token behind the `#` of its address, which no server logs. Before it acts it
 * names the address that the link was sent to, and asks. It never changes who is signed in here: a link may be another
 * person's (login CSRF).
 */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Me } from '../../domain/people/person.ts'
import { MAILED_PAGES, type MailedLink, type MailedPage } from '../../domain/sign-in/mailed-link.ts'
import type { AuthenticatedSession } from '../../domain/sign-in/sign-in.ts'
import { notice } from '../frame/parts.ts'
import { type Page, type HiddenFields, isolate, keepFields, writePage } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { startSession } from './sign-in.ts'
import { type Fields, type Viewer, refusalIn } from '../frame/viewer.ts'

type PageResult = Page | Response | Promise<Page | Response>

/** Link that is looked at: its token, and the address of the person who is signed in here, if one is. */
type OpenLink = MailedLink & { readonly token: string; readonly viewer: string | null }

/** Page of a kind of link. */
type LinkPage = {
  readonly title: string
  readonly says: string
  readonly button: string
  /** Fields beside the token. */
  readonly fields?: (opened: OpenLink) => Markup | ''
  /** Acts for the person who is signed in here: for no other than the one of the link. */
  readonly actsForViewer?: true
  readonly take: (viewer: Viewer, opened: OpenLink, form: Fields) => Promise<LinkResult>
}

/** Outcome: a page, or the fault that the same page shows. */
type LinkResult = Page | Response | { readonly fault: string }

const MAILED: Readonly<Record<MailedPage, LinkPage>> = {
  'confirm-email': {
    title: 'Confirm your e-mail address',
    says: 'One more step, and your account is ready: choose its password. One that was typed elsewhere does not count.',
    button: 'Confirm',
    fields: () => newPassword('Password'),
    take: confirmAddress,
  },
  'reset-password': {
    title: 'New password',
    says: 'It has at least 12 characters. Every session of the account ends.',
    button: 'Set the password',
    fields: () => newPassword('New password'),
    take: setPassword,
  },
  'keep-factors': {
    title: 'Keep your second factors',
    says: 'An operator was asked to remove your authenticator and passkeys. Keep them if that was not you.',
    button: 'Keep them',
    take: keepFactors,
  },
  invitation: {
    title: 'Invitation',
    says: 'You are asked to join an organization.',
    button: 'Join',
    fields: ({ viewer, email }) => (viewer === null ? newAccount(email) : ''),
    actsForViewer: true,
    take: acceptInvitation,
  },
}

function newPassword(label: string): Markup {
  return html`<label
    >${label} <input name="password" type="password" autocomplete="new-password" minlength="12" required
  /></label>`
}

type Handler = (viewer: Viewer, form: Fields) => PageResult

/** Pages at the addresses of the links. */
export const MAILED_SHOWN: Readonly<Record<string, () => PageResult>> = Object.fromEntries(
  MAILED_PAGES.map((page) => [`/${page}`, () => askForToken(page)]),
)
/** Takers of the forms of each link. */
export const MAILED_SENT: Readonly<Record<string, Handler>> = Object.fromEntries(
  MAILED_PAGES.map((page) => [`/${page}`, (viewer: Viewer, form: Fields) => takeLink(viewer, form, page)]),
)

/** Asks for the token: the script fills it in from the address and sends it; without script it is pasted. */
const askForToken = (page: MailedPage, fault?: string): Promise<Page> =>
  writePage({
    title: MAILED[page].title,
    status: fault ? 400 : 200,
    body: html`<h1>${MAILED[page].title}</h1>
      ${fault ? notice('fault', fault) : ''}
      <form method="post" action="/${page}">
        <label data-token
          >Code of the mail: what follows <code>token=</code> in its link
          <input name="token" required autocomplete="off" maxlength="512"
        /></label>
        <div class="actions"><button>Continue</button></div>
      </form>`,
  })

/** Takes a form: acts if its viewer was asked by name and is still the same, else asks. */
async function takeLink(viewer: Viewer, form: Fields, page: MailedPage): Promise<Page | Response> {
  const token = form.get('token')
  const link = await viewer.call<MailedLink>('POST', '/auth/mailed-links', { page, token })
  if (!link.ok) return askForToken(page, messageOf(link.error))
  const opened: OpenLink = { ...link.body, token, viewer: await addressOf(viewer) }
  if (!isSure(form, opened) || isBarred(page, opened)) return ask(page, opened)
  const taken = await MAILED[page].take(viewer, opened, form)
  return 'fault' in taken ? ask(page, opened, taken.fault) : taken
}

/** Finds the address of the person who is signed in here; null if nobody is. */
async function addressOf(viewer: Viewer): Promise<string | null> {
  if (!viewer.isSignedIn) return null
  const me = await viewer.call<Me>('GET', '/me')
  if (me.ok) return me.body.emails.find(({ primary }) => primary)?.address ?? ''
  if (me.status === 401) return null
  throw refusalIn(me.error)
}

const sure = ({ email, viewer }: OpenLink): HiddenFields => [
  ['address', email],
  ['viewer', viewer ?? ''],
]

const isSure = (form: Fields, opened: OpenLink): boolean =>
  sure(opened).every(([name, value]) => form.all(name).join() === value)

const isAnother = ({ viewer, email }: OpenLink): boolean => viewer !== null && viewer !== email

const isBarred = (page: MailedPage, opened: OpenLink): boolean =>
  isAnother(opened) && MAILED[page].actsForViewer === true

/** Names the address of the link and who is signed in here, and asks. */
function ask(page: MailedPage, opened: OpenLink, fault?: string): Promise<Page> {
  const { title, says, button, fields } = MAILED[page]
  const { email, organization_name: organization, viewer, token } = opened
  return writePage({
    title,
    status: fault ? 400 : 200,
    ...(viewer !== null && { place: null }),
    body: html`<h1>${title}</h1>
      ${fault ? notice('fault', fault) : ''}
      <p>${says}</p>
      <dl>
        <dt>For</dt>
        <dd><strong>${isolate(email)}</strong></dd>
        ${
          organization === null
            ? ''
            : html`<dt>Organization</dt>
                <dd>${isolate(organization)}</dd>`
        }
        ${
          viewer === null
            ? ''
            : html`<dt>Signed in here</dt>
                <dd>${isolate(viewer)}</dd>`
        }
      </dl>
      ${isAnother(opened) ? html`<p class="notice">The link is not for the person who is signed in here.</p>` : ''}
      ${
        isBarred(page, opened)
          ? html`<p>Sign out, then open the link of the mail again.</p>`
          : html`<form method="post" action="/${page}">
              ${keepFields([['token', token], ...sure(opened)])} ${fields?.(opened) ?? ''}
              <div class="actions"><button>${button}</button></div>
            </form>`
      }`,
  })
}

const donePage = (title: string, { viewer, email }: OpenLink, says: string): Promise<Page> =>
  writePage({
    title,
    ...(viewer !== null && { place: null }),
    body: html`<h1>${title}</h1>
      <p>For ${isolate(email)}. ${says}</p>
      <p><a href="/approve">To the inbox</a></p>`,
  })

/** Confirms an address. It signs its person in where nobody is signed in, and nowhere else. */
async function confirmAddress(viewer: Viewer, opened: OpenLink, form: Fields): Promise<LinkResult> {
  const body = { token: opened.token, password: form.get('password') }
  const answer = await viewer.call<AuthenticatedSession>('POST', '/auth/email/confirm', body)
  if (!answer.ok) return { fault: messageOf(answer.error) }
  if (opened.viewer === null) return startSession(viewer, answer.body, '/approve')
  await viewer.endSession(answer.body.token)
  return donePage('The address is confirmed', opened, 'Sign out here to sign in with it.')
}

/** Sets a new password by the token of a mail. */
async function setPassword(viewer: Viewer, opened: OpenLink, form: Fields): Promise<LinkResult> {
  const body = { token: opened.token, password: form.get('password') }
  const answer = await viewer.call('POST', '/auth/password/reset', body)
  if (!answer.ok) return { fault: messageOf(answer.error) }
  if (isAnother(opened)) return donePage('The password is set', opened, 'Sign out here to sign in with it.')
  viewer.end()
  return donePage('The password is set', { ...opened, viewer: null }, 'Sign in with it.')
}

/** Objects to the removal of second factors. */
async function keepFactors(viewer: Viewer, opened: OpenLink): Promise<LinkResult> {
  const answer = await viewer.call('POST', '/auth/factors/keep', { token: opened.token })
  if (!answer.ok) return { fault: messageOf(answer.error) }
  return donePage('They are kept', opened, 'Nothing was removed. Change your password if you did not ask for this.')
}

const newAccount = (email: string): Markup =>
  html`<p>Without an account yet, make one here.</p>
    <label
      >E-mail address that was invited
      <input name="email" type="email" autocomplete="username" value="${email}" required
    /></label>
    <label>First name <input name="first_name" autocomplete="given-name" maxlength="255" /></label>
    <label>Last name <input name="last_name" autocomplete="family-name" maxlength="255" /></label>
    ${newPassword('Password')}
    <p class="small">With an account, <a href="/sign-in">sign in</a> first, and open the link of the mail again.</p>`

/** Joins an organization, with the account of the viewer or with a new one. */
async function acceptInvitation(viewer: Viewer, opened: OpenLink, form: Fields): Promise<LinkResult> {
  const { token } = opened
  if (opened.viewer !== null) {
    const answer = await viewer.call('POST', '/invitations/accept', { token })
    return answer.ok ? viewer.http.redirect('/approve', 303) : { fault: messageOf(answer.error) }
  }
  const names = { first_name: form.get('first_name') || null, last_name: form.get('last_name') || null }
  const body = { email: form.get('email'), password: form.get('password'), ...names, invitation_token: token }
  const made = await viewer.call<AuthenticatedSession>('POST', '/auth/sign-up', body)
  if (!made.ok) return { fault: messageOf(made.error) }
  if (made.body.status !== 'authenticated')
    return donePage('Look at your mail', opened, 'It has a link that confirms your address.')
  return startSession(viewer, made.body, `/invitation#token=${encodeURIComponent(token)}`)
}

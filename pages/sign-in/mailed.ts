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
import { field, notice } from '../frame/parts.ts'
import { type Page, type HiddenFields, isolate, keepFields, writePage } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import type { Words } from '../words/en.ts'
import { startSession } from './sign-in.ts'
import { type Fields, type Viewer, refusalIn } from '../frame/viewer.ts'

type PageResult = Page | Response | Promise<Page | Response>

/** Link that is looked at: its token, and the address of the person who is signed in here, if one is. */
type OpenLink = MailedLink & { readonly token: string; readonly viewer: string | null }

type LinkWords = Words['signIn']['links']

/** Page of a kind of link. */
type LinkPage = {
  readonly says: (words: LinkWords) => { readonly title: string; readonly says: string; readonly button: string }
  /** Fields beside the token. */
  readonly fields?: (viewer: Viewer, opened: OpenLink) => Markup | ''
  /** Acts for the person who is signed in here: for no other than the one of the link. */
  readonly actsForViewer?: true
  readonly take: (viewer: Viewer, opened: OpenLink, form: Fields) => Promise<LinkResult>
}

/** Outcome: a page, or the fault that the same page shows. */
type LinkResult = Page | Response | { readonly fault: string }

const MAILED: Readonly<Record<MailedPage, LinkPage>> = {
  'confirm-email': {
    says: (words) => words.confirmEmail,
    fields: ({ words: { signIn } }) => newPassword(signIn.links.confirmEmail.password, signIn.signUp.passwordHint),
    take: confirmAddress,
  },
  'reset-password': {
    says: (words) => words.resetPassword,
    fields: ({ words: { signIn } }) => newPassword(signIn.links.resetPassword.password, signIn.signUp.passwordHint),
    take: setPassword,
  },
  'keep-factors': {
    says: (words) => words.keepFactors,
    take: keepFactors,
  },
  invitation: {
    says: (words) => words.invitation,
    fields: ({ words }, { viewer, email }) => (viewer === null ? newAccount(words, email) : ''),
    actsForViewer: true,
    take: acceptInvitation,
  },
}

const newPassword = (label: string, hint: string): Markup =>
  field({ id: 'password', label, type: 'password', hint, required: true, more: NEW_PASSWORD })
const NEW_PASSWORD = html`autocomplete="new-password" minlength="12"`

type Handler = (viewer: Viewer, form: Fields) => PageResult

/** Pages at the addresses of the links. */
export const MAILED_SHOWN: Readonly<Record<string, (viewer: Viewer) => PageResult>> = Object.fromEntries(
  MAILED_PAGES.map((page) => [`/${page}`, (viewer: Viewer) => askForToken(viewer, page)]),
)
/** Takers of the forms of each link. */
export const MAILED_SENT: Readonly<Record<string, Handler>> = Object.fromEntries(
  MAILED_PAGES.map((page) => [`/${page}`, (viewer: Viewer, form: Fields) => takeLink(viewer, form, page)]),
)

/** Asks for the token: the script fills it in from the address and sends it; without script it is pasted. */
function askForToken({ words: { signIn } }: Viewer, page: MailedPage, fault?: string): Promise<Page> {
  const { title } = MAILED[page].says(signIn.links)
  return writePage({
    title,
    status: fault ? 400 : 200,
    body: html`<h1>${title}</h1>
      ${fault ? notice('fault', fault) : ''}
      <form method="post" action="/${page}">
        <label data-token
          >${signIn.links.codeOf} <input name="token" required autocomplete="off" maxlength="512"
        /></label>
        <div class="actions"><button>${signIn.next}</button></div>
      </form>`,
  })
}

/** Takes a form: acts if its viewer was asked by name and is still the same, else asks. */
async function takeLink(viewer: Viewer, form: Fields, page: MailedPage): Promise<Page | Response> {
  const token = form.get('token')
  const link = await viewer.call<MailedLink>('POST', '/auth/mailed-links', { page, token })
  if (!link.ok) return askForToken(viewer, page, messageOf(link.error))
  const opened: OpenLink = { ...link.body, token, viewer: await addressOf(viewer) }
  if (!isSure(form, opened) || isBarred(page, opened)) return ask(viewer, page, opened)
  const taken = await MAILED[page].take(viewer, opened, form)
  return 'fault' in taken ? ask(viewer, page, opened, taken.fault) : taken
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
function ask(on: Viewer, page: MailedPage, opened: OpenLink, fault?: string): Promise<Page> {
  const { links } = on.words.signIn
  const { title, says, button } = MAILED[page].says(links)
  const { email, organization_name: organization, viewer, token } = opened
  return writePage({
    title,
    status: fault ? 400 : 200,
    ...(viewer !== null && { place: null }),
    body: html`<h1>${title}</h1>
      ${fault ? notice('fault', fault) : ''}
      <p>${says}</p>
      <dl>
        <dt>${links.for}</dt>
        <dd><strong>${isolate(email)}</strong></dd>
        ${
          organization === null
            ? ''
            : html`<dt>${links.organization}</dt>
                <dd>${isolate(organization)}</dd>`
        }
        ${
          viewer === null
            ? ''
            : html`<dt>${links.here}</dt>
                <dd>${isolate(viewer)}</dd>`
        }
      </dl>
      ${isAnother(opened) ? notice('warn', links.another) : ''}
      ${
        isBarred(page, opened)
          ? html`<p>${links.signOutFirst}</p>`
          : html`<form method="post" action="/${page}">
              ${keepFields([['token', token], ...sure(opened)])} ${MAILED[page].fields?.(on, opened) ?? ''}
              <div class="actions">
                <button>${page === 'invitation' && viewer === null ? on.words.signIn.signUp.button : button}</button>
              </div>
            </form>`
      }`,
  })
}

const donePage = (
  { words: { signIn } }: Viewer,
  { viewer, email }: OpenLink,
  { title, says }: { readonly title: string; readonly says: string },
): Promise<Page> =>
  writePage({
    title,
    ...(viewer !== null && { place: null }),
    body: html`<h1>${title}</h1>
      <p>${signIn.links.for} ${isolate(email)}. ${says}</p>
      <p><a href="${viewer === null ? '/sign-in' : '/'}">${signIn.links.onward}</a></p>`,
  })

/** Confirms an address. It signs its person in where nobody is signed in, and nowhere else. */
async function confirmAddress(viewer: Viewer, opened: OpenLink, form: Fields): Promise<LinkResult> {
  const body = { token: opened.token, password: form.get('password') }
  const answer = await viewer.call<AuthenticatedSession>('POST', '/auth/email/confirm', body)
  if (!answer.ok) return { fault: messageOf(answer.error) }
  if (opened.viewer === null) return startSession(viewer, answer.body, '/')
  await viewer.endSession(answer.body.token)
  const { links } = viewer.words.signIn
  return donePage(viewer, opened, { title: links.confirmEmail.done, says: links.signOutHere })
}

/** Sets a new password by the token of a mail. */
async function setPassword(viewer: Viewer, opened: OpenLink, form: Fields): Promise<LinkResult> {
  const body = { token: opened.token, password: form.get('password') }
  const answer = await viewer.call('POST', '/auth/password/reset', body)
  if (!answer.ok) return { fault: messageOf(answer.error) }
  const { links } = viewer.words.signIn
  const title = links.resetPassword.done
  if (isAnother(opened)) return donePage(viewer, opened, { title, says: links.signOutHere })
  viewer.end()
  return donePage(viewer, { ...opened, viewer: null }, { title, says: links.signInNow })
}

/** Objects to the removal of second factors. */
async function keepFactors(viewer: Viewer, opened: OpenLink): Promise<LinkResult> {
  const answer = await viewer.call('POST', '/auth/factors/keep', { token: opened.token })
  if (!answer.ok) return { fault: messageOf(answer.error) }
  const { done, doneText } = viewer.words.signIn.links.keepFactors
  return donePage(viewer, opened, { title: done, says: doneText })
}

const newAccount = ({ signIn: { links, signUp, password } }: Words, email: string): Markup =>
  html`<p>${links.invitation.newAccount}</p>
    <label
      >${links.invitation.invitedEmail}
      <input name="email" type="email" autocomplete="username" value="${email}" required
    /></label>
    <label>${signUp.firstName} <input name="first_name" autocomplete="given-name" maxlength="255" /></label>
    <label>${signUp.lastName} <input name="last_name" autocomplete="family-name" maxlength="255" /></label>
    ${newPassword(password, signUp.passwordHint)}
    <p class="small"><a href="/sign-in">${links.invitation.have}</a></p>`

/** Joins an organization, with the account of the viewer or with a new one. */
async function acceptInvitation(viewer: Viewer, opened: OpenLink, form: Fields): Promise<LinkResult> {
  const { token } = opened
  if (opened.viewer !== null) {
    const answer = await viewer.call('POST', '/invitations/accept', { token })
    return answer.ok ? viewer.http.redirect('/', 303) : { fault: messageOf(answer.error) }
  }
  const names = { first_name: form.get('first_name') || null, last_name: form.get('last_name') || null }
  const body = { email: form.get('email'), password: form.get('password'), ...names, invitation_token: token }
  const made = await viewer.call<AuthenticatedSession>('POST', '/auth/sign-up', body)
  if (!made.ok) return { fault: messageOf(made.error) }
  if (made.body.status !== 'authenticated')
    return donePage(viewer, opened, {
      title: viewer.words.signIn.signUp.done,
      says: viewer.words.signIn.links.invitation.mailed,
    })
  return startSession(viewer, made.body, `/invitation#token=${encodeURIComponent(token)}`)
}

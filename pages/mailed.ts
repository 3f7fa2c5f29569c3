/** Pages that mails link to: each takes the token behind the `#` of its address, which no server logs. */
import { html } from 'hono/html'
import type { Markup, Page } from '../api/http/http.ts'
import type { Authenticated } from '../domain/sign-in/sign-in.ts'
import { notice, writePage } from './layout.ts'
import { messageOf } from './messages.ts'
import { startSession, toSignIn } from './sign-in.ts'
import type { Fields, Viewer } from './viewer.ts'

/** Field of the token: the script fills it from the address; without script it is pasted. */
const tokenField = html`<label data-token
  >Code of the mail: what follows <code>token=</code> in its link
  <input name="token" required autocomplete="off" maxlength="512"
/></label>`

type Asked = {
  readonly title: string
  readonly says: string
  readonly action: string
  readonly button: string
  readonly fields?: Markup
}

const tokenPage = ({ title, says, action, button, fields }: Asked, fault?: string): Promise<Page> =>
  writePage({
    title,
    status: fault ? 400 : 200,
    body: html`<h1>${title}</h1>
      ${fault ? notice('fault', fault) : ''}
      <p>${says}</p>
      <form method="post" action="${action}">
        ${tokenField} ${fields ?? ''}
        <div class="actions"><button>${button}</button></div>
      </form>`,
  })

const donePage = (title: string, says: string): Promise<Page> =>
  writePage({
    title,
    body: html`<h1>${title}</h1>
      <p>${says}</p>
      <p><a href="/approve">To the inbox</a></p>`,
  })

const CONFIRM = {
  title: 'Confirm your e-mail address',
  says: 'One more step, and your account is ready.',
  action: '/confirm-email',
  button: 'Confirm',
}

export const showConfirmation = (): Promise<Page> => tokenPage(CONFIRM)

/** Confirms an address, which signs its person in. */
export async function confirmAddress(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const answer = await viewer.call<Authenticated>('POST', '/auth/email/confirm', { token: form.get('token') })
  return answer.ok ? startSession(viewer, answer.body, '/approve') : tokenPage(CONFIRM, messageOf(answer.error))
}

const RESET = {
  title: 'New password',
  says: 'It has at least 12 characters. Every session ends, this one too.',
  action: '/reset-password',
  button: 'Set the password',
  fields: html`<label
    >New password <input name="password" type="password" autocomplete="new-password" minlength="12" required
  /></label>`,
}

export const showReset = (): Promise<Page> => tokenPage(RESET)

/** Sets a new password by the token of a mail. */
export async function setPassword(viewer: Viewer, form: Fields): Promise<Page> {
  const body = { token: form.get('token'), password: form.get('password') }
  const answer = await viewer.call('POST', '/auth/password/reset', body)
  if (!answer.ok) return tokenPage(RESET, messageOf(answer.error))
  viewer.end()
  return donePage('The password is set', 'Sign in with it.')
}

const KEEP = {
  title: 'Keep your second factors',
  says: 'An operator was asked to remove your authenticator and passkeys. Keep them if that was not you.',
  action: '/keep-factors',
  button: 'Keep them',
}

export const showFactors = (): Promise<Page> => tokenPage(KEEP)

/** Objects to the removal of second factors. */
export async function keepFactors(viewer: Viewer, form: Fields): Promise<Page> {
  const answer = await viewer.call('POST', '/auth/factors/keep', { token: form.get('token') })
  if (!answer.ok) return tokenPage(KEEP, messageOf(answer.error))
  return donePage('They are kept', 'Nothing was removed. Change your password if you did not ask for this.')
}

const JOIN = {
  title: 'Invitation',
  says: 'You are asked to join an organization.',
  action: '/invitation',
  button: 'Join',
}

export async function showInvitation(viewer: Viewer): Promise<Page> {
  const me = await viewer.call('GET', '/me')
  if (me.ok) return tokenPage(JOIN)
  return tokenPage({ ...JOIN, says: `${JOIN.says} Without an account yet, make one here.`, fields: newAccount })
}

const newAccount = html`<label
    >E-mail address that was invited <input name="email" type="email" autocomplete="username" required
  /></label>
  <label>First name <input name="first_name" autocomplete="given-name" maxlength="255" /></label>
  <label>Last name <input name="last_name" autocomplete="family-name" maxlength="255" /></label>
  <label>Password <input name="password" type="password" autocomplete="new-password" minlength="12" required /></label>
  <p class="small">With an account, <a href="/sign-in">sign in</a> first, and open the link of the mail again.</p>`

/** Joins an organization, with the account of the viewer or with a new one. */
export async function acceptInvitation(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const token = form.get('token')
  const email = form.get('email')
  if (email) {
    const names = { first_name: form.get('first_name') || null, last_name: form.get('last_name') || null }
    const body = { email, password: form.get('password'), ...names, invitation_token: token }
    const made = await viewer.call<Authenticated>('POST', '/auth/sign-up', body)
    if (!made.ok) return tokenPage({ ...JOIN, fields: newAccount }, messageOf(made.error))
    if (made.body.status !== 'authenticated')
      return donePage('Look at your mail', 'It has a link that confirms your address.')
    return startSession(viewer, made.body, `/invitation#token=${encodeURIComponent(token)}`)
  }
  const answer = await viewer.call('POST', '/invitations/accept', { token })
  if (answer.ok) return viewer.http.redirect('/approve', 303)
  return answer.status === 401 ? toSignIn(viewer) : tokenPage(JOIN, messageOf(answer.error))
}

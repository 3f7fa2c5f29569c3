/** A new account, and a new password for one whose owner forgot it: each sends a mail, whatever the address is. */
import { html } from 'hono/html'
import type { SignUpAnswer } from '../../domain/sign-in/sign-in.ts'
import { type Fault, faultOf } from '../frame/act.ts'
import { type Page, isolate, writePage } from '../frame/layout.ts'
import { field, head, notice } from '../frame/parts.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'

export const showSignUp = (viewer: Viewer): Promise<Page> => signUpPage(viewer)

function signUpPage({ words }: Viewer, fault?: Fault): Promise<Page> {
  const { signIn } = words
  const { signUp } = signIn
  const value = (name: string) => fault?.sent.get(name)
  return writePage({
    title: signUp.heading,
    status: fault?.status ?? 200,
    body: html`${head(signUp.heading, { below: html`${signUp.text} ${signUp.invited}` })}
      ${fault ? notice('fault', fault.text) : ''}
      <form method="post" action="/sign-up">
        ${field({ id: 'email', label: signIn.email, type: 'email', required: true, value: value('email'), wrong: fault?.wrong['email'], more: html`autocomplete="username" maxlength="255"` })}
        ${field({ id: 'password', label: signIn.password, type: 'password', required: true, hint: signUp.passwordHint, wrong: fault?.wrong['password'], more: html`autocomplete="new-password" minlength="12"` })}
        <div class="pair">
          ${field({ id: 'first_name', label: signUp.firstName, required: true, value: value('first_name'), wrong: fault?.wrong['first_name'], more: html`autocomplete="given-name" maxlength="255"` })}
          ${field({ id: 'last_name', label: signUp.lastName, required: true, value: value('last_name'), wrong: fault?.wrong['last_name'], more: html`autocomplete="family-name" maxlength="255"` })}
        </div>
        <div class="actions"><button>${signUp.button}</button></div>
      </form>
      <p class="links"><a href="/sign-in">${signUp.have}</a></p>`,
  })
}

/** Begins an account. The answer is the same for an address that has one already: its owner gets a mail that says so. */
export async function takeSignUp(viewer: Viewer, form: Fields): Promise<Page> {
  const names = ['email', 'password', 'first_name', 'last_name'] as const
  const body = Object.fromEntries(names.map((name) => [name, form.get(name)]))
  const answer = await viewer.call<SignUpAnswer>('POST', '/auth/sign-up', body)
  if (!answer.ok) return signUpPage(viewer, faultOf(answer.error, form))
  const { signUp } = viewer.words.signIn
  return writePage({
    title: signUp.done,
    body: html`${head(signUp.done)}
      <p><strong>${isolate(form.get('email'))}</strong></p>
      <p>${signUp.doneText}</p>
      <p class="small">${signUp.nothing}</p>
      <p class="links"><a href="/sign-up">${signUp.again}</a></p>`,
  })
}

export const showForgotten = (viewer: Viewer): Promise<Page> => forgottenPage(viewer)

function forgottenPage({ words: { signIn } }: Viewer, fault?: Fault): Promise<Page> {
  const { forgotten } = signIn
  return writePage({
    title: forgotten.heading,
    status: fault?.status ?? 200,
    body: html`${head(forgotten.heading, { below: html`${forgotten.text}` })}
      ${fault ? notice('fault', fault.text) : ''}
      <form method="post" action="/forgot-password">
        ${field({ id: 'email', label: signIn.email, type: 'email', required: true, value: fault?.sent.get('email'), wrong: fault?.wrong['email'], more: html`autocomplete="username" maxlength="255"` })}
        <div class="actions"><button>${forgotten.button}</button></div>
      </form>
      <p class="links"><a href="/sign-in">${forgotten.back}</a></p>`,
  })
}

/** Sends the mail by which a new password is set; its answer tells nothing about the address. */
export async function takeForgotten(viewer: Viewer, form: Fields): Promise<Page> {
  const answer = await viewer.call('POST', '/auth/password/forgot', { email: form.get('email') })
  if (!answer.ok) return forgottenPage(viewer, faultOf(answer.error, form))
  const { forgotten } = viewer.words.signIn
  return writePage({
    title: forgotten.done,
    body: html`${head(forgotten.done)}
      <p><strong>${isolate(form.get('email'))}</strong></p>
      <p>${forgotten.doneText}</p>
      <p class="links"><a href="/sign-in">${forgotten.back}</a></p>`,
  })
}

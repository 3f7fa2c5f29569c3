/** Profile and password of the viewer. */
import { html } from 'hono/html'
import { type Me, NOTIFY } from '../../domain/people/person.ts'
import { type Fault, act } from '../frame/act.ts'
import { bodyOf, doneNotice } from '../frame/company.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import { type Choice, field, select } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Shell } from '../frame/shell.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'
import { LANGUAGES } from '../words/words.ts'
import { DEVICES, faultNotice, mePage, statusOf } from './frame.ts'

const profilePage = (fault?: Fault) =>
  mePage('profile', async (viewer, shell) => {
    const { me: words } = viewer.words
    const me = bodyOf(await viewer.call<Me>('GET', '/me'))
    const value = (name: 'first_name' | 'last_name') => fault?.sent.get(name) ?? me[name]
    const wrong = fault?.wrong ?? {}
    return {
      title: words.heading,
      ...statusOf(fault),
      body: html`${doneNotice(viewer, { saved: words.saved, password: words.password.changed })} ${faultNotice(fault)}
        <section class="card">
          <h2>${words.profile.person}</h2>
          ${rowsOf([[words.profile.email, isolate(me.emails.find(({ primary }) => primary)?.address ?? '')]])}
          <form method="post" action="/me">
            <div class="pair">
              ${field({ id: 'first_name', label: words.profile.firstName, value: value('first_name'), required: true, wrong: wrong['first_name'], more: html`autocomplete="given-name" maxlength="255"` })}
              ${field({ id: 'last_name', label: words.profile.lastName, value: value('last_name'), required: true, wrong: wrong['last_name'], more: html`autocomplete="family-name" maxlength="255"` })}
            </div>
            ${select({
              id: 'language',
              label: words.profile.language,
              value: fault?.sent.get('language') ?? viewer.language,
              required: true,
              choices: LANGUAGES.map((one): Choice => [one, words.profile.languages[one]]),
            })}
            ${select({
              id: 'notify',
              label: words.profile.notify,
              hint: words.profile.notifyHint,
              value: fault?.sent.get('notify') ?? me.notify,
              required: true,
              choices: NOTIFY.map((one): Choice => [one, words.profile.notifyWays[one]]),
              wrong: wrong['notify'],
            })}
            <div class="actions"><button>${words.save}</button></div>
          </form>
        </section>
        ${firstCompany(viewer, shell)}
        <section class="card">
          <h2>${words.password.heading}</h2>
          <p>${words.password.text}</p>
          <p><a class="button second" href="/me/password">${words.password.change}</a></p>
        </section>
        <p><a href="/companies/new">${words.profile.newCompany}</a></p>`,
    }
  })

function firstCompany({ words: { me: words } }: Viewer, { companies }: Shell) {
  if (companies.length < 2) return ''
  const choices = companies.map(({ id, name }): Choice => [id, markAlike(name)])
  return html`<section class="card">
    <form method="post" action="/me/first-company">
      ${select({ id: 'organization_id', label: words.profile.first, required: true, value: companies.find(({ is_primary: first }) => first)?.id, choices })}
      <div class="actions"><button class="second">${words.save}</button></div>
    </form>
  </section>`
}

export const showProfile = profilePage()

/** Saves name, mails and language; the language is kept by this browser. */
export const saveProfile = act({
  ask: ({ form }) => ({
    method: 'PATCH',
    path: '/me',
    body: {
      first_name: form.get('first_name'),
      last_name: form.get('last_name'),
      notify: form.get('notify'),
    },
  }),
  then: (_, { viewer, form }) => {
    viewer.speak(form.get('language'))
    return '/me?done=saved'
  },
  again: (viewer, fault) => profilePage(fault)(viewer),
})

export const chooseFirstCompany = act({
  ask: ({ form }) => ({
    method: 'PUT',
    path: '/me/primary-organization',
    body: { organization_id: form.get('organization_id') },
  }),
  then: () => '/me?done=saved',
  again: (viewer, fault) => profilePage(fault)(viewer),
})

const passwordPage = (fault?: Fault) =>
  mePage('profile', (viewer) => {
    const { password: words } = viewer.words.me
    const wrong = fault?.wrong ?? {}
    return Promise.resolve({
      title: words.change,
      ...statusOf(fault),
      body: html`<section class="card">
        <h2>${words.change}</h2>
        ${faultNotice(fault)}
        <p>${words.text}</p>
        <form method="post" action="/me/password">
          ${field({ id: 'current_password', label: words.current, type: 'password', required: true, wrong: wrong['current_password'], more: html`autocomplete="current-password"` })}
          ${field({ id: 'password', label: words.next, type: 'password', required: true, hint: words.hint, wrong: wrong['password'], more: html`autocomplete="new-password" minlength="12"` })}
          <div class="actions">
            <button>${words.change}</button>
            <a class="button second" href="${DEVICES}">${viewer.words.signIn.proof.notNow}</a>
          </div>
        </form>
      </section>`,
    })
  })

export const showPassword = (viewer: Viewer): Promise<Page | Response> => passwordPage()(viewer)

export const changePassword = (viewer: Viewer, form: Fields): Promise<Page | Response> =>
  act({
    ask: () => ({
      path: '/me/password',
      body: { current_password: form.get('current_password'), password: form.get('password') },
    }),
    then: () => '/me?done=password',
    again: (again, fault) => passwordPage(fault)(again),
  })(viewer, form)

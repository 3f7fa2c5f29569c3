/** Factors that take two steps: an authenticator, recovery codes, a phone number. */
import { html } from 'hono/html'
import { qrCode } from '../../api/invoices/page.ts'
import * as v from 'valibot'
import type { PhoneCodeSent } from '../../domain/factors/phone-number.ts'
import { RecoveryCodes, Setup } from '../../domain/sign-in/sign-in.ts'
import { type Fault, act } from '../frame/act.ts'
import { jsonOf } from '../frame/factor-forms.ts'
import { keepFields } from '../frame/layout.ts'
import { field } from '../frame/parts.ts'
import type { Fields } from '../frame/viewer.ts'
import { devicesPage } from './devices.ts'
import { DEVICES, faultNotice, mePage, statusOf } from './frame.ts'

/** Begins to add an authenticator: its secret is shown once, and a code is sent. */
export const setUpAuthenticator = act<Setup>({
  ask: () => ({ path: '/auth/totp/setup' }),
  then: (setup, { viewer }) => setupPage(setup)(viewer),
  again: (viewer, fault) => devicesPage(fault)(viewer),
})

const setupPage = (setup: Setup, fault?: Fault) =>
  mePage('devices', (viewer) => {
    const { me, signIn } = viewer.words
    return Promise.resolve({
      title: me.authenticator.add,
      ...statusOf(fault),
      body: html`<section class="card">
        <h2>${me.authenticator.add}</h2>
        ${faultNotice(fault)}
        <p>${signIn.setUp.text}</p>
        <figure class="code">${qrCode(setup.uri, signIn.setUp.picture)}</figure>
        <p>${signIn.setUp.secret} <code>${setup.secret_encoded}</code></p>
        <form method="post" action="${DEVICES}/authenticator/activate">
          ${keepFields([['setup', JSON.stringify(setup)]])}
          ${field({ id: 'app_code', label: signIn.setUp.code, required: true, more: html`autocomplete="one-time-code" inputmode="numeric" maxlength="32"` })}
          ${field({ id: 'message_code', label: me.authenticator.message, required: true, more: html`autocomplete="off" inputmode="numeric" maxlength="32"` })}
          <div class="actions">
            <button>${me.authenticator.add}</button>
            <a class="button second" href="${DEVICES}">${signIn.proof.notNow}</a>
          </div>
        </form>
      </section>`,
    })
  })

const codeIn = (form: Fields, name: string): string => form.get(name).replaceAll(/\s/g, '')

/** Adds the authenticator by its first code and the code of the message. */
export const activateAuthenticator = act({
  ask: ({ form }) => ({
    path: '/auth/totp/activate',
    body: { code: codeIn(form, 'app_code'), messaging_code: codeIn(form, 'message_code') },
  }),
  then: () => `${DEVICES}?done=added`,
  again: (viewer, fault) => {
    const setup = v.safeParse(Setup, jsonOf(fault.sent.get('setup')))
    return (setup.success ? setupPage(setup.output, fault) : devicesPage(fault))(viewer)
  },
})

type Codes = v.InferOutput<typeof RecoveryCodes>

/** Makes recovery codes, and shows them once. */
export const makeRecoveryCodes = act<Codes>({
  ask: () => ({ path: '/me/recovery-codes' }),
  then: ({ codes }, { viewer }) => codesPage(codes)(viewer),
  again: (viewer, fault) => devicesPage(fault)(viewer),
})

const codesPage = (codes: readonly string[]) =>
  mePage('devices', (viewer) => {
    const { codes: words } = viewer.words.me
    return Promise.resolve({
      title: words.newHeading,
      body: html`<section class="card">
        <h2>${words.newHeading}</h2>
        <p>${words.text}</p>
        <pre>${codes.join('\n')}</pre>
        <p><a class="button" href="${DEVICES}">${words.kept}</a></p>
      </section>`,
    })
  })

const numberIn = (form: Fields): string => form.get('e164').replaceAll(/[\s()/.-]/g, '')

/** Sends a code to a new number, and asks for it. */
export const addPhone = act<PhoneCodeSent>({
  ask: ({ form }) => ({ path: '/me/phone-numbers', body: { e164: numberIn(form) } }),
  then: ({ e164 }, { viewer }) => phonePage(e164)(viewer),
  again: (viewer, fault) => devicesPage(fault)(viewer),
})

const phonePage = (e164: string, fault?: Fault) =>
  mePage('devices', (viewer) => {
    const { phones: words } = viewer.words.me
    return Promise.resolve({
      title: words.newHeading,
      ...statusOf(fault),
      body: html`<section class="card">
        <h2>${words.newHeading}</h2>
        ${faultNotice(fault)}
        <p>${words.sent} <strong>${e164}</strong>.</p>
        <form method="post" action="${DEVICES}/phones/confirm">
          ${keepFields([['e164', e164]])}
          ${field({ id: 'message_code', label: words.code, required: true, more: html`autocomplete="one-time-code" inputmode="numeric" maxlength="32"` })}
          <div class="actions">
            <button>${words.confirm}</button>
            <a class="button second" href="${DEVICES}">${viewer.words.signIn.proof.notNow}</a>
          </div>
        </form>
      </section>`,
    })
  })

/** Confirms a number by the code that was sent to it. */
export const confirmPhone = act({
  ask: ({ form }) => ({
    path: '/me/phone-numbers/confirm',
    body: { e164: numberIn(form), code: codeIn(form, 'message_code') },
  }),
  then: () => `${DEVICES}?done=phone`,
  again: (viewer, fault) => phonePage(numberIn(fault.sent), fault)(viewer),
})

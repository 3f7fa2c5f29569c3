/** Makes a passkey of the viewer in this browser. */
import { html } from 'hono/html'
import type { Passkey, RegistrationOptions } from '../../domain/factors/passkey.ts'
import { faultOf } from '../frame/act.ts'
import { jsonOf } from '../frame/factor-forms.ts'
import { Page, keepFields } from '../frame/layout.ts'
import { field } from '../frame/parts.ts'
import { askWithProof } from '../frame/proof.ts'
import { toSignIn } from '../frame/return.ts'
import { NO_FIELDS, type Fields, type Viewer } from '../frame/viewer.ts'
import { devicesPage } from './devices.ts'
import { DEVICES, mePage } from './frame.ts'

/** Shows the page on which the browser makes a passkey. */
export async function showNewPasskey(viewer: Viewer): Promise<Page | Response> {
  const answer = await viewer.call<RegistrationOptions>('POST', '/me/passkeys/options')
  if (!answer.ok)
    return answer.status === 401 ? toSignIn(viewer) : devicesPage(faultOf(answer.error, NO_FIELDS))(viewer)
  return newPasskeyPage(answer.body)(viewer)
}

const newPasskeyPage = (options: RegistrationOptions) =>
  mePage('devices', (viewer) => {
    const { passkeys: words } = viewer.words.me
    return Promise.resolve({
      title: words.newHeading,
      body: html`<section class="card">
        <h2>${words.newHeading}</h2>
        <p>${words.text}</p>
        <form method="post" action="${DEVICES}/passkeys">
          ${keepFields([['credential', '']])}
          ${field({ id: 'name', label: words.name, value: words.thisDevice, required: true, more: html`maxlength="100"` })}
          <p role="alert" class="small" data-fault="${words.notMade}" data-has="${words.has}"></p>
          <button type="button" data-create="${JSON.stringify(options)}" hidden>${words.make}</button>
          <noscript><p>${words.noScript}</p></noscript>
        </form>
      </section>`,
    })
  })

/** Registers the passkey that the browser has made. */
export async function addPasskey(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const [name, credential] = [form.get('name').trim() || 'Passkey', form.get('passkey') || form.get('credential')]
  const answer = await askWithProof<Passkey>(viewer, form, {
    path: '/me/passkeys',
    body: { name, credential: jsonOf(credential) },
    // the proof has a field `credential` of its own
    kept: [
      ['name', name],
      ['passkey', credential],
    ],
  })
  if (answer instanceof Page) return answer
  if (answer.ok) return viewer.http.redirect(DEVICES, 303)
  return answer.status === 401 ? toSignIn(viewer) : devicesPage(faultOf(answer.error, form))(viewer)
}

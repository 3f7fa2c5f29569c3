/** Passkeys of the viewer: makes one in this browser, and removes one. */
import { html } from 'hono/html'
import type { Passkey, RegistrationOptions } from '../../domain/factors/passkey.ts'
import { showDevices } from './devices.ts'
import { notice } from '../frame/parts.ts'
import { Page, writePage, keepFields } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { askWithProof } from '../frame/proof.ts'
import { jsonOf } from '../frame/factor-forms.ts'
import { toSignIn } from '../frame/return.ts'
import type { Answer, Fields, Viewer } from '../frame/viewer.ts'

const DEVICES = '/approve/devices'

/** Shows the page on which the browser makes a passkey. */
export async function showNewPasskey(viewer: Viewer): Promise<Page | Response> {
  const answer = await viewer.call<RegistrationOptions>('POST', '/me/passkeys/options')
  if (!answer.ok) return answer.status === 401 ? toSignIn(viewer) : showDevices(viewer, fault(answer))
  return writePage({
    title: 'New passkey',
    place: null,
    body: html`<h1>New passkey</h1>
      <p>A passkey is kept by this device, or by a security key. It proves who you are without a code.</p>
      <form method="post" action="${DEVICES}/passkeys">
        ${keepFields([['credential', '']])}
        <label>Name <input name="name" value="This device" maxlength="100" required /></label>
        <p role="alert" class="small"></p>
        <button type="button" data-create="${JSON.stringify(answer.body)}" hidden>Make a passkey</button>
        <noscript><p>This needs a browser with scripts.</p></noscript>
      </form>`,
  })
}

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
  return done(viewer, answer)
}

/** Removes a passkey. */
export async function removePasskey(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const id = viewer.http.req.param('id') ?? ''
  const answer = await askWithProof(viewer, form, {
    method: 'DELETE',
    path: `/me/passkeys/${encodeURIComponent(id)}`,
  })
  return done(viewer, answer)
}

async function done(viewer: Viewer, answer: Answer<unknown> | Page): Promise<Page | Response> {
  if (answer instanceof Page) return answer
  if (answer.ok) return viewer.http.redirect(DEVICES, 303)
  return answer.status === 401 ? toSignIn(viewer) : showDevices(viewer, fault(answer))
}

const fault = ({ error }: Extract<Answer<unknown>, { ok: false }>) => notice('fault', messageOf(error))

/** Devices of the viewer: passkeys, authenticator, approval devices, sessions. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Passkey } from '../../domain/factors/passkey.ts'
import type { Session } from '../../domain/people/device.ts'
import { type Delegate, abilityOf } from '../../domain/people/delegate.ts'
import type { Me } from '../../domain/people/person.ts'
import type { ApprovalCredential } from '../../domain/step-up/step-up.ts'
import { now } from '../../platform/clock.ts'
import { notice } from '../frame/parts.ts'
import { type Page, writePage, instant, isolate } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { toSignIn } from '../frame/return.ts'
import type { Viewer } from '../frame/viewer.ts'

type ListOf<Row> = { readonly data: readonly Row[] }

export async function showDevices(viewer: Viewer, said?: Markup): Promise<Page | Response> {
  const me = await viewer.call<Me>('GET', '/me')
  if (!me.ok) return toSignIn(viewer)
  const rowsAt = async <Row>(path: string): Promise<readonly Row[]> => {
    const answer = await viewer.call<ListOf<Row>>('GET', path)
    return answer.ok ? answer.body.data : []
  }
  const passkeys = await rowsAt<Passkey>('/me/passkeys')
  const devices = await rowsAt<ApprovalCredential>('/me/approval-credentials')
  const sessions = await rowsAt<Session>('/me/sessions')
  const delegates = (await rowsAt<Delegate>('/me/delegates?limit=100')).filter(
    (one) => one.ended_at === null && new Date(one.expires_at) > now(),
  )
  return writePage({
    title: 'Devices',
    place: null,
    body: html`<h1>Devices</h1>
      ${said ?? ''}
      <h2>Passkeys</h2>
      ${list(
        passkeys,
        'No passkey yet.',
        ({ id, name, inserted_at: at, this_device: here }) =>
          html`<strong>${isolate(name)}</strong>${here ? ' (this device)' : ''}<br /><span class="small"
              >since ${instant(at)}</span
            >
            <form method="post" action="/approve/devices/passkeys/${id}/remove">
              <button class="plain">Remove</button>
            </form>`,
      )}
      <p><a href="/approve/devices/passkeys/new">Add a passkey</a></p>
      <h2>Authenticator</h2>
      <p>${me.body.totp.enabled ? html`Set up, since ${instant(me.body.totp.inserted_at)}` : 'Not set up.'}</p>
      <h2>Approval devices</h2>
      ${list(
        devices,
        'None: a phone becomes one in the app.',
        (one) =>
          html`<strong>${isolate(one.name ?? 'A device')}</strong><br /><span class="small"
              >releases from ${instant(one.cooling_off_until)} on</span
            >`,
      )}
      <h2>Programs and agents</h2>
      ${list(
        delegates,
        'None acts in your name.',
        (one) =>
          html`<strong>${isolate(one.name)}</strong>${one.kind === 'agent' ? ' (agent)' : ''}<br /><span class="small"
              >may ${abilityOf(one.access)} until ${instant(one.expires_at)},
              ${one.last_used_at ? html`last used ${instant(one.last_used_at)}` : 'not used yet'}</span
            >
            <form method="post" action="/approve/devices/delegates/${one.id}/end">
              <button class="plain">End</button>
            </form>`,
      )}
      <h2>Where you are signed in</h2>
      ${list(
        sessions,
        'Nowhere else.',
        (one) =>
          html`<strong>${isolate(one.device_name ?? 'A device')}</strong>${one.this_session ? ' (here)' : ''}<br /><span
              class="small"
              >last used ${instant(one.last_used_at)}</span
            >
            ${one.this_session ? '' : html`<form method="post" action="/approve/devices/sessions/${one.id}/end"><button class="plain">Sign out there</button></form>`}`,
      )}`,
  })
}

const list = <Row>(rows: readonly Row[], none: string, shown: (row: Row) => Markup): Markup =>
  rows.length === 0
    ? html`<p>${none}</p>`
    : html`<ul class="cards">
        ${rows.map((row) => html`<li><div>${shown(row)}</div></li>`)}
      </ul>`

/** Ends another session of the viewer. */
export const endSession = (viewer: Viewer): Promise<Page | Response> => end(viewer, '/me/sessions')

/** Ends a delegate of the viewer. */
export const endDelegate = (viewer: Viewer): Promise<Page | Response> => end(viewer, '/me/delegates')

async function end(viewer: Viewer, path: string): Promise<Page | Response> {
  const id = viewer.http.req.param('id') ?? ''
  const answer = await viewer.call('DELETE', `${path}/${encodeURIComponent(id)}`)
  if (answer.ok) return viewer.http.redirect('/approve/devices', 303)
  return answer.status === 401 ? toSignIn(viewer) : showDevices(viewer, notice('fault', messageOf(answer.error)))
}

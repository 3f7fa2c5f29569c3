/** Sign-in and devices of the viewer: factors, recovery codes, phone numbers, programs, sessions. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Passkey } from '../../domain/factors/passkey.ts'
import type { Session } from '../../domain/people/device.ts'
import type { Delegate } from '../../domain/people/delegate.ts'
import type { Me } from '../../domain/people/person.ts'
import type { RecoveryCodeCount } from '../../domain/sign-in/sign-in.ts'
import type { ApprovalCredential } from '../../domain/step-up/step-up.ts'
import { now } from '../../platform/clock.ts'
import { type Fault, act } from '../frame/act.ts'
import { bodyOf, doneNotice } from '../frame/company.ts'
import type { Formats } from '../frame/formats.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { badge, field, sure } from '../frame/parts.ts'
import type { Shell } from '../frame/shell.ts'
import type { Fields, Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { DEVICES, faultNotice, mePage, statusOf } from './frame.ts'

type MeWords = Words['me']

export const devicesPage = (fault?: Fault) =>
  mePage('devices', async (viewer, shell) => {
    const { me: words } = viewer.words
    const rowsAt = async <Row>(path: string): Promise<readonly Row[]> => {
      const answer = await viewer.call<Rows<Row>>('GET', path)
      return answer.ok ? answer.body.data : []
    }
    const [me, codes, passkeys, devices, delegates, sessions] = await Promise.all([
      viewer.call<Me>('GET', '/me'),
      viewer.call<RecoveryCodeCount>('GET', '/me/recovery-codes'),
      rowsAt<Passkey>('/me/passkeys?limit=100'),
      rowsAt<ApprovalCredential>('/me/approval-credentials?limit=100'),
      rowsAt<Delegate>('/me/delegates?limit=100'),
      rowsAt<Session>('/me/sessions?limit=100'),
    ])
    const { totp, phone_numbers: numbers } = bodyOf(me)
    const left = codes.ok ? codes.body.remaining : 0
    const { formats } = shell
    const done = doneNotice(viewer, {
      added: words.authenticator.added,
      removed: words.authenticator.removed,
      phone: words.phones.done,
      ended: words.sessions.ended,
    })
    return {
      title: words.tabs.devices,
      ...statusOf(fault),
      body: html`${done} ${faultNotice(fault)} ${authenticator(totp, words, formats)}
      ${recoveryCodes(left, totp.enabled || passkeys.length > 0, words)} ${passkeyList(passkeys, words, formats)}
      ${phoneList(numbers, words, fault)} ${approvalDevices(devices, words, formats)}
      ${programs(delegates, words, shell)} ${sessionList(sessions, words, formats)}`,
    }
  })

export const showDevices = (viewer: Viewer): Promise<Page | Response> => devicesPage()(viewer)

const section = (title: string, body: Markup): Markup =>
  html`<section class="card">
    <h2>${title}</h2>
    ${body}
  </section>`

const list = <Row>(rows: readonly Row[], none: string, shown: (row: Row) => Markup): Markup =>
  rows.length === 0
    ? html`<p>${none}</p>`
    : html`<ul class="cards">
        ${rows.map((row) => html`<li>${shown(row)}</li>`)}
      </ul>`

/** Shows a button that does one thing to one row. */
const button = (action: string, text: string, fields: Markup | '' = ''): Markup =>
  html`<form method="post" action="${action}">${fields}<button class="plain">${text}</button></form>`

const authenticator = (totp: Me['totp'], words: MeWords, formats: Formats): Markup =>
  section(
    words.authenticator.heading,
    totp.enabled
      ? html`<p>${badge(words.authenticator.on, 'good')} ${words.since} ${formats.instant(totp.inserted_at)}</p>
          ${sure({ ask: words.remove, text: words.authenticator.removeText, action: `${DEVICES}/authenticator/remove`, button: words.remove })}`
      : html`<p>${words.authenticator.off} ${words.authenticator.why}</p>
          <form method="post" action="${DEVICES}/authenticator">
            <button class="second">${words.authenticator.add}</button>
          </form>`,
  )

function recoveryCodes(left: number, can: boolean, { codes: words }: MeWords): Markup {
  const action = `${DEVICES}/recovery-codes`
  const make =
    left > 0
      ? sure({ ask: words.make, text: words.makeText, action, button: words.make })
      : html`<form method="post" action="${action}"><button class="second">${words.make}</button></form>`
  return section(
    words.heading,
    html`<p>${left > 0 ? words.left(left) : words.none} ${words.why}</p>
      ${can ? make : ''}`,
  )
}

const passkeyList = (passkeys: readonly Passkey[], words: MeWords, formats: Formats): Markup =>
  section(
    words.passkeys.heading,
    html`${list(
        passkeys,
        words.passkeys.none,
        ({ id, name, inserted_at: at, this_device: here }) =>
          html`<div>
              <strong>${isolate(name)}</strong> ${here ? words.passkeys.here : ''}<br /><span class="small"
                >${words.since} ${formats.instant(at)}</span
              >
            </div>
            ${button(`${DEVICES}/passkeys/${id}/remove`, words.remove)}`,
      )}
      <p><a href="${DEVICES}/passkeys/new">${words.passkeys.add}</a></p>`,
  )

const phoneList = (numbers: Me['phone_numbers'], words: MeWords, fault: Fault | undefined): Markup =>
  section(
    words.phones.heading,
    html`<p class="small">${words.phones.why}</p>
      ${list(
        numbers,
        words.phones.none,
        ({ e164, confirmed }) =>
          html`<div>
              <strong>${e164}</strong>
              ${confirmed ? badge(words.phones.confirmed, 'good') : badge(words.phones.unconfirmed, 'warn')}
            </div>
            ${button(`${DEVICES}/phones/remove`, words.remove, keepFields([['number', e164]]))}`,
      )}
      <form method="post" action="${DEVICES}/phones">
        ${field({ id: 'e164', label: words.phones.number, type: 'tel', required: true, hint: words.phones.hint, value: fault?.sent.get('e164'), wrong: fault?.wrong['e164'], more: html`autocomplete="tel" maxlength="32"` })}
        <div class="actions"><button class="second">${words.phones.add}</button></div>
      </form>`,
  )

const approvalDevices = (devices: readonly ApprovalCredential[], words: MeWords, formats: Formats): Markup =>
  section(
    words.approvals.heading,
    list(
      devices,
      words.approvals.none,
      ({ id, name, cooling_off_until: from }) =>
        html`<div>
            <strong>${isolate(name ?? words.approvals.device)}</strong><br /><span class="small"
              >${words.approvals.from} ${formats.instant(from)} ${words.approvals.on}</span
            >
          </div>
          ${button(`${DEVICES}/approval/${id}/remove`, words.remove)}`,
    ),
  )

function programs(delegates: readonly Delegate[], { programs: words }: MeWords, { companies, formats }: Shell): Markup {
  const live = delegates.filter((one) => one.ended_at === null && new Date(one.expires_at) > now())
  const companyOf = (id: string): string => companies.find((one) => one.id === id)?.name ?? ''
  return section(
    words.heading,
    list(
      live,
      words.none,
      (one) =>
        html`<div>
            <strong>${isolate(one.name)}</strong> ${one.kind === 'agent' ? words.agent : ''}
            ${companyOf(one.organization_id) ? isolate(companyOf(one.organization_id)) : ''}<br /><span class="small"
              >${words.may[one.access]} ${words.until} ${formats.instant(one.expires_at)},
              ${one.last_used_at ? html`${words.used} ${formats.instant(one.last_used_at)}` : words.unused}</span
            >
          </div>
          ${button(`${DEVICES}/delegates/${one.id}/end`, words.end)}`,
    ),
  )
}

function sessionList(sessions: readonly Session[], { sessions: words }: MeWords, formats: Formats): Markup {
  const others = sessions.filter((one) => !one.this_session)
  return section(
    words.heading,
    html`${list(
      sessions,
      words.none,
      (one) =>
        html`<div>
            <strong>${one.device_name === null ? '?' : isolate(words.device(one.device_name))}</strong>
            ${one.this_session ? words.here : ''}<br /><span class="small"
              >${words.used}
              ${formats.instant(one.last_used_at)}${one.ip_address ? html`, ${words.from} ${one.ip_address}` : ''}</span
            >
          </div>
          ${one.this_session ? '' : button(`${DEVICES}/sessions/${one.id}/end`, words.end)}`,
    )}
    ${others.length > 0 ? html`<form method="post" action="${DEVICES}/sessions/end"><button class="second">${words.endAll}</button></form>` : ''}`,
  )
}

type Taker = (viewer: Viewer, form: Fields) => Promise<Page | Response>

/** Makes what ends a thing of the viewer, and shows the page again. */
const end = (path: (id: string, form: Fields) => string, done = ''): Taker =>
  act({
    ask: ({ id, form }) => ({ method: 'DELETE', path: path(encodeURIComponent(id), form) }),
    then: () => `${DEVICES}${done && `?done=${done}`}`,
    again: (viewer, fault) => devicesPage(fault)(viewer),
  })

export const endSession = end((id) => `/me/sessions/${id}`)
export const endOtherSessions = end(() => '/me/sessions', 'ended')
export const endDelegate = end((id) => `/me/delegates/${id}`)
export const removePasskey = end((id) => `/me/passkeys/${id}`)
export const removeApprovalDevice = end((id) => `/me/approval-credentials/${id}`)
export const removeAuthenticator = end(() => '/auth/totp', 'removed')
export const removePhone = end((_, form) => `/me/phone-numbers/${encodeURIComponent(form.get('number'))}`)

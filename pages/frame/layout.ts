/** Frame of every page of people: its head, its navigation, and the policy that its browser keeps. */
import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import { type Markup, Page, htmlPage } from '../../api/http/http.ts'
import { MARK, markAlike, sayAlike } from '../../domain/look-alikes.ts'
import { assetPath } from '../../api/assets/assets.ts'

/** Policy of the pages: our style and script, pictures and forms of this origin, and nothing else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:", // data: is the icon that is none
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

export type Place = 'inbox' | 'history' | 'devices'

export type Frame = {
  readonly title: string
  readonly body: Markup
  /** Entry of the navigation that the page is; absent on pages of callers who are not signed in. */
  readonly place?: Place | null
  /** Address that the page leads to by itself, without script; with it, by its link `data-again`. */
  readonly refresh?: string
  /** Address of the stream that tells when the page has changed. */
  readonly live?: string
  readonly status?: 200 | 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 503
}

const PLACES: readonly (readonly [Place, path: string, name: string])[] = [
  ['inbox', '/approve', 'Inbox'],
  ['history', '/approve/history', 'History'],
  ['devices', '/approve/devices', 'Devices'],
]

/** Writes a page. */
export async function writePage({ title, body, place, live, refresh, status = 200 }: Frame): Promise<Page> {
  const head = html`<link rel="stylesheet" href="${assetPath('style.css')}" />
    <script type="module" src="${assetPath('page.js')}"></script>
    ${refresh ? html`<noscript><meta http-equiv="refresh" content="0; url=${refresh}" /></noscript>` : ''}`
  const whole = html`${place === undefined ? '' : navigation(place)}
    <main ${live ? html`data-live="${live}"` : ''}>${body}</main>`
  return new Page(await htmlPage({ language: 'en', title: markAlike(title), style: head, body: whole }), POLICY, status)
}

const navigation = (here: Place | null): Markup =>
  html`<nav aria-label="Pages">
    ${PLACES.map(
      ([place, path, name]) => html`<a href="${path}" ${place === here ? html`aria-current="page"` : ''}>${name}</a>`,
    )}
    <form method="post" action="/sign-out"><button class="plain">Sign out</button></form>
  </nav>`

/** Shows what went wrong, or what was done, above the rest of a page. */
export const notice = (kind: 'fault' | 'done', text: string): Markup =>
  html`<p class="notice ${kind}" role="${kind === 'fault' ? 'alert' : 'status'}">${text}</p>`

/** Shows an instant; the script of the page puts it in the viewer's own time. */
export const instant = (at: string): Markup => html`<time datetime="${at}">${INSTANT.format(new Date(at))} UTC</time>`

const INSTANT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/**
 * Shows a text that people wrote, outsiders among them: its direction is its own, whatever stands beside it, and behind
 * it stands what may deceive about its letters. Whatever is not our own word goes through here.
 */
export function isolate(text: string): Markup {
  const said = sayAlike(text)
  return html`<bdi>${text}</bdi>${said === null ? '' : html` <strong class="alike">⚠ ${said}</strong>`}`
}

/** Shows a sentence of ours with names in double quotes (`quoteName`): none changes the order of what follows it. */
export const isolateQuoted = (sentence: string): Markup =>
  html`<bdi dir="ltr">${sentence.split(QUOTED).map((part) => (part.startsWith('"') ? isolate(part) : part))}</bdi>`
/** A quoted name; the mark behind it is written again, in letters of its own. */
const QUOTED = new RegExp(`("[^"]*")(?:${MARK})?`)

/** Fields that a form keeps beside what its viewer enters; a name may come several times. */
export type HiddenFields = readonly (readonly [name: string, value: string])[]

export const keepFields = (fields: HiddenFields): Markup =>
  html`${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`

/** Hashes what a page shows, to tell later if that is another. */
export const digestOf = (shown: object): string =>
  createHash('sha256').update(JSON.stringify(shown)).digest('base64url')

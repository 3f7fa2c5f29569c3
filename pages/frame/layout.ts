/** Frame of every page of people: its head, its navigation, and the policy that its browser keeps. */
import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import { Page as HttpPage, type Markup, htmlPage } from '../../api/http/http.ts'
import { MARK, markAlike, sayAlike } from '../../domain/look-alikes.ts'
import { LOGO, assetPath } from '../../api/assets/assets.ts'
import { config } from '../../platform/config.ts'
import type { Words } from '../words/en.ts'
import { type Icon, icon } from './parts.ts'
import { type Shell, shellOf } from './shell.ts'
import type { Viewer } from './viewer.ts'

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

export type Place =
  | 'home'
  | 'approvals'
  | 'payments'
  | 'bills'
  | 'batches'
  | 'invoices'
  | 'payees'
  | 'company'
  | 'books'
  | 'programs'
  | 'more'

export type Frame = {
  readonly title: string
  readonly body: Markup
  /** Place in the navigation that the page belongs to, null for none; absent on pages of callers who are not signed in. */
  readonly place?: Place | null
  /** Viewer and company, if the page has read them. */
  readonly shell?: Shell
  /** True for a page without navigation that has more than a short form. */
  readonly wide?: boolean
  /** Address that the page leads to by itself, without script; with it, by its link `data-again`. */
  readonly refresh?: string
  /** Address of the stream that tells when the page has changed. */
  readonly live?: string
  readonly status?: 200 | 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 503
}

/** Page that a viewer is shown; drawPage() puts it into its frame. */
export class Page {
  constructor(readonly frame: Frame) {}
}

/** Writes a page. */
export const writePage = (frame: Frame): Promise<Page> => Promise.resolve(new Page(frame))

/** Draws a page for its viewer: frame, head, and the policy that the browser keeps. */
export async function drawPage(viewer: Viewer, { frame }: Page): Promise<HttpPage> {
  const { title, body, place, live, refresh, wide = false, status = 200 } = frame
  const style = html`<link rel="stylesheet" href="${assetPath('style.css')}" />
    <script type="module" src="${assetPath('page.js')}"></script>
    ${refresh ? html`<noscript><meta http-equiv="refresh" content="0; url=${refresh}" /></noscript>` : ''}`
  const shell = place === undefined ? null : (frame.shell ?? (await shellOf(viewer)))
  const { words, language } = viewer
  const main = html`<main id="main" ${live ? html`data-live="${live}"` : ''}>${body}</main>`
  const whole = shell
    ? html`<a class="skip" href="#main">${words.skip}</a>${topOf(shell, words, viewer.http.req.path)}
        ${placesOf(shell, words, place ?? null)}${main}`
    : html`<header>${brand('/')}</header>
        ${main}`
  const styled = shell ? 'signed' : `alone${wide || place !== undefined ? ' wide' : ''}`
  const text = await htmlPage({
    language,
    title: markAlike(title),
    style,
    body: whole,
    styled,
    icon: assetPath('favicon.svg'),
  })
  return new HttpPage(text, POLICY, status)
}

/** Shows mark and name of the service. */
const brand = (path: string): Markup =>
  html`<a class="brand" href="${path}"
    >${LOGO ? html`<img src="${LOGO}" alt="" />` : icon('mark')}<span>${config.serviceName}</span></a
  >`

/** Shows the head of a page: the service, the company that the page is about, the viewer. */
const topOf = ({ name, companies, company }: Shell, words: Words, here: string): Markup =>
  html`<header class="top">
    ${brand('/')}
    ${
      company === null
        ? ''
        : html`<details class="menu">
            <summary>
              <span class="unseen">${words.frame.company}: </span><span class="name">${isolate(company.name)}</span>
              ${icon('chevron')}
            </summary>
            <div class="list">
              ${companies.map(
                ({ id, name: other }) =>
                  html`<a href="/o/${id}" ${id === company.id ? html`aria-current="true"` : ''}>${isolate(other)}</a>`,
              )}
            </div>
          </details>`
    }
    <details class="menu person">
      <summary>
        ${icon('me')}<span class="unseen">${words.frame.person}: </span><span class="name">${isolate(name)}</span>
      </summary>
      <div class="list">
        <p class="small">${isolate(name)}</p>
        <a href="/me">${icon('me')}${words.frame.account}</a>
        <a href="/approve/history">${icon('clock')}${words.frame.history}</a>
        <form method="post" action="/language">
          ${keepFields([['next', here]])}
          <button name="language" value="${words.frame.otherLanguage}">${icon('info')}${words.frame.language}</button>
        </form>
        <form method="post" action="/sign-out"><button>${icon('leave')}${words.frame.signOut}</button></form>
      </div>
    </details>
  </header>`

/** Places of a company; those that are rarer stand behind *more* on a phone. */
export const PLACES: readonly (readonly [Place, Icon, path: string, rare?: true])[] = [
  ['home', 'home', ''],
  ['approvals', 'approvals', '/approve'],
  ['payments', 'payments', '/payments'],
  ['bills', 'bills', '/bills'],
  ['batches', 'batches', '/batches', true],
  ['invoices', 'invoices', '/invoices', true],
  ['payees', 'payees', '/payees', true],
  ['company', 'company', '/company', true],
  ['books', 'books', '/books', true],
  ['programs', 'programs', '/programs', true],
  ['more', 'more', '/more'],
]

/** Finds the address of a place: approvals are those of all companies. */
export const pathOf = (place: Place, path: string, companyId: string): string =>
  place === 'approvals' ? path : `/o/${companyId}${path}`

const placesOf = ({ company, waiting }: Shell, words: Words, here: Place | null): Markup | '' =>
  company === null
    ? ''
    : html`<nav class="places" aria-label="${words.frame.places}">
        ${PLACES.map(
          ([place, of, path, rare]) =>
            html`<a
              href="${pathOf(place, path, company.id)}"
              ${place === here ? html`aria-current="page"` : ''}
              class="${rare ? 'rare' : place === 'more' ? 'more' : ''}"
              >${icon(of)}<span>${words.places[place]}</span>${place === 'approvals' ? countOf(waiting, words) : ''}</a
            >`,
        )}
      </nav>`

const countOf = (waiting: number, words: Words): Markup | '' =>
  waiting === 0
    ? ''
    : html`<span class="count" aria-hidden="true">${waiting > 99 ? '99+' : waiting}</span
        ><span class="unseen">(${words.frame.waiting(waiting)})</span>`

/** Shows an instant in UTC, where no company is known whose time zone counts. */
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

/** Pages of people. They call the operations of the API, and know no other door. */
import type { Hono } from 'hono'
import type { Env, Http, Markup } from '../api/http/http.ts'
import { refusalOf } from '../api/app.ts'
import { REFUSALS, type Refusal, refuse } from '../domain/errors.ts'
import { html } from 'hono/html'
import { log } from '../platform/log.ts'
import { ASSETS, serveAsset } from '../api/assets/assets.ts'
import { config } from '../platform/config.ts'
import { APPROVALS } from './approvals/routes.ts'
import { BILLS } from './bills/routes.ts'
import { RUNS } from './runs/routes.ts'
import { BATCHES } from './batches/routes.ts'
import { INVOICES } from './invoices/routes.ts'
import { DESK } from './desk/routes.ts'
import { COMPANY } from './company/routes.ts'
import { PROGRAMS } from './programs/routes.ts'
import { BOOKS } from './books/routes.ts'
import { ME } from './me/routes.ts'
import { showChanges } from './approvals/stream.ts'
import { showDesign } from './design/design.ts'
import { notFound } from './frame/company.ts'
import { type Frame, Page, drawPage } from './frame/layout.ts'
import { messageOf } from './frame/messages.ts'
import type { Routes } from './frame/routes.ts'
import { Viewer } from './frame/viewer.ts'
import { HOME } from './home/routes.ts'
import { OPERATE } from './operate/routes.ts'
import { PAYEES } from './payees/routes.ts'
import { PAYMENTS } from './payments/routes.ts'
import { SIGN_IN } from './sign-in/routes.ts'
import { isFromElsewhere, landAgain } from './sign-in/sign-in.ts'
import { toSignIn } from './frame/return.ts'

const ROOMS: readonly Routes[] = [
  HOME,
  SIGN_IN,
  ME, // before approvals: `/approve/devices` is no approval
  APPROVALS,
  DESK,
  PAYMENTS,
  RUNS,
  BILLS,
  BATCHES,
  INVOICES,
  PAYEES,
  COMPANY,
  PROGRAMS,
  BOOKS,
  OPERATE,
  { shown: config.live ? {} : { '/design': showDesign }, sent: {} },
]
/** Every page, and every form. */
export const SHOWN: Routes['shown'] = Object.assign({}, ...ROOMS.map(({ shown }) => shown))
export const SENT: Routes['sent'] = Object.assign({}, ...ROOMS.map(({ sent }) => sent))

/** Adds the pages to the app of the API. */
export function mountPages(app: Hono<Env>): void {
  app.get(ASSETS, serveAsset)
  for (const [path, show] of Object.entries(SHOWN)) {
    app.get(path, (http) =>
      answer(new Viewer(app, http, show === showChanges), `GET ${path}`, (viewer) => {
        return isFromElsewhere(viewer) ? landAgain(viewer) : show(viewer)
      }),
    )
  }
  for (const path of Object.keys(SENT)) {
    if (path in SHOWN) continue
    app.get(path, (http) => http.redirect(placeOf(http.req.path), 302)) // as after a reload
  }
  app.notFound((http) => {
    if (!isForPeople(http)) refuse('route_not_found')
    return answer(new Viewer(app, http), 'GET *', notFound)
  })
  for (const [path, take] of Object.entries(SENT)) {
    app.post(path, (http) =>
      answer(new Viewer(app, http), `POST ${path}`, async (viewer) => take(viewer, await viewer.form())),
    )
  }
}

/** Tells if a person asks for an address in a browser: programs are answered in JSON, and so are paths of the API. */
const isForPeople = ({ req }: Http): boolean =>
  req.method === 'GET' && !req.path.startsWith('/api/') && (req.header('accept') ?? '').includes('text/html')

/** Expressions of the addresses of pages; an id is never a word, so that forms of lists are none of a row. */
const PLACES = Object.keys(SHOWN).map((path) => new RegExp(`^${path.replaceAll(/:[a-z]+/g, '[\\da-f-]{36}')}$`))

/** Finds the page that has the form of this address: the nearest one above it. */
export function placeOf(path: string): string {
  if (path === '' || PLACES.some((place) => place.test(path))) return path || '/'
  return placeOf(path.slice(0, path.lastIndexOf('/')))
}

/** Answers a page with the headers of every page; a refusal is a page too. */
async function answer(
  viewer: Viewer,
  route: string,
  work: (viewer: Viewer) => ReturnType<Routes['shown'][string]>,
): Promise<Response> {
  const { http } = viewer
  http.set('route', route)
  viewer.place = placeOf(http.req.path)
  http.header('cross-origin-opener-policy', 'same-origin')
  http.header('cross-origin-resource-policy', 'same-origin')
  http.header('referrer-policy', 'same-origin') // without one, browsers send forms from the origin null
  http.header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(self)')
  http.header('x-robots-tag', 'noindex')
  try {
    return await draw(viewer, await work(viewer))
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal.type === 'not_authenticated') return draw(viewer, toSignIn(viewer)) // before a form was read
    if (refusal.type === 'internal_error') log.error({ err: error, request_id: http.get('requestId') }, 'bug')
    return (await drawPage(viewer, faultPage(viewer, refusal, http.get('requestId')))).toResponse(http)
  }
}

const draw = async (viewer: Viewer, page: Page | Response): Promise<Response> =>
  page instanceof Page ? (await drawPage(viewer, page)).toResponse(viewer.http) : page

/** Leads an owner outside of the networks of a company to where these are lifted. */
function networksLink(path: string, { heading }: { readonly heading: string }): Markup | '' {
  const [, id] = /^\/o\/([\da-f-]{36})(?:\/|$)/i.exec(path) ?? []
  return id === undefined ? '' : html`<p><a href="/o/${id}/company/networks">${heading}</a></p>`
}

/** Shows a refusal. It has no navigation: what that reads may be what was refused. */
const faultPage = (
  { words: { fault, company }, language, http }: Viewer,
  { type, message, details }: Refusal,
  requestId: string,
): Page =>
  new Page({
    title: fault.heading,
    status: REFUSALS[type][0] as NonNullable<Frame['status']>,
    body: html`<h1>${fault.heading}</h1>
      <p>${messageOf({ type, message, details, language })}</p>
      ${type === 'ip_not_allowed' ? networksLink(http.req.path, company.networks) : ''}
      <p class="small">${fault.request} ${requestId}</p>
      <p><a href="/">${fault.home}</a></p>`,
  })

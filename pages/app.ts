/** Pages of people: where approvers sign in and decide. They call the operations of the API, and know no other door. */
import type { Hono } from 'hono'
import type { Env, Http } from '../api/http/http.ts'
import { refusalOf } from '../api/app.ts'
import { REFUSALS, type Refusal, refuse } from '../domain/errors.ts'
import { html } from 'hono/html'
import { log } from '../platform/log.ts'
import { showApproval } from './approvals/approval.ts'
import { ASSETS, serveAsset } from '../api/assets/assets.ts'
import { showBill, showBillFile, showBillPicture } from './approvals/bill.ts'
import { authorize, showAuthorization } from './sign-in/authorize.ts'
import { approve, decideSet, reject } from './approvals/decide.ts'
import { endDelegate, endSession, showDevices } from './sign-in/devices.ts'
import { showBatchRows, showEvidence } from './approvals/details.ts'
import { showHistory, showInbox } from './approvals/inbox.ts'
import { config } from '../platform/config.ts'
import { showDesign } from './design/design.ts'
import { notFound } from './frame/company.ts'
import { type Frame, Page, drawPage } from './frame/layout.ts'
import { showHome } from './home/home.ts'
import { showAttention, showTransaction, showTransactions } from './home/lists.ts'
import { changeLanguage, showStart } from './home/start.ts'
import { addPayee, showNewPayee } from './payees/new.ts'
import { showPayee, showPayees } from './payees/payees.ts'
import { showPayments } from './payments/list.ts'
import { askForPayment, checkPayment, showNewPayment } from './payments/pay.ts'
import { cancel, showPayment, showReceipt, unschedule, withdraw } from './payments/payment.ts'
import { messageOf } from './frame/messages.ts'
import { showOneProcess, showOperate, signOutOperator, takeToken } from './operate/operate.ts'
import { addPasskey, removePasskey, showNewPasskey } from './sign-in/passkeys.ts'
import { MAILED_SENT, MAILED_SHOWN } from './sign-in/mailed.ts'
import {
  isFromElsewhere,
  landAgain,
  showSignIn,
  signOut,
  takeFactor,
  takeFirstCode,
  takePassword,
} from './sign-in/sign-in.ts'
import { showChanges } from './approvals/stream.ts'
import { type Fields, Viewer } from './frame/viewer.ts'
import type { Words } from './words/en.ts'

type PageResult = Page | Response | Promise<Page | Response>

const SHOWN: Readonly<Record<string, (viewer: Viewer) => PageResult>> = {
  '/': showStart,
  ...(config.live ? {} : { '/design': showDesign }),
  '/o/:company': showHome,
  '/o/:company/attention': showAttention,
  '/o/:company/transactions': showTransactions,
  '/o/:company/transactions/:id': showTransaction,
  '/o/:company/payees': showPayees,
  '/o/:company/payees/new': showNewPayee,
  '/o/:company/payees/:id': showPayee,
  '/o/:company/payments': showPayments,
  '/o/:company/payments/new': showNewPayment,
  '/o/:company/payments/check': checkPayment,
  '/o/:company/payments/:id': showPayment,
  '/o/:company/payments/:id/receipt': showReceipt,
  '/sign-in': showSignIn,
  ...MAILED_SHOWN,
  '/authorize': showAuthorization,
  '/approvals': ({ http }) => http.redirect('/approve', 302),
  '/approve': showInbox,
  '/approve/history': showHistory,
  '/approve/devices': (viewer) => showDevices(viewer),
  '/approve/devices/passkeys/new': showNewPasskey,
  '/approve/stream': showChanges,
  '/operate': showOperate,
  '/operate/processes/:id': showOneProcess,
  '/approve/:id': showApproval,
  '/approve/:id/bill': showBill,
  '/approve/:id/bill/1.png': showBillPicture,
  '/approve/:id/bill/file': showBillFile,
  '/approve/:id/rows': showBatchRows,
  '/approve/:id/evidence': showEvidence,
}

const SENT: Readonly<Record<string, (viewer: Viewer, form: Fields) => PageResult>> = {
  '/language': changeLanguage,
  '/o/:company/payees': addPayee,
  '/o/:company/payments': askForPayment,
  '/o/:company/payments/:id/withdraw': withdraw,
  '/o/:company/payments/:id/unschedule': unschedule,
  '/o/:company/payments/:id/cancel': cancel,
  '/sign-in': takePassword,
  '/sign-in/factor': takeFactor,
  '/sign-in/authenticator': takeFirstCode,
  '/sign-out': signOut,
  '/operate/sign-in': takeToken,
  '/operate/sign-out': signOutOperator,
  ...MAILED_SENT,
  '/authorize': authorize,
  '/approve/set': decideSet,
  '/approve/devices/delegates/:id/end': endDelegate,
  '/approve/devices/sessions/:id/end': endSession,
  '/approve/devices/passkeys': addPasskey,
  '/approve/devices/passkeys/:id/remove': removePasskey,
  '/approve/:id/approve': approve,
  '/approve/:id/reject': reject,
}

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

/** Finds the page that has the form of this address. */
function placeOf(path: string): string {
  const approval = /^\/approve\/([\da-f-]{36})\//.exec(path)?.[1]
  if (approval) return `/approve/${approval}`
  return path.startsWith('/approve/devices/')
    ? '/approve/devices'
    : path.startsWith('/operate')
      ? '/operate'
      : '/approve'
}

/** Answers a page with the headers of every page; a refusal is a page too. */
async function answer(viewer: Viewer, route: string, work: (viewer: Viewer) => PageResult): Promise<Response> {
  const { http } = viewer
  http.set('route', route)
  http.header('cross-origin-opener-policy', 'same-origin')
  http.header('cross-origin-resource-policy', 'same-origin')
  http.header('referrer-policy', 'same-origin') // without one, browsers send forms from the origin null
  http.header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(self)')
  http.header('x-robots-tag', 'noindex')
  try {
    const page = await work(viewer)
    return page instanceof Page ? (await drawPage(viewer, page)).toResponse(http) : page
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal.type === 'internal_error') log.error({ err: error, request_id: http.get('requestId') }, 'bug')
    return (await drawPage(viewer, faultPage(viewer.words, refusal, http.get('requestId')))).toResponse(http)
  }
}

/** Shows a refusal. It has no navigation: what that reads may be what was refused. */
const faultPage = ({ fault }: Words, refusal: Refusal, requestId: string): Page =>
  new Page({
    title: fault.heading,
    status: REFUSALS[refusal.type][0] as NonNullable<Frame['status']>,
    body: html`<h1>${fault.heading}</h1>
      <p>${messageOf(refusal)}</p>
      <p class="small">${fault.request} ${requestId}</p>
      <p><a href="/">${fault.home}</a></p>`,
  })

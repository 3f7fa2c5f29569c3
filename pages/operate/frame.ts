/** Frame of the pages of operators: behind their token alone, with its sign-out. */
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { networkOf } from '../../api/http/address.ts'
import { isSecret } from '../../api/http/caller.ts'
import {
  OPERATOR_HOURS,
  beginOperatorSignIn,
  endOperatorSignIn,
  endOperatorSignIns,
  isOperatorMark,
} from '../../services/operators/sign-ins.ts'
import { countOne, refuseOver } from '../../services/rate-limits.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { field, notice } from '../frame/parts.ts'
import { type Frame, type Page, keepFields, writePage } from '../frame/layout.ts'
import { type Fields, type Viewer, COOKIE, cookieName } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

const MARK = 'operator'

const markIn = ({ http }: Viewer): string => getCookie(http, cookieName(MARK)) ?? ''

/** Tells if the viewer has signed in as an operator; in the test environment without a token everybody is one. */
const isOperator = async (viewer: Viewer): Promise<boolean> =>
  !config.operatorToken || (markIn(viewer) !== '' && (await isOperatorMark(markIn(viewer))))

/** Shows the page of an operator, with its ways; asks for the token first. */
export async function forOperator(viewer: Viewer, show: () => Promise<Frame>): Promise<Page> {
  if (!(await isOperator(viewer))) return tokenPage(viewer)
  const frame = await show()
  return writePage({ ...frame, wide: true, body: html`${ways(viewer)} ${frame.body} ${foot(viewer)}` })
}

const ways = ({ words: { operate } }: Viewer): Markup =>
  html`<nav class="tabs" aria-label="${operate.ways}">
    <a href="/operate">${operate.heading}</a>
    <a href="/operate/runbook">${operate.runbook}</a>
  </nav>`

const foot = ({ words, http }: Viewer): Markup =>
  html`<div class="actions">
    <form method="post" action="/language">
      ${keepFields([['next', http.req.path]])}
      <button class="plain" name="language" value="${words.frame.otherLanguage}">${words.frame.language}</button>
    </form>
    ${config.operatorToken ? signOutForms(words) : ''}
  </div>`

const signOutForms = ({ frame, operate }: Words): Markup =>
  html`<form method="post" action="/operate/sign-out"><button class="plain">${frame.signOut}</button></form>
    <form method="post" action="/operate/sign-out">
      <button class="plain" name="who" value="all">${operate.signAllOut}</button>
    </form>`

const tokenPage = ({ words: { operate } }: Viewer, fault?: string): Promise<Page> =>
  writePage({
    title: operate.operators,
    status: fault ? 401 : 200,
    body: html`<h1>${operate.operators}</h1>
      ${fault ? notice('fault', fault) : ''}
      <form method="post" action="/operate/sign-in">
        ${field({ id: 'token', label: operate.token, type: 'password', required: true, more: html`autocomplete="current-password"` })}
        <div class="actions"><button>${operate.signIn}</button></div>
      </form>`,
  })

/** Takes the operator's token, and keeps a mark of the sign-in for eight hours. */
export async function takeToken(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const { http } = viewer
  const tries = await countOne('sign_in', `operator ${networkOf(http.get('address'))}`)
  if (tries.over) refuseOver(tries)
  if (!config.operatorToken || !isSecret(form.get('token'), config.operatorToken)) {
    log.warn({ address: http.get('address') }, 'a wrong operator token')
    return tokenPage(viewer, viewer.words.operate.wrongToken)
  }
  const mark = await beginOperatorSignIn(http.get('address'))
  setCookie(http, cookieName(MARK), mark, { ...COOKIE, maxAge: OPERATOR_HOURS * 3600 })
  log.info({ address: http.get('address') }, 'an operator has signed in')
  return http.redirect('/operate', 303)
}

/** Ends the sign-in, here and at the service; of all operators, if one of them asks for that. */
export async function signOutOperator(viewer: Viewer, form: Fields): Promise<Response> {
  const { http } = viewer
  if (form.get('who') === 'all' && (await isOperator(viewer))) await endOperatorSignIns()
  else await endOperatorSignIn(markIn(viewer))
  deleteCookie(http, cookieName(MARK), COOKIE)
  http.header('clear-site-data', '"cache"')
  return http.redirect('/operate', 303)
}

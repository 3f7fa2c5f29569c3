/** Where people come back to from the accounting program. The state is the credential: no bearer comes along. */
import { html } from 'hono/html'
import * as v from 'valibot'
import { consentedBooks, exchangeCode } from '../../partners/xero-oauth.ts'
import { XeroFailure } from '../../partners/xero-http.ts'
import { takeAuthorization } from '../../db/accounting/authorizations.ts'
import { type Tokens, connect } from '../../db/accounting/connections.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { CallbackQuery } from '../../domain/accounting/integration.ts'
import { Refusal } from '../../domain/errors.ts'
import { quoted } from '../../domain/text.ts'
import { inOrganization } from '../../db/sql.ts'
import { Page, htmlPage } from '../http/http.ts'
import { repeating } from '../http/repeating.ts'
import { operations } from '../http/operation.ts'

const { query } = operations('Accounting')

type Said = { readonly status: 200 | 403 | 404 | 422 | 503; readonly title: string; readonly text: string }

const TRY_AGAIN = 'Please begin again in the app.'
const OVER: Said = {
  status: 422,
  title: 'Nothing was connected',
  text: `This link was used before, is older than ten minutes, or you have signed out since. ${TRY_AGAIN}`,
}
const DECLINED: Said = {
  status: 200,
  title: 'Nothing was connected',
  text: 'You did not agree at Xero. You can begin again in the app at any time.',
}
const NO_BOOKS: Said = { status: 422, title: 'Nothing was connected', text: `You chose no books at Xero. ${TRY_AGAIN}` }
const AWAY: Said = { status: 503, title: 'Nothing was connected', text: `Xero did not answer. ${TRY_AGAIN}` }
const NOT_YOURS: Said = {
  status: 403,
  title: 'Nothing was connected',
  text: 'You may not connect an accounting program of this organization any more.',
}
const UNAVAILABLE: Said = {
  status: 403,
  title: 'Nothing was connected',
  text: 'This organization is not available at the moment.',
}
/** It names both: who was sent here by somebody else learns whose books are connected with whom. */
const connected = (organization: string, books: string): Said => ({
  status: 200,
  title: 'Xero is connected',
  text: `${quoted(organization)} is connected with ${quoted(books)}. You can close this page, and choose accounts in the app. If you do not know ${quoted(organization)}, disconnect it at Xero, among the connected apps.`,
})

/** What is said to a person who came back, whatever they came back with. */
async function comeBack({ state, code, error }: CallbackQuery): Promise<Said> {
  const taken = await takeAuthorization(state)
  if (!taken) return OVER
  if (error !== undefined || code === undefined) return DECLINED
  try {
    const tokens = await exchangeCode(code, taken.verifier)
    return await keep(taken, tokens)
  } catch (failure) {
    if (!(failure instanceof XeroFailure)) throw failure
    log.warn({ err: failure }, 'a consent to an accounting program came to nothing')
    return failure.kind === 'denied' ? OVER : AWAY
  }
}

type Taken = NonNullable<Awaited<ReturnType<typeof takeAuthorization>>>

/** Tokens that nobody may have any more are dropped: a revocation would end what else their person has connected. */
async function keep({ organizationId, person }: Taken, tokens: Tokens): Promise<Said> {
  const books = await consentedBooks(tokens.access)
  if (!books) return NO_BOOKS
  try {
    const organization = await repeating(() =>
      inOrganization(person, organizationId, (tx) => connect(tx, person, books, tokens)),
    )
    return connected(organization, books.tenantName)
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.type === 'service_unavailable') throw refusal
    return refusal.type === 'organization_unavailable' ? UNAVAILABLE : NOT_YOURS
  }
}

async function pageOf({ status, title, text }: Said): Promise<Page> {
  const back = config.appUrl ? html`<p><a href="${config.appUrl}">Back to the app</a></p>` : ''
  const body = html`<h1>${title}</h1>
    <p dir="auto">${text}</p>
    ${back}`
  const whole = await htmlPage({ language: 'en', title, body })
  return new Page(whole, "default-src 'none'; img-src data:; frame-ancestors 'none'; base-uri 'none'", status)
}

/** Says that nothing was connected, whatever the refusal: a bad address, too many requests, or a fault of ours. */
const refusalPage = (status: number): Promise<Page> =>
  pageOf(status === 404 ? OVER : { ...AWAY, text: `That did not work just now. ${TRY_AGAIN}` })

export const accountingCallback = [
  query('/oauth/accounting/callback', 'completeAccountingConnection')
    .says(
      'Come back from the accounting program: a page that says whether it is connected',
      'Opened by the browser of the person who consented. The state is good once, for ten minutes.',
    )
    .open()
    .filters(CallbackQuery)
    .refuses(403, 422)
    .atRoot()
    .refusesBy(refusalPage)
    .produces('text/html', v.instance(Page))
    .does(async ({ query }) => pageOf(await comeBack(query))),
]

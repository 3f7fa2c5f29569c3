/** Page to which the accounting program redirects people. The state is the credential. */
import { html } from 'hono/html'
import { findConsentedBooks, exchangeCode } from '../../partners/xero-oauth.ts'
import { XeroFailure } from '../../partners/xero-http.ts'
import { type ConsentState, connect, takeAuthorization } from '../../services/accounting/commands.ts'
import type { Tokens } from '../../services/accounting/lease.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { CallbackQuery } from '../../domain/accounting/integration.ts'
import { Refusal } from '../../domain/errors.ts'
import { quoteName } from '../../domain/text.ts'
import { inOrganization } from '../../db/postgres/sql.ts'
import { Page, htmlPage } from '../http/http.ts'
import { assetPath } from '../assets/assets.ts'
import { repeating } from '../http/command.ts'
import { operations, page } from '../http/operation.ts'

const { query } = operations('Accounting')

type Message = { readonly status: 200 | 403 | 404 | 422 | 503; readonly title: string; readonly text: string }

const failureMessage = (status: Message['status'], text: string): Message => ({
  status,
  title: 'Nothing was connected',
  text,
})

const TRY_AGAIN = 'Please begin again in the app.'
const OVER = failureMessage(
  422,
  `This link was used before, is older than ten minutes, or you have signed out since. ${TRY_AGAIN}`,
)
const DECLINED = failureMessage(200, 'You did not agree at Xero. You can begin again in the app at any time.')
const NO_BOOKS = failureMessage(422, `You chose no books at Xero. ${TRY_AGAIN}`)
const AWAY = failureMessage(503, `Xero did not answer. ${TRY_AGAIN}`)
const NOT_YOURS = failureMessage(403, 'You may not connect an accounting program of this organization any more.')
const UNAVAILABLE = failureMessage(403, 'This organization is not available at the moment.')
/**
 * Builds the message of success. Both names show a person who was lured here what is connected.
 */
const successMessage = (organization: string, books: string): Message => ({
  status: 200,
  title: 'Xero is connected',
  text: `${quoteName(organization)} is connected with ${quoteName(books)}. You can close this page, and choose accounts in the app. If you do not know ${quoteName(organization)}, disconnect it at Xero, among the connected apps.`,
})

/** Completes the consent of a person who came back, and chooses the message for them. */
async function completeConsent({ state, code, error }: CallbackQuery): Promise<Message> {
  const taken = await takeAuthorization(state)
  if (!taken) return OVER
  if (error !== undefined || code === undefined) return DECLINED
  try {
    return await connectBooks(taken, await exchangeCode(code, taken.verifier))
  } catch (failure) {
    if (!(failure instanceof XeroFailure)) throw failure
    log.warn({ err: failure }, 'a consent to an accounting program failed')
    return failure.kind === 'denied' ? OVER : AWAY
  }
}

/**
 * Connects the consented books. If that fails, tokens are dropped, not revoked: a revocation would end the person's
 * other connections.
 */
async function connectBooks({ organizationId, person }: ConsentState, tokens: Tokens): Promise<Message> {
  const books = await findConsentedBooks(tokens.access)
  if (!books) return NO_BOOKS
  try {
    const organization = await repeating(() =>
      inOrganization(person, organizationId, (tx) => connect(tx, person, books, tokens)),
    )
    return successMessage(organization, books.tenantName)
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.type === 'service_unavailable') throw refusal
    return refusal.type === 'organization_unavailable' ? UNAVAILABLE : NOT_YOURS
  }
}

async function pageOf({ status, title, text }: Message): Promise<Page> {
  const body = html`<h1>${title}</h1>
    <p dir="auto">${text}</p>
    <p><a href="${config.appUrl}">Back to the app</a></p>`
  const style = html`<link rel="stylesheet" href="${assetPath('style.css')}" />`
  const whole = await htmlPage({ language: 'en', title, style, body: html`<main>${body}</main>` })
  return new Page(
    whole,
    "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
    status,
  )
}

const refusalPage = (status: number): Promise<Page> =>
  pageOf(status === 404 ? OVER : { ...AWAY, text: `That did not work just now. ${TRY_AGAIN}` })

export const accountingCallback = query('/oauth/accounting/callback', 'completeAccountingConnection')
  .says(
    'Return from the accounting program',
    'A page that says whether it is connected. Opened by the browser of the person who consented. The state is ' +
      'good once, for ten minutes.',
  )
  .for('anyone')
  .filters(CallbackQuery)
  .refuses('forbidden', 'token_invalid')
  .atRoot()
  .answers(page(refusalPage))
  .does(async ({ query }) => pageOf(await completeConsent(query)))

/** Consents at the stand-in accounting program, and Xero's own client of its books. */
import { createHash, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { BankTransaction, LineAmountTypes, XeroClient } from 'xero-node'
import { config } from '../../../platform/config.ts'
import { api } from '../api.ts'

const { accounting } = config
if (!accounting) throw new Error('there is no stand-in')
export const { clientId, clientSecret, apiUrl, identityUrl, loginUrl } = accounting

export const SCOPE =
  'offline_access accounting.banktransactions accounting.invoices accounting.payments accounting.settings.read'
export const REDIRECT = 'http://127.0.0.1:1/oauth/accounting/callback'
export const basic = (id = clientId, secret = clientSecret) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
// Xero's client has no option for the address of its tokens, so its OpenID client is given one
const { Issuer } = createRequire(createRequire(import.meta.url).resolve('xero-node'))('openid-client')

export async function xeroClient(): Promise<XeroClient> {
  const issuer = new Issuer({
    issuer: identityUrl,
    authorization_endpoint: `${loginUrl}/identity/connect/authorize`,
    token_endpoint: `${identityUrl}/connect/token`,
    revocation_endpoint: `${identityUrl}/connect/revocation`,
  })
  const client = new XeroClient({
    clientId,
    clientSecret,
    redirectUris: [REDIRECT],
    scopes: SCOPE.split(' '),
    state: 's',
  })
  const app = { client_id: clientId, client_secret: clientSecret, redirect_uris: [REDIRECT] }
  return Object.assign(client, { openIdClient: new issuer.Client(app) })
}

/** Asks for consent, with `more` parameters; returns the redirect's parameters and the verifier. */
export async function consented(more: Readonly<Record<string, string>> = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: SCOPE,
    state: 'state-1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
  const { status, headers } = await fetch(`${loginUrl}/identity/connect/authorize?${query.toString()}`, {
    redirect: 'manual',
  })
  const back = new URL(headers.get('location') ?? 'nowhere:').searchParams
  return { status, verifier, code: back.get('code') ?? '', error: back.get('error'), state: back.get('state') }
}

type Form = Readonly<Record<string, string>>

export async function askTokens(form: Form, authorization = basic()) {
  const body = new URLSearchParams(form)
  const answer = await fetch(`${identityUrl}/connect/token`, { method: 'POST', headers: { authorization }, body })
  return { status: answer.status, body: (await answer.json()) as any }
}

export async function tokensFor({ code, verifier }: { readonly code: string; readonly verifier: string }) {
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier }
  const { status, body } = await askTokens(form)
  if (status !== 200) throw new Error(`tokens: ${JSON.stringify(body)}`)
  return body
}

/** Refreshes tokens at the token endpoint. */
export const refreshed = (token = '') => askTokens({ grant_type: 'refresh_token', refresh_token: token })

type Tokens = { readonly access_token: string; readonly refresh_token?: string }

export const consentOf = ({ access_token: token }: Tokens): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).authentication_event_id

/** The connections of these tokens, or another request to `/connections`. */
export async function connectionsOf({ access_token: token }: Tokens, path = '', method = 'GET') {
  const answer = await fetch(`${apiUrl}/connections${path}`, { method, headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
}

/** Xero's own client of the first books of these tokens. */
export async function booksOf(tokens: Tokens) {
  const client = new XeroClient({ clientId, clientSecret })
  client.setTokenSet(tokens)
  const books = client.accountingApi
  books.basePath = `${apiUrl}/api.xro/2.0`
  const { body } = await connectionsOf(tokens)
  return { books, tokens, tenantId: body[0].tenantId as string }
}

/** Returns the refusal of Xero's client; status 0 without an answer. */
export async function refusalOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (refused: unknown) => refused,
  )
  if (typeof error !== 'string') throw new Error(`not refused: ${String(error)}`)
  const { statusCode: status, body, headers } = JSON.parse(error).response
  return { status: status as number, body, headers }
}

/** Xero's own client of freshly connected books, consented with `more` parameters. */
export const connected = async (more?: Readonly<Record<string, string>>) =>
  booksOf(await tokensFor(await consented(more)))

/** Items of the books as the sandbox lists them, newest first. */
export const posted = async (tenantId: string, type: string) =>
  (await api('GET', `/sandbox/accounting/tenants/${tenantId}/items?type=${type}`)).body.data

export const contact = { name: 'Café Müller' }

export const spent = (reference: string, unitAmount = 12.3) => ({
  type: BankTransaction.TypeEnum.SPEND,
  contact,
  reference,
  date: '2026-05-01',
  lineAmountTypes: LineAmountTypes.NoTax,
  bankAccount: { code: '090' },
  lineItems: [{ description: 'Beans', quantity: 1, unitAmount, accountCode: '429' }],
})

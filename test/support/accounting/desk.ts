/** Consents at the stand-in of the accounting software, and Xero's own client of its books. */
import { createHash, randomBytes } from 'node:crypto'
import { XeroClient } from 'xero-node'
import { config } from '../../../db/config.ts'

const { accounting } = config
if (!accounting) throw new Error('there is no stand-in')
export const { clientId, clientSecret, apiUrl, identityUrl, loginUrl } = accounting

export const SCOPE = 'offline_access accounting.settings accounting.contacts accounting.transactions'
export const REDIRECT = 'http://127.0.0.1:1/oauth/accounting/callback'
export const basic = (id = clientId, secret = clientSecret) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** Asks a person for consent; `more` is what is asked otherwise. Answers where they are sent, and the verifier. */
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
  const answer = await fetch(`${loginUrl}/identity/connect/authorize?${query.toString()}`, { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? 'nowhere:').searchParams
  return {
    status: answer.status,
    verifier,
    code: back.get('code') ?? '',
    error: back.get('error'),
    state: back.get('state'),
  }
}

/** One request to the token endpoint. */
export async function askTokens(form: Readonly<Record<string, string>>, authorization = basic()) {
  const body = new URLSearchParams(form)
  const answer = await fetch(`${identityUrl}/connect/token`, { method: 'POST', headers: { authorization }, body })
  return { status: answer.status, body: (await answer.json()) as any }
}

/** The tokens of a consent. */
export async function tokensFor({ code, verifier }: { readonly code: string; readonly verifier: string }) {
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier }
  const { status, body } = await askTokens(form)
  if (status !== 200) throw new Error(`tokens: ${JSON.stringify(body)}`)
  return body
}

/** What these tokens have connected. */
export async function connectionsOf(tokens: { readonly access_token: string }, query = '') {
  const answer = await fetch(`${apiUrl}/connections${query}`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  return { status: answer.status, body: (await answer.json()) as any }
}

/** Xero's own client of the first organisation that these tokens have connected. */
export async function booksOf(tokens: { readonly access_token: string }) {
  const client = new XeroClient({ clientId, clientSecret })
  client.setTokenSet(tokens)
  const books = client.accountingApi
  books.basePath = `${apiUrl}/api.xro/2.0`
  const { body } = await connectionsOf(tokens)
  return { books, tenantId: body[0].tenantId as string }
}

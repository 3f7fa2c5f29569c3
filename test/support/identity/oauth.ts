/** OAuth over HTTP: a client with its description, its challenge, and a person who walks the page. */
import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { config } from '../../../platform/config.ts'
import { type TestPerson, api, baseUrl, organization, person } from '../api.ts'
import { httpReceiver } from '../webhooks/receivers.ts'
import { tokenBy } from './delegates.ts'

type TestClient = { client_id: string; redirect_uri: string; reads: () => number }

/** Serves the description of a client; its members may differ from what they have to be. */
export async function describedClient(more: object = {}): Promise<TestClient> {
  let document: object = {}
  const receiver = await httpReceiver((_request, response) => response.end(JSON.stringify(document)))
  const client_id = `http://127.0.0.1:${receiver.port}/client.json`
  const redirect_uri = 'http://127.0.0.1:7777/callback'
  document = { client_id, client_name: 'Books agent', redirect_uris: ['http://127.0.0.1/callback'], ...more }
  return { client_id, redirect_uri, reads: () => receiver.received.length }
}

export const COMMAND_LINE = { client_id: 'bfs', redirect_uri: 'http://127.0.0.1:49152/callback' }

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

export const newVerifier = (): string => randomBytes(32).toString('base64url')

type AskedMore = Readonly<Record<string, string>>

export function authorizeUrl(
  { client_id, redirect_uri }: Pick<TestClient, 'client_id' | 'redirect_uri'>,
  verifier: string,
  more: AskedMore = {},
): string {
  const asked = {
    response_type: 'code',
    client_id,
    redirect_uri,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    scope: 'read',
    state: 'state of the client & more',
    resource: config.publicUrl,
    ...more,
  }
  return `/authorize?${new URLSearchParams(asked).toString()}`
}

const OWN = { origin: baseUrl, 'sec-fetch-site': 'same-origin' }

export const open = (path: string, session?: string) =>
  fetch(baseUrl + path, { redirect: 'manual', headers: { ...(session && { cookie: `session=${session}` }) } })

export const submit = (path: string, fields: AskedMore, session?: string, headers: AskedMore = OWN) =>
  fetch(baseUrl + path, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers: { ...headers, ...(session && { cookie: `session=${session}` }) },
  })

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** Reads the hidden fields of the form of a page that has this text. */
export function fieldsOf(page: string, having: string): Record<string, string> {
  const form = page.split('<form').find((one) => one.includes(having)) ?? ''
  const found = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, unescaped(value)]))
}

/** Reads where a page leads by itself; null if nowhere. */
export function leadOf(page: string): URL | null {
  const address = /href="([^"]*)"\s+data-again/.exec(page)?.[1]
  return address === undefined ? null : new URL(unescaped(address), baseUrl)
}

type Choice = { readonly organization_id: string; readonly access?: string; readonly days?: string }

/** Answers the form of the page; the next page is that of the proof, or leads back. */
export async function consent(by: TestPerson, url: string, choice: Choice): Promise<string> {
  const page = await (await open(url, by.token)).text()
  const kept = fieldsOf(page, 'decision')
  const answer = await submit(
    '/authorize',
    { ...kept, access: 'read', days: '30', ...choice, decision: 'allow' },
    by.token,
  )
  return answer.text()
}

/** Walks the page with the code of an authenticator; answers where the client is led. */
export async function walk(by: TestPerson, url: string, choice: Choice): Promise<URL> {
  const asked = await consent(by, url, choice)
  const proof = { ...fieldsOf(asked, 'name="code"'), code: await by.totp() }
  const done = await submit('/authorize', proof, by.token)
  const html = await done.text()
  const lead = leadOf(html)
  expect(lead, html).not.toBeNull()
  return lead!
}

/** A person with an authenticator, and their organization. */
export async function signedIn() {
  const boss = await person({ authenticator: true })
  return { boss, organizationId: (await organization(boss)).id }
}

/** A code for the command line, after its person walked the page. */
export async function coded() {
  const { boss, organizationId } = await signedIn()
  const verifier = newVerifier()
  const lead = await walk(boss, authorizeUrl(COMMAND_LINE, verifier), { organization_id: organizationId })
  return { boss, organizationId, verifier, lead }
}

/** Reads balances, and answers the status of that. */
export const reads = async (token: string, organizationId: string) =>
  (await api('GET', `/organizations/${organizationId}/balances`, { token })).status

export const tokenOfCode = (
  lead: URL,
  verifier: string,
  { client_id, redirect_uri }: Pick<TestClient, 'client_id' | 'redirect_uri'>,
  more: AskedMore = {},
) =>
  tokenBy({
    grant_type: 'authorization_code',
    code: lead.searchParams.get('code') ?? '',
    code_verifier: verifier,
    client_id,
    redirect_uri,
    ...more,
  })

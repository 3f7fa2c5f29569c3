/** OAuth 2.0: changes a secret, a refresh token, or the code of a person's consent into a token. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ServiceError } from 'business-finance-client'
import { EXIT, Failure } from '../failures.ts'
import type { Io } from '../io.ts'
import type { Credential } from './secrets.ts'

const CLIENT_ID = 'bfs'
const CONSENT_MS = 5 * 60_000
const TOKEN_MS = 30_000

type Answer = {
  readonly access_token: string
  readonly expires_in: number
  readonly refresh_token?: string
  readonly organization_id?: string
}

/** First credential of a sign-in, and the organization that it is for. */
export type SignIn = { readonly credential: Credential; readonly organizationId: string | undefined }

/** Signs in by the own secret of a delegate. Throws if the service does not know the secret. */
export async function signInBySecret(baseUrl: string, secret: string): Promise<SignIn> {
  const answer = await askForToken(baseUrl, { grant_type: 'client_credentials', client_secret: secret })
  const credential = { secret, grant: 'client_credentials', ...tokenIn(answer) } as const
  return { credential, organizationId: answer.organization_id }
}

/** Changes the own secret of a delegate into a token; the secret stays as it is. */
export const exchangeSecret = async (baseUrl: string, secret: string): Promise<Credential> =>
  (await signInBySecret(baseUrl, secret)).credential

/**
 * Changes a refresh token into a token and the next refresh token. A lost answer is asked for again at once: for ten
 * seconds it is the same, and later the used token would end the delegate.
 */
export async function refresh(baseUrl: string, secret: string): Promise<Credential> {
  const form = { grant_type: 'refresh_token', refresh_token: secret, client_id: CLIENT_ID }
  const answer = await askForToken(baseUrl, form).catch((error: unknown) => {
    if (error instanceof TypeError) return askForToken(baseUrl, form) // the connection was lost
    throw error
  })
  return { secret: answer.refresh_token ?? secret, grant: 'refresh_token', ...tokenIn(answer) }
}

/**
 * Lets a person give a delegate on a page, and answers its refresh token with a first token. Authorization code with PKCE
 * (RFC 7636), by the loopback address (RFC 8252).
 */
export async function askForConsent(io: Io, baseUrl: string): Promise<SignIn> {
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')]
  const callback = await listenForCode(state, io.signal)
  try {
    const page = new URL('/authorize', baseUrl)
    page.search = new URLSearchParams({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: callback.uri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state,
      scope: 'prepare',
    }).toString()
    io.stderr.write(`Allow it on this page:\n${page.toString()}\n`)
    io.openPage(page.toString())
    const grant = { grant_type: 'authorization_code', redirect_uri: callback.uri, client_id: CLIENT_ID }
    const answer = await askForToken(baseUrl, { ...grant, code: await callback.code, code_verifier: verifier })
    const { refresh_token: secret, organization_id: organizationId } = answer
    if (!secret) throw new Failure(EXIT.refused, 'The service answered no refresh token.')
    return { credential: { secret, grant: 'refresh_token', ...tokenIn(answer) }, organizationId }
  } finally {
    callback.close()
  }
}

const tokenIn = ({ access_token: token, expires_in: seconds }: Answer) => ({
  token,
  expires_at: new Date(Date.now() + seconds * 1000).toISOString(),
})

async function askForToken(baseUrl: string, form: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'error',
    signal: AbortSignal.timeout(TOKEN_MS),
  })
  if (response.ok) return (await response.json()) as Answer
  const text = await response.text()
  const [, word] = /"error"\s*:\s*"(\w+)"/.exec(text) ?? [] // as RFC 6749 has it, section 5.2
  if (word) throw new Failure(EXIT.notSignedIn, `The service refused the sign-in: ${word}. Sign in again: bfs login`)
  throw await ServiceError.from(new Response(text, { status: response.status }))
}

type Callback = { readonly uri: string; readonly code: Promise<string>; readonly close: () => void }

/** Listens on the loopback address until the browser brings a code with our state. */
async function listenForCode(state: string, signal: AbortSignal): Promise<Callback> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // listens on TCP
  const code = new Promise<string>((resolve, reject) => {
    server.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
      const isOurs = pathname === '/callback' && searchParams.get('state') === state
      response.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      response.end(isOurs ? 'You can close this page and go back to the terminal.\n' : 'There is no such page.\n')
      if (!isOurs) return
      const found = searchParams.get('code')
      if (found) resolve(found)
      else reject(new Failure(EXIT.refused, `The sign-in was not allowed: ${searchParams.get('error') ?? 'no code'}`))
    })
    const giveUp = AbortSignal.any([signal, AbortSignal.timeout(CONSENT_MS)])
    giveUp.addEventListener('abort', () => reject(new Failure(EXIT.notSignedIn, 'The page was not answered in time.')))
  })
  code.catch(() => {}) // it may fail before it is awaited
  return { uri: `http://127.0.0.1:${port}/callback`, code, close: () => server.close() }
}

/** Identity provider whose tokens and descriptions a test forges. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { CLIENT, listen } from './providers.ts'

/** Claims of a token; one that is undefined is left out. */
export type Claims = Readonly<Record<string, unknown>>
type Forged = (claims: Claims) => Promise<string> | string

/** Starts a provider that describes itself well, and whose next token is forged. */
export async function hostileProvider() {
  let { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  let kid = randomUUID()
  const says: {
    description?: object | string
    token: Forged
    redirects?: string
    /** Error of the token endpoint (RFC 6749, section 5.2). */
    refuses?: string
    asked: number
  } = {
    token: (claims) => sign(claims),
    asked: 0,
  }
  let claims: Claims = {}
  const sign = (payload: Claims, header: object = {}): Promise<string> =>
    new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(privateKey)
  const rotate = async () => {
    ;({ privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true }))
    kid = randomUUID()
  }
  const describe = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  })
  const server = createServer((request, response) => {
    void (async () => {
      says.asked += 1
      if (says.redirects) return response.writeHead(302, { location: says.redirects }).end()
      const answer = async () => {
        if (request.url === '/jwks')
          return { keys: [{ ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' }] }
        if (request.url === '/token' && says.refuses) {
          response.statusCode = says.refuses === 'invalid_client' ? 401 : 400
          return { error: says.refuses }
        }
        if (request.url === '/token')
          return { access_token: 'x', token_type: 'Bearer', id_token: await says.token(claims) }
        return says.description ?? describe()
      }
      const said = await answer()
      response.setHeader('content-type', 'application/json')
      response.end(typeof said === 'string' ? said : JSON.stringify(said))
    })().catch(() => response.destroy())
  })
  const issuer = await listen(server)

  /** Answers the query of a way back, with the claims that are right for it. */
  const back = (authorizeUrl: string, sub: string, more: Claims = {}): string => {
    const { searchParams } = new URL(authorizeUrl)
    const now = Math.floor(Date.now() / 1000)
    claims = { iss: issuer, aud: CLIENT, sub, iat: now, exp: now + 60, nonce: searchParams.get('nonce') ?? '', ...more }
    return new URLSearchParams({ code: 'x', state: searchParams.get('state') ?? '' }).toString()
  }
  return { issuer, says, sign, rotate, back, publicKey: () => publicKey, describe }
}

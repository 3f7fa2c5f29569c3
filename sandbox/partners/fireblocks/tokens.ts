/** Verification of requests to the stand-in of Fireblocks: a key, and a JWT over address and body, used once. */
import { type KeyObject, createHash, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import * as v from 'valibot'
import { type Answer, problem } from './answers.ts'

const BEARER = 'Bearer '
/** Longest life of a token, and how far clocks may differ. */
const [LIFE_SECONDS, SKEW_SECONDS] = [60, 30]

const Header = v.object({ alg: v.literal('RS256') })
const Claims = v.object({
  uri: v.string(),
  nonce: v.union([v.string(), v.number()]),
  iat: v.number(),
  exp: v.number(),
  sub: v.string(),
  bodyHash: v.string(),
})

export type Gate = (request: IncomingMessage, body: string) => Answer | undefined

const refuse = (code: number, message: string): Answer => problem(401, code, message)

/** Makes the verification of one API user; it answers a refusal, or nothing. Nonces are remembered by this process. */
export function makeGate(apiKey: string, publicKey: KeyObject): Gate {
  const used = new Map<string, number>()
  return (request, body) => {
    if (request.headers['x-api-key'] === undefined) return refuse(-2, 'Unauthorized: Missing API Key')
    const token = request.headers.authorization
    if (!token?.startsWith(BEARER)) return refuse(-3, 'Unauthorized: JWT is missing')
    const claims = readToken(token.slice(BEARER.length), publicKey)
    if (claims === 'malformed') return refuse(-5, 'Unauthorized: Invalid token format')
    if (claims === 'forged') return refuse(-1, 'Unauthorized: Invalid signature')
    if (claims.uri !== request.url) return refuse(-4, 'Unauthorized: Wrong URL in the JWT')
    if (request.headers['x-api-key'] !== apiKey || claims.sub !== apiKey) {
      return refuse(-6, 'Unauthorized: Wrong User in the JWT')
    }
    const now = Date.now() / 1000
    if (claims.exp < now) return refuse(-10, 'Unauthorized: The request has expired')
    if (claims.iat > now + SKEW_SECONDS) return refuse(-12, 'Unauthorized: The request is with a future timestamp')
    const hash = createHash('sha256').update(body).digest('hex')
    const nonce = String(claims.nonce)
    if (claims.exp - claims.iat > LIFE_SECONDS || claims.bodyHash !== hash || used.has(nonce)) {
      return refuse(-7, 'Unauthorized: Token was not accepted')
    }
    for (const [old, until] of used) if (until < now) used.delete(old)
    used.set(nonce, claims.exp)
    return undefined
  }
}

function readToken(token: string, publicKey: KeyObject): v.InferOutput<typeof Claims> | 'malformed' | 'forged' {
  const [head = '', payload = '', signature = ''] = token.split('.')
  const [header, claims] = [v.safeParse(Header, jsonIn(head)), v.safeParse(Claims, jsonIn(payload))]
  if (!header.success || !claims.success) return 'malformed'
  const isTrue = verify('RSA-SHA256', Buffer.from(`${head}.${payload}`), publicKey, Buffer.from(signature, 'base64url'))
  return isTrue ? claims.output : 'forged'
}

function jsonIn(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}

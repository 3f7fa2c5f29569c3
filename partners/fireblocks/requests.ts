/** Requests to Fireblocks: a signed token for each, and errors of `{message, code}`. */
import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto'
import * as v from 'valibot'
import type { PartnerEndpoint, SaidFailure, SignedRequest } from '../http.ts'

/** Seconds for which a token is good: Fireblocks takes none that lives longer than a minute. */
const TOKEN_SECONDS = 55
/** Number of an error that says that a transaction has our id already. */
const ID_EXISTS = '1438'
/** Number of an error that says that there is no such transaction, whatever its status. */
const NO_TRANSACTION = 1405

const ErrorBody = v.object({ message: v.string(), code: v.number() })

/** Makes an endpoint that signs each request with our private key. */
export function signRequests(endpoint: PartnerEndpoint, privateKey: string): PartnerEndpoint {
  const key = createPrivateKey(privateKey)
  const root = new URL(endpoint.url).pathname.replace(/\/$/, '')
  const tokenOf = ({ path, body }: SignedRequest): string => {
    const iat = Math.floor(Date.now() / 1000)
    const bodyHash = createHash('sha256').update(body).digest('hex')
    const claims = { uri: root + path, nonce: randomUUID(), iat, exp: iat + TOKEN_SECONDS, sub: endpoint.key, bodyHash }
    const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
    return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`
  }
  return {
    ...endpoint,
    sign: (request) => ({ 'x-api-key': endpoint.key, authorization: `Bearer ${tokenOf(request)}` }),
    readFailure,
  }
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/**
 * Reads an error: 404 with a number is an absence, 400 with one a refusal, after which nothing was made. 401 and 403 are
 * those of our key, and say nothing about the request.
 */
function readFailure(status: number, body: unknown): SaidFailure | undefined {
  const read = v.safeParse(ErrorBody, body)
  if (!read.success || status === 401 || status === 403 || status === 429) return undefined
  const { code, message } = read.output
  if (status === 404 || code === NO_TRANSACTION) return 'absent'
  return status === 400 || status === 409 || status === 422 ? { code: String(code), message } : undefined
}

/** Tells whether a refusal says that our id has a transaction. */
export const isIdTaken = (refusal: { readonly code: string } | undefined): boolean => refusal?.code === ID_EXISTS

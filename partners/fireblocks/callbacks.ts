/** Callbacks of Fireblocks: signed by its key over the raw body, in either form of its webhooks. */
import { createHash, createPublicKey, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import * as v from 'valibot'
import { refuse } from '../../domain/errors.ts'
import { isUuid } from '../../domain/ids.ts'
import type { Hint, SentCallback } from '../driver.ts'
import { depositIdOf } from './deposits.ts'

const SIGNATURE_MAX = 2048
const text = v.fallback(v.nullish(v.pipe(v.string(), v.maxLength(255)), ''), '')
const Peer = v.fallback(v.nullish(v.object({ type: text })), null)
const Data = v.object({ id: text, externalTxId: text, source: Peer, destination: Peer })

/** Callback of the first form, with `type`, or of the second, with `eventType` and an id. */
const Body = v.object({ id: text, type: text, eventType: text, data: v.optional(v.unknown()) })

/** Verifies callbacks of the holder of a public key, and reads which transaction they name. */
export function callbackReader(callbackKey: string): (callback: SentCallback) => readonly Hint[] {
  const key = createPublicKey(callbackKey)
  return (callback) => {
    if (!isAuthentic(callback, key)) refuse('not_authenticated')
    const { id, type, eventType, data } = callback.read(Body)
    if (!/^transaction[._]/i.test(eventType || type || '')) return []
    const transaction = v.safeParse(Data, data)
    const named = transaction.success && hintOf(transaction.output)
    if (!named) return []
    const messageId = id || createHash('sha256').update(callback.raw).digest('hex')
    return [{ messageId, ...named }]
  }
}

/** Verifies a detached JWS of RS512 if there is one, else the older signature. */
function isAuthentic({ headers, raw }: SentCallback, key: KeyObject): boolean {
  const jws = headers.get('fireblocks-webhook-signature')
  const signature = headers.get('fireblocks-signature')
  if (jws !== null) return jws.length <= SIGNATURE_MAX && isSignedAsJws(jws, raw, key)
  if (!signature || signature.length > SIGNATURE_MAX) return false
  return verify('RSA-SHA512', raw, key, Buffer.from(signature, 'base64'))
}

function isSignedAsJws(jws: string, raw: Uint8Array, key: KeyObject): boolean {
  const [header = '', payload, signature = '', ...more] = jws.split('.')
  if (payload !== '' || more.length > 0 || !isRs512(header)) return false
  const signed = Buffer.from(`${header}.${Buffer.from(raw).toString('base64url')}`)
  return verify('RSA-SHA512', signed, key, Buffer.from(signature, 'base64url'))
}

/** Tells whether a header names RS512, and nothing else that would have to be understood. */
function isRs512(header: string): boolean {
  try {
    return v.is(Header, JSON.parse(Buffer.from(header, 'base64url').toString()))
  } catch {
    return false
  }
}
const Header = v.object({ alg: v.literal('RS512'), crit: v.optional(v.undefined()), b64: v.optional(v.literal(true)) })

/** Names the payout of a transaction of ours by our id, and any other by the provider's. */
function hintOf({ id, externalTxId, source, destination }: v.InferOutput<typeof Data>): Omit<Hint, 'messageId'> | null {
  if (!id) return null
  const returned = depositIdOf(externalTxId ?? '')
  if (returned !== null) return isUuid(returned) ? { subject: 'deposit', named: { theirId: returned } } : null
  if (externalTxId && isUuid(externalTxId)) return { subject: 'payout', named: { id: externalTxId.toLowerCase() } }
  const isOwn = source?.type === 'VAULT_ACCOUNT' || source?.type === 'GAS_STATION'
  return destination?.type === 'VAULT_ACCOUNT' && !isOwn ? { subject: 'deposit', named: { theirId: id } } : null
}

/** Encryption at rest: AES-256-GCM. The key's id comes first, so that keys rotate without re-encryption. */
import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { config } from './config.ts'
import { Refusal } from '../domain/errors.ts'

const IV_BYTES = 12
const TAG_BYTES = 16
/** Keys as objects: from bytes Node 24 makes one a call, at four times the cost of sealing a row. */
const keys = new Map(config.encryptionKeys.map(({ id, secret }) => [id, createSecretKey(secret)]))
const [currentKey] = config.encryptionKeys
const currentSecret = currentKey && keys.get(currentKey.id)

/** Seals with the first key, as `id length, id, iv, tag, ciphertext`; a text in UTF-8. */
export function encrypt(plain: Uint8Array | string): Buffer {
  if (!currentSecret) throw new Error('no encryption key')
  return Buffer.concat([currentHead, ...encryptUnder(currentSecret, plain)])
}

/** Encrypts under a key; answers iv, tag and ciphertext, to be joined. */
export function encryptUnder(key: KeyObject, plain: Uint8Array | string): readonly Buffer[] {
  const iv = drawBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
  cipher.final() // GCM holds nothing back
  return [iv, cipher.getAuthTag(), sealed]
}

export const unreadableRefusal = (reason: 'bank_details_unreadable' | 'sealed_unreadable'): Refusal =>
  new Refusal('service_unavailable', { reason, retry_after_seconds: 60 })

/** Refuses a write that needs unreadable bank details: nothing replaces them. */
export function refuseUnopened(): never {
  throw unreadableRefusal('bank_details_unreadable')
}

/** Head of all that the first key seals: length of its id, and the id. */
export const currentHead = headOf(Buffer.from(currentKey?.id ?? ''))
function headOf(id: Buffer): Buffer {
  return Buffer.concat([Buffer.of(id.length), id])
}

let drawn = Buffer.alloc(0)
const DRAWN_BYTES = 4096

/** Takes random bytes, at most some hundreds, from a buffer: an import seals 50,000 rows one by one. */
export function drawBytes(count: number): Buffer {
  if (drawn.length < count) drawn = randomBytes(DRAWN_BYTES)
  const bytes = drawn.subarray(0, count)
  drawn = drawn.subarray(count)
  return bytes
}

export const usesCurrentKey = (sealed: Uint8Array): boolean =>
  currentHead.equals(sealed.subarray(0, currentHead.length))

/** Missing key of a sealed value: it opens again when the key is back. */
export class KeyUnknown extends Error {
  override readonly name = 'KeyUnknown'
}

/** Opens a sealed value. Throws KeyUnknown for an unknown key, an error for a changed bit. */
export function decrypt(sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const idEnd = 1 + (bytes[0] ?? 0)
  const id = bytes.toString('utf8', 1, idEnd)
  const key = keys.get(id)
  if (!key) throw new KeyUnknown(`sealed with the key ${idForDisplay(id)}, which is not configured`)
  return decryptUnder(key, bytes.subarray(idEnd))
}

/** Decrypts what encryptUnder() made. Throws an error for a changed bit. */
export function decryptUnder(key: KeyObject, sealed: Buffer): Buffer {
  // without the length, Node takes the first four bytes of a tag for the whole
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), options)
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
}

const idForDisplay = (id: string): string => (/^[a-z0-9]{1,16}$/.test(id) ? id : '?')

/** Seals content with the id of its row, so that it opens in no other row. */
export const encryptForRow = (id: string, content: object): Buffer => encrypt(JSON.stringify({ id, ...content }))

/** Opens a value of encryptForRow(). Throws as decrypt() does, and for another row. */
export function decryptForRow(id: string, sealed: Uint8Array): unknown {
  const opened = decryptJson(sealed) as { readonly id?: unknown } | null
  if (opened?.id !== id) throw new Error(`sealed for another row than ${id}`)
  return opened
}

/** Opens JSON; null for anything else, because the parser's error would quote the secret in a log. */
export function decryptJson(sealed: Uint8Array): unknown {
  const opened = decrypt(sealed).toString()
  try {
    return JSON.parse(opened)
  } catch {
    return null
  }
}

const DERIVED_BYTES = 32

/** Derives a key for a purpose from each configured key, in order (HKDF, RFC 5869, SHA-256). */
export const deriveKeys = (purpose: string): { readonly id: string; readonly secret: KeyObject }[] =>
  config.encryptionKeys.map(({ id, secret }) => ({
    id,
    secret: createSecretKey(Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), purpose, DERIVED_BYTES))),
  }))

/** Makes a bearer secret of 256 random bits, base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

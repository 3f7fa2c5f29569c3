/** Sealing at rest: AES-256-GCM, the key's id in front, so that keys rotate without touching what is sealed. */
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
/** As key objects: Node 24 makes one for each call from bytes, at four times the cost of sealing a row. */
const keys = new Map(config.encryptionKeys.map(({ id, secret }) => [id, createSecretKey(secret)]))
const [currentKey] = config.encryptionKeys
const currentSecret = currentKey && keys.get(currentKey.id)

/** Seals with the first key, as `id length, id, iv, tag, ciphertext`; a text in UTF-8. */
export function encrypt(plain: Uint8Array | string): Buffer {
  if (!currentSecret) throw new Error('no encryption key')
  const iv = drawBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', currentSecret, iv)
  const sealed = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
  cipher.final() // GCM holds nothing back
  return Buffer.concat([currentHead, iv, cipher.getAuthTag(), sealed])
}

/** Makes the refusal for a value that does not open now. */
export const unopened = (reason: 'bank_details_unreadable' | 'sealed_unreadable'): Refusal =>
  new Refusal('service_unavailable', { reason, retry_after_seconds: 60 })

/** Refuses what needs bank details that do not open: nothing is written over them. */
export function refuseUnopened(): never {
  throw unopened('bank_details_unreadable')
}

/** Head of everything that the first key seals: its id, and before it how long that is. */
export const currentHead = headOf(Buffer.from(currentKey?.id ?? ''))
function headOf(id: Buffer): Buffer {
  return Buffer.concat([Buffer.of(id.length), id])
}

let drawn = Buffer.alloc(0)
const DRAWN_BYTES = 4096

/** Takes random bytes, at most some hundreds, from a supply: a file of 50,000 rows is sealed row by row. */
export function drawBytes(count: number): Buffer {
  if (drawn.length < count) drawn = randomBytes(DRAWN_BYTES)
  const bytes = drawn.subarray(0, count)
  drawn = drawn.subarray(count)
  return bytes
}

/** Whether it was sealed with the first key. */
export const usesCurrentKey = (sealed: Uint8Array): boolean =>
  currentHead.equals(sealed.subarray(0, currentHead.length))

/** Thrown for what was sealed with a key that is not configured: it opens again when the key is back. */
export class KeyUnknown extends Error {
  override readonly name = 'KeyUnknown'
}

/** Opens what any configured key sealed; throws KeyUnknown for another key, and an error if a bit was changed. */
export function decrypt(sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const idEnd = 1 + (bytes[0] ?? 0)
  const id = bytes.toString('utf8', 1, idEnd)
  const key = keys.get(id)
  if (!key) throw new KeyUnknown(`sealed with the key ${shown(id)}, which is not configured`)
  const ivEnd = idEnd + IV_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(idEnd, ivEnd))
  decipher.setAuthTag(bytes.subarray(ivEnd, ivEnd + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(ivEnd + TAG_BYTES)), decipher.final()])
}

const shown = (id: string): string => (/^[a-z0-9]{1,16}$/.test(id) ? id : '?')

/** Seals content together with the id of its row, so that it opens nowhere else. */
export const encryptForRow = (id: string, content: object): Buffer => encrypt(JSON.stringify({ id, ...content }))

/** Opens what encryptForRow() sealed for this row; throws as decrypt() does, and for another row or none. */
export function decryptForRow(id: string, sealed: Uint8Array): unknown {
  const opened = decryptJson(sealed) as { readonly id?: unknown } | null
  if (opened?.id !== id) throw new Error(`sealed for another row than ${id}`)
  return opened
}

/** Opens JSON; null for anything else, as what the parser says of a text quotes it, and nobody may read it in a log. */
export function decryptJson(sealed: Uint8Array): unknown {
  const opened = decrypt(sealed).toString()
  try {
    return JSON.parse(opened)
  } catch {
    return null
  }
}

const DERIVED_BYTES = 32

/** Derives a key for this purpose from each configured key, the first one first (HKDF, RFC 5869, SHA-256). */
export const derivedKeys = (purpose: string): { readonly id: string; readonly secret: KeyObject }[] =>
  config.encryptionKeys.map(({ id, secret }) => ({
    id,
    secret: createSecretKey(Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), purpose, DERIVED_BYTES))),
  }))

/** A bearer secret of 256 random bits, base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Hashes a bearer secret for storage. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

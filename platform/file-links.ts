/** Signed links: the bearer may send or fetch one file until the link expires. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { now } from './clock.ts'
import { config } from './config.ts'
import { deriveKeys } from './encryption.ts'
import { refuse } from '../domain/errors.ts'
import type { SignedQuery } from '../domain/files/file.ts'
import type { FileId } from '../domain/ids.ts'
import type { ExpectedObject } from './storage/storage.ts'

/** Keys of the links: the first signs, all of them verify. */
const keys = deriveKeys('file link')

type Link = {
  readonly method: 'GET' | 'PUT'
  readonly fileId: FileId
  /** Seconds since 1970, in business time. */
  readonly expires: string
  readonly length: string
  readonly type: string
}

function sign({ id, secret }: (typeof keys)[number], { method, fileId, length, type, expires }: Link): string {
  const signed = [method, fileId, length, type, expires].join('\n')
  return `${id}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** Builds the upload address of a file of this length and type; without them, the download address. */
export function signUrl(fileId: FileId, expiresAt: Date, expected?: ExpectedObject): string {
  const [key] = keys
  if (!key) throw new Error('no encryption key')
  const expires = String(Math.floor(expiresAt.getTime() / 1000))
  const slot = expected && { length: String(expected.byteSize), type: expected.contentType }
  const signature = sign(key, { method: slot ? 'PUT' : 'GET', fileId, expires, length: '', type: '', ...slot })
  return `${config.publicUrl}/files/${fileId}?${new URLSearchParams({ expires, ...slot, signature }).toString()}`
}

/**
 * Verifies an upload link, and reads its length and type. Refuses `upload_signature_invalid`, then `upload_expired`.
 */
export function verifyUpload(fileId: FileId, query: SignedQuery): ExpectedObject {
  const { length, type } = verify('PUT', fileId, query, 'upload_expired')
  return { byteSize: Number(length), contentType: type }
}

/** Verifies a link of a method. Refuses `upload_signature_invalid`, then `expired` if it has expired. */
export function verify(
  method: Link['method'],
  fileId: FileId,
  { expires = '', length = '', type = '', signature = '' }: SignedQuery,
  expired: 'upload_expired' | 'export_expired',
): Link {
  const link = { method, fileId, expires, length, type }
  const given = Buffer.from(signature)
  const signatures = keys.map((key) => Buffer.from(sign(key, link)))
  const isSigned = signatures.some((one) => one.length === given.length && timingSafeEqual(one, given))
  if (!isSigned) refuse('upload_signature_invalid')
  if (Number(expires) * 1000 <= now().getTime()) refuse(expired)
  return link
}

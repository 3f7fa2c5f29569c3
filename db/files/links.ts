/** Signed links to files: whoever has one may send or fetch this file until it expires, and nothing else. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { now } from '../../platform/clock.ts'
import { config } from '../../platform/config.ts'
import { derivedKeys } from '../../platform/encryption.ts'
import { refuse } from '../../domain/errors.ts'
import type { SignedQuery } from '../../domain/files/file.ts'
import type { FileId } from '../../domain/ids.ts'
import type { Expected } from '../../platform/storage/storage.ts'

/** The first signs, all of them verify. */
const keys = derivedKeys('file link')

type Link = {
  readonly method: 'GET' | 'PUT'
  readonly fileId: FileId
  /** Seconds since 1970, of business time. */
  readonly expires: string
  readonly length: string
  readonly type: string
}

const signatureOf = ({ id, secret }: (typeof keys)[number], link: Link): string => {
  const signed = [link.method, link.fileId, link.length, link.type, link.expires].join('\n')
  return `${id}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** The address to which a file of this length and type is sent until then. */
export const uploadUrl = (fileId: FileId, { byteSize, contentType }: Expected, expiresAt: Date): string =>
  signedUrl({ method: 'PUT', fileId, length: String(byteSize), type: contentType, expires: secondsOf(expiresAt) })

/** The address at which a file is fetched until then. */
export const downloadUrl = (fileId: FileId, expiresAt: Date): string =>
  signedUrl({ method: 'GET', fileId, length: '', type: '', expires: secondsOf(expiresAt) })

const secondsOf = (instant: Date): string => String(Math.floor(instant.getTime() / 1000))

function signedUrl(link: Link): string {
  const [key] = keys
  if (!key) throw new Error('no encryption key')
  const { method, fileId, expires, length, type } = link
  const query = new URLSearchParams({
    expires,
    ...(method === 'PUT' && { length, type }),
    signature: signatureOf(key, link),
  })
  return `${config.publicUrl}/files/${fileId}?${query.toString()}`
}

/** What the slot takes that this link was signed for. Refuses `upload_signature_invalid`, then `upload_expired`. */
export function verifyUpload(fileId: FileId, query: SignedQuery): Expected {
  const { expires, length, type } = verified('PUT', fileId, query)
  if (isOver(expires)) refuse('upload_expired')
  return { byteSize: Number(length), contentType: type }
}

/** Refuses a link to fetch a file as verifyUpload() does one to send it; over is `export_expired`. */
export function verifyDownload(fileId: FileId, query: SignedQuery): void {
  if (isOver(verified('GET', fileId, query).expires)) refuse('export_expired')
}

const isOver = (expires: string): boolean => Number(expires) * 1000 <= now().getTime()

function verified(
  method: Link['method'],
  fileId: FileId,
  { expires = '', length = '', type = '', signature = '' }: SignedQuery,
): Link {
  const link = { method, fileId, expires, length, type }
  const given = Buffer.from(signature)
  const right = keys.map((key) => Buffer.from(signatureOf(key, link)))
  if (!right.some((one) => one.length === given.length && timingSafeEqual(one, given)))
    refuse('upload_signature_invalid')
  return link
}

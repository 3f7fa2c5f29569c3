/** Slots, and uploads to them. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { config } from '../../../platform/config.ts'
import { claim, openSlot, slotOf } from '../../../services/files/files.ts'
import type { UploadSlot } from '../../../domain/files/file.ts'
import { type FileId, type OrganizationId, newId } from '../../../domain/ids.ts'
import { asSystem, readerOf } from '../../../db/postgres/sql.ts'
import { baseUrl } from '../api.ts'

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export async function slot(organizationId: string, byteSize: number, filename = 'rows.csv'): Promise<UploadSlot> {
  const [own, id] = [organizationId as OrganizationId, newId<'file'>()]
  const what = { id, purpose: 'payment_batch', ownerId: organizationId, filename, contentType: 'text/csv' } as const
  await asSystem(own, (tx) => openSlot(tx, { ...what, byteSize }))
  return slotOf(readerOf(own), id)
}

/** Claims a file for its organization, as a batch does. */
export const claimed = (organizationId: string, fileId: string) =>
  asSystem(organizationId as OrganizationId, (tx) =>
    claim(tx, { fileId: fileId as FileId, purpose: 'payment_batch', ownerId: organizationId }),
  )

export const here = (url: string): string => baseUrl + url.slice(new URL(url).origin.length)

export type Sent = { status: number; body: any; headers: Headers }

/** PUTs these bytes with the slot's headers, unless overridden. */
export async function send(
  { upload_url: url, headers }: UploadSlot,
  bytes: Uint8Array | ReadableStream<Uint8Array>,
  other: Record<string, string> = {},
): Promise<Sent> {
  const { 'content-length': _, ...rest } = headers // fetch sets it itself
  const response = await fetch(here(url), {
    method: 'PUT',
    body: bytes,
    headers: { ...rest, ...other },
    ...(bytes instanceof ReadableStream && { duplex: 'half' }),
  })
  return { status: response.status, body: await response.json(), headers: response.headers }
}

export const someBytes = (length: number): Buffer => randomBytes(length)

/** The objects of a file in storage, in a local folder. */
export const objectsOf = (fileId: string): string[] => namesIn(join(config.storage.folder, fileId))

/** The unfinished objects in storage. */
export const partsOfStorage = (): string[] => namesIn(join(config.storage.folder, 'parts'))

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

export const opened = (fileId: string): string[] =>
  readdirSync('/proc/self/fd').filter((handle) => {
    try {
      return readlinkSync(`/proc/self/fd/${handle}`).includes(fileId)
    } catch {
      return false // closed since
    }
  })

export function begin({ upload_url: url, headers }: UploadSlot, bytes: Uint8Array, origin = baseUrl): ClientRequest {
  const { pathname, search } = new URL(url)
  const sending = request(`${origin}${pathname}${search}`, { method: 'PUT', headers })
  sending.on('error', () => {}) // aborted by the test
  sending.write(bytes)
  return sending
}

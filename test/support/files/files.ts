/** Slots and what is sent to them. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { config } from '../../../platform/config.ts'
import { claim, openSlot, slotOf } from '../../../db/files/files.ts'
import type { UploadSlot } from '../../../domain/files/file.ts'
import { type FileId, type OrganizationId, newId } from '../../../domain/ids.ts'
import { asSystem, readerOf } from '../../../db/sql.ts'
import { baseUrl } from '../api.ts'

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A slot of an organization for so many bytes of text/csv. */
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

/** The same link to the API of this test. */
export const here = (url: string): string => baseUrl + url.slice(new URL(url).origin.length)

export type Sent = { status: number; body: any; headers: Headers }

/** A PUT of these bytes with the slot's headers, but for what is said otherwise. */
export async function send(
  { upload_url: url, headers }: UploadSlot,
  bytes: Uint8Array | ReadableStream<Uint8Array>,
  other: Record<string, string> = {},
): Promise<Sent> {
  const { 'content-length': _, ...rest } = headers // fetch says it by itself
  const response = await fetch(here(url), {
    method: 'PUT',
    body: bytes,
    headers: { ...rest, ...other },
    ...(bytes instanceof ReadableStream && { duplex: 'half' }),
  })
  return { status: response.status, body: await response.json(), headers: response.headers }
}

export const someBytes = (length: number): Buffer => randomBytes(length)

/** What storage has of a file, in a folder of this machine. */
export const objectsOf = (fileId: string): string[] => namesIn(join(config.storage.folder, fileId))

/** What has been begun to be put there. */
export const partsOfStorage = (): string[] => namesIn(join(config.storage.folder, 'parts'))

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** The handles that this process has open on objects of a file. */
export const opened = (fileId: string): string[] =>
  readdirSync('/proc/self/fd').filter((handle) => {
    try {
      return readlinkSync(`/proc/self/fd/${handle}`).includes(fileId)
    } catch {
      return false // closed meanwhile
    }
  })

/** A PUT of which only the beginning is sent so far. */
export function begin({ upload_url: url, headers }: UploadSlot, bytes: Uint8Array, origin = baseUrl): ClientRequest {
  const { pathname, search } = new URL(url)
  const sending = request(`${origin}${pathname}${search}`, { method: 'PUT', headers })
  sending.on('error', () => {}) // it is broken off
  sending.write(bytes)
  return sending
}

import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { downloadLink, keep, reserve } from '../../../services/files/files.ts'
import { StorageAway, get, newKey, put, remove } from '../../../platform/storage/storage.ts'
import { purgeFiles } from '../../../services/files/purge.ts'
import { receiveUpload } from '../../../services/files/uploads.ts'
import type { UploadSlot } from '../../../domain/files/file.ts'
import { type FileId, type OrganizationId, newId } from '../../../domain/ids.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import { api, organization, person } from '../../support/api.ts'
import { claimed, here, sha256, slot, someBytes } from '../../support/files/files.ts'
import { advance } from '../../support/identity/identity.ts'

const { bucket } = await vi.hoisted(async () => {
  const { CREDENTIALS, startBucket } = await import('../../support/files/s3.ts')
  const bucket = await startBucket('files')
  Object.assign(process.env, CREDENTIALS, { STORAGE_URL: bucket.url })
  return { bucket }
})

const boss = await person()
const organizationId = (await organization(boss)).id as OrganizationId

const sendTo = ({ upload_url: url, headers }: UploadSlot, bytes: Uint8Array, other: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', body: bytes, headers: { 'content-type': headers['content-type'], ...other } })

const receive = (fileId: string) =>
  receiveUpload(organizationId, { fileId: fileId as FileId, purpose: 'payment_batch', ownerId: organizationId })

const read = async (key: Parameters<typeof get>[0]) => buffer(await get(key))

test('a slot in a bucket is sent to it directly, and what is claimed is a copy that later PUTs do not change', async () => {
  const bytes = someBytes(100_000)
  const open = await slot(organizationId, bytes.length)
  expect(new URL(open.upload_url).port).toBe(String(bucket.port))
  await receive(open.id)
  await expect(claimed(organizationId, open.id)).rejects.toMatchObject({ type: 'file_not_uploaded' })

  expect((await sendTo(open, bytes)).status).toBe(200)
  await Promise.all([receive(open.id), receive(open.id)])
  const file = await claimed(organizationId, open.id)
  expect(file).toMatchObject({ byteSize: bytes.length, sha256: sha256(bytes) })
  await sendTo(open, someBytes(bytes.length))
  await receive(open.id)
  expect(await claimed(organizationId, open.id)).toEqual(file)
  expect(sha256(await read(file.key))).toBe(sha256(bytes))
})

test('what was sent to a bucket in another length or type is refused when it is taken over, and no copy is kept', async () => {
  const bytes = someBytes(1000)
  const open = await slot(organizationId, bytes.length)
  expect(new URL(open.upload_url).searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host')
  const kept = () => readdirSync(join(bucket.folder, 'files', open.id)).filter((name) => name.endsWith('_object'))
  for (const [sent, headers, type] of [
    [bytes, { 'content-type': 'text/html' }, 'unsupported_media_type'],
    [bytes.subarray(1), {}, 'upload_size_mismatch'],
    [Buffer.concat([bytes, bytes]), {}, 'upload_size_mismatch'],
  ] as const) {
    await sendTo(open, sent, headers) // this server does not check the signed headers
    await expect(receive(open.id)).rejects.toMatchObject({ type })
    expect(kept()).toHaveLength(1)
  }
  expect((await sendTo(open, bytes)).status).toBe(200)
  await receive(open.id)
  expect(await claimed(organizationId, open.id)).toMatchObject({ sha256: sha256(bytes) })

  await advance(24 * 3600 + 1)
  expect(await purgeFiles()).toBe(2)
  expect(kept()).toHaveLength(1)
})

test('a stream of any length is put in parts and fetched through the API; one that breaks off is not there', async () => {
  const id = newId<'file'>()
  const described = {
    id,
    purpose: 'export',
    ownerId: randomUUID(),
    filename: 'a.csv',
    contentType: 'text/csv',
  } as const
  await asSystem(organizationId, (tx) => reserve(tx, described))
  const content = randomBytes(17 * 1024 * 1024)
  const key = newKey(id)
  const stored = await put(key, Readable.from(split(content)))
  expect(stored).toEqual({ byteSize: content.length, sha256: sha256(content) })
  await asSystem(organizationId, (tx) => keep(tx, { key, ...stored, days: 30 }))
  const answer = await fetch(here(downloadLink(id).url))
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="a.csv"; filename*=UTF-8''a.csv`)
  expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(stored.sha256)

  const empty = newKey(id)
  expect(await put(empty, Readable.from([]))).toMatchObject({ byteSize: 0 })
  expect(await read(empty)).toHaveLength(0)
  const [broken, fault] = [newKey(id), new Error('the content broke off')]
  const breaking = async function* () {
    yield* split(content.subarray(0, 9 * 1024 * 1024)) // more than a part
    throw fault
  }
  await expect(put(broken, breaking())).rejects.toBe(fault)
  await expect(get(broken)).rejects.toBeInstanceOf(StorageAway)
  await remove(broken)
})

test('while the bucket does not answer, what needs bytes fails as StorageAway, readyz says so, and the rest goes on', async () => {
  const bytes = someBytes(10)
  const [sent, unsent] = [await slot(organizationId, bytes.length), await slot(organizationId, bytes.length)]
  await sendTo(sent, bytes)
  await receive(sent.id)
  const { key } = await claimed(organizationId, sent.id)
  expect((await api('GET', '//readyz')).body.missing).not.toContain('storage')
  await bucket.stop()
  expect((await api('GET', '//readyz')).body).toMatchObject({
    ready: true,
    missing: expect.arrayContaining(['storage']),
  })
  await expect(get(key)).rejects.toBeInstanceOf(StorageAway)
  await expect(put(newKey(sent.id as FileId), Readable.from([bytes]))).rejects.toBeInstanceOf(StorageAway)
  await expect(receive(unsent.id)).rejects.toBeInstanceOf(StorageAway)
  expect((await fetch(here(downloadLink(sent.id as FileId).url))).status).toBe(503)
  await receive(sent.id) // a repeat: it is ours already
  expect((await api('GET', '/me', { token: (await person()).token })).status).toBe(200)
})

function* split(content: Buffer): Generator<Buffer> {
  for (let at = 0, length = 1; at < content.length; at += length, length = (length * 7) % 100_003) {
    yield content.subarray(at, at + length)
  }
}

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { config } from '../../../platform/config.ts'
import { claim, downloadLink } from '../../../services/files/files.ts'
import { removeParts } from '../../../platform/storage/storage.ts'
import { purgeFiles } from '../../../services/files/purge.ts'
import type { FileId, OrganizationId } from '../../../domain/ids.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import { api, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import {
  begin,
  claimed,
  here,
  objectsOf,
  opened,
  partsOfStorage,
  send,
  sha256,
  slot,
  someBytes,
} from '../../support/files/files.ts'
import { advance } from '../../support/identity/identity.ts'
import { everyNth, longTest } from '../../support/model-runs.ts'
import { fault } from '../../support/partners/partners.ts'
import { startApi } from '../../support/processes.ts'

const boss = await person()
const { id: organizationId } = await organization(boss)
const open = (byteSize: number) => slot(organizationId, byteSize)
const saidOf = ({ status, body }: { status: number; body: any }) => [status, body.error?.type ?? body.sha256]

/** Expects that nothing was kept, and that the slot still takes the whole file. */
async function expectUntouched(file: Awaited<ReturnType<typeof open>>, bytes: Buffer) {
  await expect.poll(() => [objectsOf(file.id), partsOfStorage()]).toEqual([[], []])
  await expect(claimed(organizationId, file.id)).rejects.toMatchObject({ type: 'file_not_uploaded' })
  expect(saidOf(await send(file, bytes))).toEqual([200, sha256(bytes)])
}

test('a link is good for its method, file, length, type and time, and any other is refused before the file is looked at', async () => {
  const bytes = someBytes(10)
  const [file, other] = [await open(bytes.length), await open(bytes.length)]
  const altered = (change: (url: URL) => void) => {
    const url = new URL(file.upload_url)
    change(url)
    return { ...file, upload_url: url.href }
  }
  const set = (name: string, value: string) => altered((url) => url.searchParams.set(name, value))
  const { searchParams } = new URL(file.upload_url)
  const signature = searchParams.get('signature') ?? ''
  const forged = [
    { ...file, upload_url: file.upload_url.replace(file.id, other.id) },
    { ...file, upload_url: file.upload_url.replace(file.id, randomUUID()) },
    set('length', '11'),
    set('type', 'text/html'),
    set('expires', String(Number(searchParams.get('expires')) + 1)),
    set('signature', ''),
    set('signature', signature.slice(0, -1)),
    set('signature', `other.${signature.split('.')[1]}`),
    set('signature', new URL(downloadLink(file.id as FileId).url).searchParams.get('signature') ?? ''),
    altered((url) => url.searchParams.delete('expires')),
    altered((url) => (url.search = '')),
  ]
  for (const one of forged) expect(saidOf(await send(one, bytes))).toEqual([403, 'upload_signature_invalid'])
  const fetched = await fetch(here(file.upload_url))
  expect([fetched.status, await fetched.json()]).toMatchObject([403, { error: { type: 'upload_signature_invalid' } }])
  const path = { ...file, upload_url: file.upload_url.replace(file.id, '..%2f..%2fetc%2fpasswd') }
  expect(saidOf(await send(path, bytes))).toEqual([400, 'invalid_request'])
  await expectUntouched(file, bytes)
})

test('what is longer, shorter, or of another type than the slot says is refused, and nothing of it is kept', async () => {
  const bytes = someBytes(200_000)
  const file = await open(bytes.length)
  const inPieces = (...pieces: Buffer[]) => ReadableStream.from(pieces)
  expect(saidOf(await send(file, someBytes(10)))).toEqual([400, 'upload_size_mismatch'])
  expect(saidOf(await send(file, someBytes(300_000)))).toEqual([400, 'upload_size_mismatch'])
  expect(saidOf(await send(file, inPieces(bytes.subarray(1))))).toEqual([400, 'upload_size_mismatch'])
  expect(saidOf(await send(file, inPieces(bytes, Buffer.from('1'))))).toEqual([400, 'upload_size_mismatch'])
  expect(saidOf(await send(file, inPieces()))).toEqual([400, 'upload_size_mismatch'])
  for (const type of ['text/plain', 'text/csv; charset=utf-16', 'application/json']) {
    expect(saidOf(await send(file, bytes, { 'content-type': type }))).toEqual([415, 'unsupported_media_type'])
  }
  expect(saidOf(await send(file, bytes, { 'content-encoding': 'gzip' }))).toEqual([415, 'unsupported_media_type'])
  await expectUntouched(file, bytes)
  expect(saidOf(await send(file, inPieces(bytes)))).toEqual([200, sha256(bytes)]) // without a length
})

test('the same bytes again are answered like the first time, other bytes are refused, also once the file is in use', async () => {
  const [bytes, others] = [someBytes(70_000), someBytes(70_000)]
  const file = await open(bytes.length)
  const first = await send(file, bytes)
  for (const use of [async () => {}, () => claimed(organizationId, file.id)]) {
    await use()
    expect(await send(file, bytes)).toMatchObject({ status: 200, body: first.body })
    expect(saidOf(await send(file, others))).toEqual([409, 'file_already_uploaded'])
    expect(saidOf(await send(file, others.subarray(1)))).toEqual([400, 'upload_size_mismatch'])
  }
  expect(await claimed(organizationId, file.id)).toMatchObject({ sha256: sha256(bytes) })
  expect(objectsOf(file.id)).toHaveLength(1)
})

test('of two that are sent to one slot at once, one is kept: the same bytes get 200, others 409', async () => {
  const [bytes, others] = [someBytes(400_000), someBytes(400_000)]
  const file = await open(bytes.length)
  const answers = [
    ...(await Promise.all([send(file, bytes), send(file, others)])),
    ...(await Promise.all([send(file, others), send(file, bytes)])),
  ]
  const kept = (await claimed(organizationId, file.id)).sha256
  expect(answers.map(saidOf)).toEqual(
    [bytes, others, others, bytes].map((sent) =>
      sha256(sent) === kept ? [200, kept] : [409, 'file_already_uploaded'],
    ),
  )
  expect([objectsOf(file.id).length, partsOfStorage()]).toEqual([1, []])
})

test('after 15 minutes a slot takes nothing; while it is purged nothing is kept of what is on its way', async () => {
  const bytes = someBytes(100_000)
  const file = await open(bytes.length)
  const sending = begin(file, bytes.subarray(0, 50_000))
  await expect.poll(partsOfStorage).toHaveLength(1)
  await advance(15 * 60)
  expect(saidOf(await send(file, bytes))).toEqual([410, 'upload_expired'])
  await advance(24 * 3600)
  await purgeFiles()
  const answered = once(sending.end(bytes.subarray(50_000)), 'response') as Promise<[IncomingMessage]>
  expect(await json((await answered)[0])).toMatchObject({ error: { type: 'upload_expired' } })
  expect([objectsOf(file.id), partsOfStorage()]).toEqual([[], []])
  await expect(claimed(organizationId, file.id)).rejects.toMatchObject({ type: 'not_found' })
})

test('a file is of its organization, purpose and owner: to all others there is none', async () => {
  const bytes = someBytes(10)
  const file = await open(bytes.length)
  await send(file, bytes)
  const stranger = (await organization(boss)).id
  const own = { fileId: file.id as FileId, purpose: 'payment_batch', ownerId: organizationId } as const
  const as = (id: string, meant: Parameters<typeof claim>[1]) =>
    asSystem(id as OrganizationId, (tx) => claim(tx, meant)).then(
      () => 'claimed',
      (error: { type: string }) => error.type,
    )
  expect(await as(stranger, own)).toBe('not_found')
  expect(await as(organizationId, { ...own, purpose: 'bill' })).toBe('not_found')
  expect(await as(organizationId, { ...own, ownerId: stranger })).toBe('not_found')
  expect(await as(organizationId, own)).toBe('claimed')
  const { url } = downloadLink(own.fileId)
  expect((await fetch(here(url))).status).toBe(200)
  await owner`update organizations set status = 'banned' where id = ${organizationId}`
  expect((await fetch(here(url))).status).toBe(410)
  expect(saidOf(await send(file, bytes))).toEqual([410, 'upload_expired'])
  await owner`update organizations set status = 'active' where id = ${organizationId}`
})

describe('a request that breaks off leaves nothing, and can be sent again', () => {
  const bytes = someBytes(500_000)

  test('by its client', async () => {
    const file = await open(bytes.length)
    const sending = begin(file, bytes.subarray(0, 250_000))
    await expect.poll(partsOfStorage).toHaveLength(1)
    sending.destroy()
    await expectUntouched(file, bytes)
  })

  /** Expects that its remains are purged after a day, and not before. */
  async function expectPurged(file: Awaited<ReturnType<typeof open>>) {
    const [left = ''] = partsOfStorage()
    await removeParts()
    expect(partsOfStorage()).toEqual([left])
    const dayAgo = Date.now() / 1000 - 24 * 3600 - 1
    utimesSync(join(config.storage.folder, 'parts', left), dayAgo, dayAgo)
    await removeParts()
    await expectUntouched(file, bytes)
  }

  test('by the death of its API: what is left of it is purged after a day', async () => {
    const file = await open(bytes.length)
    writeFileSync(join(config.storage.folder, 'parts', randomUUID()), bytes.subarray(0, 250_000)) // as that leaves it
    await expectPurged(file)
  })

  longTest('by the death of its API, in a process that is killed', async () => {
    const [file, other] = [await open(bytes.length), await startApi()]
    begin(file, bytes.subarray(0, 250_000), new URL(other.url).origin)
    await expect.poll(partsOfStorage).toHaveLength(1)
    await other.kill()
    await expectPurged(file)
  })
})

describe('while storage is away, who sends or fetches gets service_unavailable, and nothing is half done', () => {
  const bytes = someBytes(200_000)

  test.each(everyNth(['down', 'error', 'malformed', 'rate_limited', 'ambiguous'] as const, 2))('%s', async (name) => {
    const file = await open(bytes.length)
    await fault('storage', name)
    const refused = await send(file, bytes)
    expect(saidOf(refused)).toEqual([503, 'service_unavailable'])
    expect(refused.headers.get('retry-after')).toBe('1')
    await expect(claimed(organizationId, file.id)).rejects.toMatchObject({ type: 'file_not_uploaded' })
    expect(saidOf(await send(file, bytes))).toEqual([200, sha256(bytes)])

    if (name === 'ambiguous') return // only a request that changes something can be ambiguous
    await fault('storage', name)
    const { url } = downloadLink(file.id as FileId)
    const failed = await fetch(here(url))
      .then(async (answer) => (await answer.arrayBuffer()) && answer.status)
      .catch(() => 'broken off')
    expect(failed).toBe(name === 'down' || name === 'rate_limited' ? 503 : 'broken off')
    expect(sha256(Buffer.from(await (await fetch(here(url))).arrayBuffer()))).toBe(sha256(bytes))
  })

  test('readyz names it, and stays ready', async () => {
    const readyz = async () => (await api('GET', '//readyz')).body
    await fault('storage', 'down')
    expect(await readyz()).toMatchObject({ ready: true, missing: expect.arrayContaining(['storage']) })
    await api('DELETE', '/sandbox/faults')
    expect((await readyz()).missing).not.toContain('storage')
  })

  test('a folder that cannot be written to', async () => {
    const parts = join(config.storage.folder, 'parts')
    rmSync(parts, { recursive: true })
    writeFileSync(parts, 'in its place')
    const file = await open(bytes.length)
    expect(saidOf(await send(file, bytes))).toEqual([503, 'service_unavailable'])
    rmSync(parts)
    mkdirSync(parts)
    await expectUntouched(file, bytes)
  })
})

test('a fetch that breaks off leaves no file open', async () => {
  const bytes = someBytes(5_000_000)
  const file = await open(bytes.length)
  await send(file, bytes)
  const aborted = new AbortController()
  await fetch(here(downloadLink(file.id as FileId).url), { signal: aborted.signal })
  expect(opened(file.id)).toHaveLength(1)
  aborted.abort()
  await expect.poll(() => opened(file.id)).toEqual([])
  const head = await fetch(here(downloadLink(file.id as FileId).url), { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), opened(file.id)]).toEqual([200, '5000000', []])
})

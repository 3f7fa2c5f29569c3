import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { config } from '../../../platform/config.ts'
import { downloadLink, keep, release, reserve, slotOf } from '../../../services/files/files.ts'
import { newKey, put } from '../../../platform/storage/storage.ts'
import { purgeFiles } from '../../../services/files/purge.ts'
import { type FileId, type OrganizationId, newId } from '../../../domain/ids.ts'
import { asSystem, readerOf } from '../../../db/postgres/sql.ts'
import { purgeAttachments } from '../../../services/attachments/commands.ts'
import { api, organization, person } from '../../support/api.ts'
import { attach, attachmentsOf } from '../../support/attachments/attachments.ts'
import { owner } from '../../support/database.ts'
import { claimed, here, objectsOf, send, sha256, slot, someBytes } from '../../support/files/files.ts'
import { advance } from '../../support/identity/identity.ts'

const HOUR = 3600

const boss = await person()
const { id: organizationId } = await organization(boss)

test('a slot takes the bytes that it was made for, and answers their length and SHA-256', async () => {
  const bytes = someBytes(300_000)
  const open = await slot(organizationId, bytes.length)
  expect(open).toMatchObject({
    file_name: 'rows.csv',
    byte_size: bytes.length,
    content_type: 'text/csv',
    method: 'PUT',
  })
  expect(open.headers).toEqual({ 'content-length': '300000', 'content-type': 'text/csv' })
  const own = readerOf(organizationId as OrganizationId)
  expect(await slotOf(own, open.id as FileId)).toEqual(open)
  await expect(claimed(organizationId, open.id)).rejects.toMatchObject({ type: 'file_not_uploaded' })
  const sent = await send(open, bytes)
  expect([sent.status, sent.body]).toEqual([200, { id: open.id, byte_size: bytes.length, sha256: sha256(bytes) }])
  expect(await claimed(organizationId, open.id)).toMatchObject({ byteSize: bytes.length, sha256: sha256(bytes) })
  expect(objectsOf(open.id)).toHaveLength(1)
})

test('what nobody uses is purged after a day: slots, files that nothing stands on any more, objects of no use', async () => {
  const bytes = someBytes(100)
  const one = () => slot(organizationId, bytes.length)
  const [empty, unused, used, freed] = [await one(), await one(), await one(), await one()]
  for (const file of [unused, used, freed]) await send(file, bytes)
  for (const file of [used, freed]) await claimed(organizationId, file.id)
  await asSystem(organizationId as OrganizationId, (tx) => release(tx, freed.id as FileId))
  for (const { id } of [unused, used]) writeFileSync(join(config.storage.folder, id, randomUUID()), 'of no use')

  expect(await purgeFiles()).toBe(0)
  await advance(23 * HOUR)
  expect(await purgeFiles()).toBe(0)
  await advance(HOUR + 1)
  expect(await purgeFiles()).toBe(5)
  expect([empty, unused, used, freed].map(({ id }) => objectsOf(id).length)).toEqual([0, 0, 1, 0])
  expect(await owner`select id from files where organization_id = ${organizationId}`).toHaveLength(2)
  await expect(claimed(organizationId, freed.id)).rejects.toMatchObject({ type: 'not_found' })
  expect(await claimed(organizationId, used.id)).toMatchObject({ sha256: sha256(bytes) })
  expect(await purgeFiles()).toBe(0)
})

test('what the service makes is fetched by a link for 15 minutes, under its name, and not shown as a page', async () => {
  const content = 'id\r\n'.repeat(100_000)
  const { url } = downloadLink(await made(content, 'Größe "1"/2.csv'))
  const answer = await fetch(here(url))
  expect([answer.status, await answer.text()]).toEqual([200, content])
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/csv',
    'content-length': String(content.length),
    'content-disposition': `attachment; filename="Gr__e _1__2.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22%2F2.csv`,
    'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'; sandbox$/),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  await advance(15 * 60)
  const late = await fetch(here(url))
  expect([late.status, await late.json()]).toMatchObject([410, { error: { type: 'export_expired' } }])
})

async function made(content: string, filename: string): Promise<FileId> {
  const id = newId<'file'>()
  const own = organizationId as OrganizationId
  const described = { id, purpose: 'export', ownerId: randomUUID(), filename, contentType: 'text/csv' } as const
  await asSystem(own, (tx) => reserve(tx, described))
  const key = newKey(id)
  const stored = await put(key, Readable.from([Buffer.from(content)]))
  await asSystem(own, (tx) => keep(tx, { key, ...stored, days: 30 }))
  return id
}

test('attachments are removed once the years of their retention are over, and none before', async () => {
  const later = await person() // the clock has moved on since the others signed in
  const { id } = await organization(later)
  const batch = await api('POST', `/organizations/${id}/payment-batches`, {
    token: later.token,
    body: { name: 'June' },
  })
  const path = attachmentsOf(id, `payment-batches/${batch.body.id}`)
  const [old, kept] = [await attach(later, path), await attach(later, path)]
  await owner`update files set used_at = business_now() - interval '10 years 1 minute' where id = ${old}`
  await owner`update files set used_at = business_now() - interval '10 years' + interval '1 day' where id = ${kept}`
  expect(await purgeAttachments()).toBe(1)
  expect([old, kept].map((file) => objectsOf(file).length)).toEqual([0, 1])
  const listed = await api('GET', path, { token: later.token })
  expect(listed.body.data.map((file: { file_id: string }) => file.file_id)).toEqual([kept])
  expect(await purgeAttachments()).toBe(0)
})

import { createHmac, hkdfSync } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['ENCRYPTION_KEYS'] =
    `now:${Buffer.alloc(32, 1).toString('base64')},before:${Buffer.alloc(32, 2).toString('base64')}`
})
const { organization, person } = await import('../../support/api.ts')
const { begin, partsOfStorage, send, sha256, slot, someBytes } = await import('../../support/files/files.ts')

const { id: organizationId } = await organization(await person())

test('a process takes 100 files at a time; whoever comes then is told to come again', async () => {
  const small = someBytes(10)
  const slots = await Promise.all(Array.from({ length: 101 }, () => slot(organizationId, small.length)))
  const [last, ...others] = slots
  if (!last) throw new Error('there is one')
  const sending = others.map((one) => begin(one, small.subarray(0, 5)))
  await expect.poll(partsOfStorage).toHaveLength(100)
  const refused = await send(last, small)
  expect([refused.status, refused.body.error.type]).toEqual([503, 'service_unavailable'])
  const answers = sending.map((one) => once(one.end(small.subarray(5)), 'response') as Promise<[IncomingMessage]>)
  expect((await Promise.all(answers)).map(([{ statusCode }]) => statusCode)).toEqual(sending.map(() => 200))
  expect((await send(last, small)).status).toBe(200)
})

test('a link that an earlier key signed is good until that key is taken out', async () => {
  const small = someBytes(10)
  const file = await slot(organizationId, small.length)
  const { searchParams } = new URL(file.upload_url)
  const signedWith = (name: string, secret: Buffer) => {
    const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'file link', 32))
    const said = ['PUT', file.id, '10', 'text/csv', searchParams.get('expires')].join('\n')
    const url = new URL(file.upload_url)
    url.searchParams.set('signature', `${name}.${createHmac('sha256', key).update(said).digest('base64url')}`)
    return { ...file, upload_url: url.href }
  }
  expect(searchParams.get('signature')).toBe(
    new URL(signedWith('now', Buffer.alloc(32, 1)).upload_url).searchParams.get('signature'),
  )
  expect((await send(signedWith('gone', Buffer.alloc(32, 3)), small)).status).toBe(403)
  expect((await send(signedWith('before', Buffer.alloc(32, 3)), small)).status).toBe(403)
  expect((await send(signedWith('before', Buffer.alloc(32, 2)), small)).body.sha256).toBe(sha256(small))
})

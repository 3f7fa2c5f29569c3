import { createHmac, hkdfSync } from 'node:crypto'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['ENCRYPTION_KEYS'] =
    `now:${Buffer.alloc(32, 1).toString('base64')},before:${Buffer.alloc(32, 2).toString('base64')}`
})
const { organization, person } = await import('../../support/api.ts')
const { begin, partsOfStorage, send, sha256, slot, someBytes } = await import('../../support/files/files.ts')

const boss = await person()
const { id: organizationId } = await organization(boss)
const small = someBytes(10)
const slotsOf = (owner: string, length: number) => Promise.all(Array.from({ length }, () => slot(owner, small.length)))
const refusalOf = ({ status, body, headers }: Awaited<ReturnType<typeof send>>) => [
  status,
  body.error?.type,
  headers.get('retry-after'),
]

async function finish(sending: readonly ClientRequest[]): Promise<(number | undefined)[]> {
  const answers = sending.map((one) => once(one.end(small.subarray(5)), 'response') as Promise<[IncomingMessage]>)
  return (await Promise.all(answers)).map(([{ statusCode }]) => statusCode)
}

test('a process takes 100 files at a time; whoever comes then is told to come again', async () => {
  const organizations = await Promise.all(Array.from({ length: 10 }, () => organization(boss)))
  const slots = (await Promise.all(organizations.map(({ id }) => slotsOf(id, 10)))).flat()
  const last = await slot(organizationId, small.length)
  const sending = slots.map((one) => begin(one, small.subarray(0, 5)))
  await expect.poll(partsOfStorage).toHaveLength(100)
  expect(refusalOf(await send(last, small))).toEqual([503, 'service_unavailable', '5'])
  expect(await finish(sending)).toEqual(sending.map(() => 200))
  expect((await send(last, small)).status).toBe(200)
})

test('a link takes two bodies at once and an organization ten; those of others go on beside 110 slow sockets', async () => {
  const [victim, ...own] = await slotsOf(organizationId, 10)
  const other = await slot((await organization(boss)).id, small.length)
  if (!victim) throw new Error('there is one')
  const slow = Array.from({ length: 110 }, () => begin(victim, small.subarray(0, 5)))
  await expect.poll(partsOfStorage).toHaveLength(2)
  expect(refusalOf(await send(victim, small))).toEqual([429, 'rate_limited', '5'])
  expect((await send(other, small)).status).toBe(200)
  const more = own.slice(0, 8).map((one) => begin(one, small.subarray(0, 5)))
  await expect.poll(partsOfStorage).toHaveLength(10)
  expect(refusalOf(await send(own[8]!, small))).toEqual([429, 'rate_limited', '5'])
  expect(await finish(more)).toEqual(more.map(() => 200))
  expect((await send(own[8]!, small)).status).toBe(200)
  for (const socket of slow) socket.destroy()
  await expect.poll(partsOfStorage).toEqual([])
  expect((await send(victim, small)).status).toBe(200)
})

test('a link that an earlier key signed is good until that key is taken out', async () => {
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

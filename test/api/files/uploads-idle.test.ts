/** A short deadline, in a file of its own: what it ends elsewhere is a machine that halted for as long. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { REQUEST_DEADLINE_MS: '1000' }))
const { baseUrl, organization, person } = await import('../../support/api.ts')
const { begin, opened, partsOfStorage, send, slot, someBytes } = await import('../../support/files/files.ts')
const { downloadLink } = await import('../../../db/files/files.ts')

const { id: organizationId } = await organization(await person())
const bytes = someBytes(20_000_000)

test('a connection on which nothing moves is ended, whichever way the file goes, and nothing is left of it', async () => {
  const file = await slot(organizationId, bytes.length)
  const [error] = (await once(begin(file, bytes.subarray(0, 1000)), 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNRESET')
  await expect.poll(partsOfStorage).toEqual([])
  expect((await send(file, bytes)).status).toBe(200)

  const { pathname, search } = new URL(downloadLink(file.id as never).url)
  const reader = connect(Number(new URL(baseUrl).port), '127.0.0.1').on('error', () => {})
  let read = 0
  reader.on('data', (piece) => (read += piece.length))
  reader.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: here\r\n\r\n`)
  await once(reader, 'data')
  reader.pause()
  await expect.poll(() => opened(file.id)).toEqual([])
  reader.resume()
  await once(reader, 'close')
  expect(read).toBeLessThan(bytes.length)
})

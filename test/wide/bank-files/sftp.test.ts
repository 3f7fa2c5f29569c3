/** Files by SFTP: whatever the server does, nothing half is visible, and each payment leaves once. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { account, entry, namesIn, takeUploaded, uploaded, visit, write } from '../../support/bank-files/bank.ts'
import { folder } from '../../support/bank-files/connecting.ts'
import { filesIn, findings, hear, paymentAt, put, upload, uploadAll, writeAll } from '../../support/bank-files/files.ts'
import { CODE, type Misbehaviour } from '../../support/bank-files/sftp-server.ts'
import { say } from '../../support/bank-files/words.ts'
import { owner } from '../../support/database.ts'
import { fileIdOf } from '../../../domain/bank-files/references.ts'

const { server, port } = await vi.hoisted(async () => {
  const { connectFileBank, folder: folderOf } = await import('../../support/bank-files/connecting.ts')
  const { SftpServer } = await import('../../support/bank-files/sftp-server.ts')
  const started = new SftpServer(folderOf(), 'a long password')
  const at = await started.start(0)
  Object.assign(process.env, { PARTNER_TIMEOUT_MS: '6000', SFTP_KEY: 'a long password' })
  const sftp = `sftp://customer@127.0.0.1:${at}`
  connectFileBank({ transport: { sftp, key: { env: 'SFTP_KEY' }, host_key: started.hostKey } })
  return { server: started, port: at }
})
afterAll(() => server.stop())
beforeEach(() => void takeUploaded())
afterEach(() => server.behave())

/** Writes a file of one payment; answers both. */
async function written() {
  const [id = ''] = await put('10.00')
  await writeAll()
  const [fileId] = await filesIn('written')
  if (!fileId) throw new Error('no file is written')
  server.behave()
  return { id, fileId }
}
const timesSent = (id: string): number => {
  takeUploaded()
  return namesIn('taken').filter((name) => uploaded(name).includes(`<EndToEndId>${fileIdOf(id)}<`)).length
}
const complete = () => namesIn('in').filter((name) => name.endsWith('.xml'))

test('a file is written under a temporary name, then renamed, and the bank has its bytes', async () => {
  const { id, fileId } = await written()
  await upload(fileId)
  expect(server.asked).toEqual(['list', 'open', 'write', 'close', 'list', 'rename'])
  const [name = ''] = namesIn('in')
  const [row] = await owner`select sha256, byte_size::int as bytes from bank_files where name = ${name}`
  const { createHash } = await import('node:crypto')
  const bytes = readFileSync(join(folder(), 'in', name))
  expect(row).toEqual({ sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length })
  expect(await paymentAt(id)).toMatchObject({ status: 'processing' })
  expect(timesSent(id)).toBe(1)
})

test('files of the bank are listed and fetched, also those of many pieces', async () => {
  const entries = Array.from({ length: 300 }, (_, at) => entry('credit', '1.00', { remittance: `Invoice ${at}` }))
  say(account(entries), 'large.xml')
  write('empty.xml', '')
  write('large.xml.part', 'is being written')
  expect(readFileSync(join(folder(), 'out', 'large.xml')).length).toBeGreaterThan(100_000)
  await hear()
  const rows = await owner`select name, status from bank_files where direction = 'in' order by name`
  expect(rows.map((row) => [row['name'], row['status']])).toEqual([
    ['empty.xml', 'unreadable'],
    ['large.xml', 'read'],
  ])
  const [row] = await owner`select count(*)::int as count from bank_entry_parts where kind = 'deposit'`
  expect(row?.['count']).toBe(300)
})

test('another host key is refused before anything is sent, and is a finding until it is the pinned one', async () => {
  const { id, fileId } = await written()
  await server.stop()
  await server.start(port, { asAnother: true })
  const before = server.logins
  await expect(upload(fileId)).rejects.toThrow('other_host_key')
  await expect(visit()).rejects.toThrow('other_host_key')
  expect([server.logins, server.asked, namesIn('in')]).toEqual([before, [], []])
  expect(await findings()).toEqual(
    expect.arrayContaining(['bank_file_fetch_impossible other_host_key', 'bank_file_upload_impossible other_host_key']),
  )
  await server.stop()
  await server.start(port)
  await upload(fileId)
  await visit()
  expect((await findings()).join()).not.toContain('impossible')
  expect(timesSent(id)).toBe(1)
})

test('a server that is away is no finding; once it is there, the file leaves once', async () => {
  const { id, fileId } = await written()
  await server.stop()
  await expect(upload(fileId)).rejects.toThrow('unreachable')
  await expect(visit()).rejects.toThrow('unreachable')
  expect((await findings()).join()).not.toContain('impossible')
  await server.start(port)
  await upload(fileId)
  expect(timesSent(id)).toBe(1)
})

test.each<['list' | 'open' | 'write' | 'close' | 'rename', Misbehaviour, string]>([
  ['list', 'hang', 'silent'],
  ['write', 'hang', 'silent'],
  ['rename', 'hang', 'silent'],
  ['list', 'cut', 'connection_cut'],
  ['open', 'cut', 'connection_cut'],
  ['write', 'cut', 'connection_cut'],
  ['close', 'cut', 'connection_cut'],
  ['rename', 'cut', 'connection_cut'],
])(
  'a server at whose %s we get: %s: nothing half is visible, and the next try brings it once',
  async (at, how, fault) => {
    const { id, fileId } = await written()
    server.misbehave(at, how)
    await expect(upload(fileId)).rejects.toThrow(fault)
    expect(complete()).toEqual([])
    server.behave()
    await upload(fileId)
    expect(namesIn('in')).toEqual(complete())
    expect(timesSent(id)).toBe(1)
  },
)

test.each<['open' | 'write' | 'rename', Misbehaviour, string]>([
  ['open', { code: CODE.noPermission }, 'no_permission'],
  ['open', { code: CODE.noSuchFile }, 'no_directory'],
  ['write', { code: CODE.failure }, 'refused'],
  ['write', 'lose bytes', 'no_space'],
  ['rename', { code: CODE.noPermission }, 'no_permission'],
])('a folder that refuses %s (%j) is a finding by its reason, and holds no rest of a file', async (at, how, fault) => {
  const { id, fileId } = await written()
  server.misbehave(at, how)
  for (let tries = 0; tries < 3; tries += 1) await expect(upload(fileId)).rejects.toThrow(fault)
  expect(complete()).toEqual([])
  expect(namesIn('in').length).toBe(at === 'rename' ? 1 : 0)
  expect(await findings()).toContain(`bank_file_upload_impossible ${fault}`)
  expect(await paymentAt(id)).toMatchObject({ status: 'pending' })
  server.behave()
  await uploadAll()
  expect(await findings()).not.toContain(`bank_file_upload_impossible ${fault}`)
  expect(timesSent(id)).toBe(1)
})

test('a file that is cut while it is fetched is fetched whole by the next visit', async () => {
  say(account([entry('credit', '2.00', { remittance: 'once' })]), 'once.xml')
  server.misbehave('read', 'cut')
  await expect(visit()).rejects.toThrow('connection_cut')
  expect((await owner`select from bank_files where name = 'once.xml'`).length).toBe(0)
  server.behave()
  await hear()
  expect((await owner`select status from bank_files where name = 'once.xml'`)[0]).toEqual({ status: 'read' })
})

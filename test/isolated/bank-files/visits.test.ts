/** Visits to a bank by SFTP: the key of its host, our login, broken connections, and failures that are not ours. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PlannedFaults } from '../../../dev/conform/planned-faults.ts'
import { PASSWORD, SftpServer, hostFingerprint } from '../../../dev/conform/iso20022/sftp-server.ts'
import { freePort } from '../../../dev/machine/ports.ts'
import type { BankFolder } from '../../../partners/iso20022/folder.ts'
import { visit } from '../../../partners/iso20022/visits.ts'
import type { FileBank } from '../../../services/bank-files/settings.ts'

const root = join(process.env['DATA_DIR'] ?? '', 'bank-by-sftp')
const faults = new PlannedFaults()
const port = await freePort()
const server = new SftpServer(port, root, faults)

beforeAll(async () => {
  for (const name of ['in', 'out']) mkdirSync(join(root, name), { recursive: true })
  await server.start()
})
afterAll(() => server.stop())
beforeEach(() => faults.clear())

const bankWith = ({ key = PASSWORD, hostKey = hostFingerprint() } = {}): FileBank => ({
  name: 'house-bank',
  kind: 'fiat',
  url: `sftp://customer@127.0.0.1:${port}`,
  key,
  callbackSecret: null,
  standIn: false,
  serves: ['EUR'],
  closed: false,
  settings: {
    driver: 'iso20022',
    holder: 'Pay GmbH',
    accounts: [],
    transport: { kind: 'sftp', user: 'customer', host: '127.0.0.1', port, hostKey },
    directories: { upload: 'in', download: 'out' },
    pollMinutes: 5,
    flushMinutes: 5,
    filePaymentsMax: 1,
    instant: [],
    virtualIbans: null,
  },
})
const visited = <Result>(work: (folder: BankFolder) => Promise<Result>, bank = bankWith()) => visit(bank, work)

test('files are listed, read, written, renamed and removed', async () => {
  writeFileSync(join(root, 'out', 'report.xml'), 'a report')
  const seen = await visited(async (folder) => {
    await folder.write('in', 'one.tmp', Buffer.from('bytes'))
    await folder.rename('in', 'one.tmp', 'one.xml')
    await folder.write('in', 'left.tmp', Buffer.from('left'))
    await folder.remove('in', 'left.tmp')
    const [listed, text] = [await folder.list('out'), await folder.read('out', 'report.xml', 100)]
    return {
      listed,
      text: text?.toString(),
      large: await folder.read('out', 'report.xml', 3),
      none: await folder.read('out', 'none.xml', 9),
    }
  })
  expect(seen).toMatchObject({
    listed: [{ name: 'report.xml', byteSize: 8 }],
    text: 'a report',
    large: null,
    none: null,
  })
  expect(readFileSync(join(root, 'in', 'one.xml'), 'utf8')).toBe('bytes')
  expect(existsSync(join(root, 'in', 'left.tmp'))).toBe(false)
})

test.each([
  ['a host with another key', { hostKey: `SHA256:${'A'.repeat(43)}` }, 'another host key'],
  ['another password', { key: 'another password' }, 'refuses our login'],
])('%s: nothing is sent, and the reason is said', async (_name, given, reason) => {
  let came = false
  const visiting = visited(async () => void (came = true), bankWith(given))
  await expect(visiting).rejects.toMatchObject({ type: 'PartnerUnclear', message: expect.stringContaining(reason) })
  expect(came).toBe(false)
})

test.each([
  ['find', 'half an answer'],
  ['deposit', 'half an answer'],
  ['order', 'answer lost'],
  ['order', 'error before'],
  ['order', 'forbidden'],
  ['order', 'unavailable'],
] as const)('%s: %s, which is unclear', async (call, fault) => {
  writeFileSync(join(root, 'in', 'two.tmp'), 'two')
  faults.interfere(call, fault, 1)
  const visiting = visited(async (folder) => {
    await folder.list('out')
    await folder.read('out', 'report.xml', 100)
    await folder.rename('in', 'two.tmp', 'two.xml')
  })
  await expect(visiting).rejects.toMatchObject({ type: 'PartnerUnclear' })
  expect(existsSync(join(root, 'in', 'two.tmp'))).toBe(fault !== 'answer lost')
})

test('what fails beside the folder is a failure of ours', async () => {
  const ours = new Error('ours')
  await expect(visited(() => Promise.reject(ours))).rejects.toBe(ours)
})

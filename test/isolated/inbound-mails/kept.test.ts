/** Mails at rest: the rotation of their keys, their retention, and reading without a gateway. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

const { encryptBefore } = await vi.hoisted(async () => {
  vi.stubEnv('ENCRYPTION_KEYS', '')
  const { encrypt } = await import('../../../platform/encryption.ts')
  vi.resetModules()
  return { encryptBefore: encrypt }
})
vi.stubEnv(
  'ENCRYPTION_KEYS',
  `k2:${randomBytes(32).toString('base64')},dev1:3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=`,
)
vi.stubEnv('BILLS_MAIL_GATEWAYS', '192.0.2.0/24')
vi.stubEnv('BILLS_MAIL_RETENTION_DAYS', '3')
vi.stubEnv('BILLS_MAIL_NETWORK_LIMIT_PER_HOUR', '20')
const { decrypt } = await import('../../../platform/encryption.ts')
const { config } = await import('../../../platform/config.ts')
const { purgeFiles } = await import('../../../services/files/purge.ts')
const { reencryptAll } = await import('../../../services/maintenance/key-rotation.ts')
const { baseUrl, organization, person } = await import('../../support/api.ts')
const { sentFile } = await import('../../support/bills/bills.ts')
const { owner } = await import('../../support/database.ts')
const { objectsOf } = await import('../../support/files/files.ts')
const { advance } = await import('../../support/identity/identity.ts')
const { domainOf, handIn, mailbox, newSender, proved, sendMail, whenMailRead } =
  await import('../../support/inbound-mails.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { until } = await import('../../support/until.ts')
const { useWorker } = await import('../../support/worker.ts')

usePartners()
useWorker()

test('a mail is encrypted, opens after its key was sealed anew, and its bytes go after their days', async () => {
  const boss = await person()
  const { id } = await organization(boss, 'Kept')
  const { address } = await mailbox(boss, id)
  const [sender, secret] = [newSender(), randomBytes(16).toString('hex')]
  const headers = proved(domainOf(sender))
  await sendMail({ from: sender, to: address, subject: 'first', text: secret, headers })
  // it came past the gateway: what it says of itself is not believed
  expect(await whenMailRead(boss, id, 'first')).toMatchObject({ authentication: { verdict: 'none' } })
  const [mail] = await owner<{ id: string; file_id: string; sealed_key: Buffer }[]>`
    select id, file_id, sealed_key from inbound_mails where organization_id = ${id}`
  const [object] = objectsOf(mail!.file_id)
  const stored = readFileSync(join(config.storage.folder, mail!.file_id, object ?? ''))
  expect([stored.length > 0, stored.includes(secret)]).toEqual([true, false])
  await owner`update inbound_mails set sealed_key = ${encryptBefore(decrypt(mail!.sealed_key))} where id = ${mail!.id}`
  const keyOf = async () => {
    const [row] = await owner<{ sealed_key: Buffer }[]>`select sealed_key from inbound_mails where id = ${mail!.id}`
    return row!.sealed_key.subarray(1, 1 + (row!.sealed_key[0] ?? 0)).toString()
  }
  expect(await keyOf()).toBe('dev1')
  await reencryptAll()
  expect(await keyOf()).toBe('k2')

  await advance(3 * 86_400 + 60)
  await purgeFiles()
  expect(objectsOf(mail!.file_id)).toEqual([])
  const left = await owner`select status, subject_line from inbound_mails where id = ${mail!.id}`
  expect(left).toEqual([{ status: 'mail_without_bill', subject_line: 'first' }])
})

test('a call that is not signed now is refused before its body; slow ones keep out no file, and count for their network', async () => {
  const boss = await person()
  const { id } = await organization(boss, 'Slow')
  const { address } = await mailbox(boss, id)
  const { hostname, port } = new URL(baseUrl)
  const begin = (at: number) => {
    const signature = `webhook-id: msg_1\r\nwebhook-timestamp: ${Math.floor(at / 1000)}\r\nwebhook-signature: v1,x`
    const socket = connect(Number(port), hostname).on('error', () => {})
    socket.write(`POST /inbound-mails HTTP/1.1\r\nhost: x\r\n${signature}\r\ntransfer-encoding: chunked\r\n\r\n`)
    return socket
  }
  const old = begin(Date.now() - 400_000)
  expect(String((await once(old, 'data'))[0])).toMatch(/^HTTP\/1\.1 401/)
  const calls = [old, ...Array.from({ length: 20 }, () => begin(Date.now()))]
  const send = () => handIn(address, 'ann@supplier.example', Buffer.from('Subject: x\r\n\r\n'))
  await until('all places are taken', async () => (await send()) === 503)
  await sentFile(boss, id, Buffer.from('%PDF-1.4'), 'application/pdf')
  for (const call of calls) call.destroy()
  await until('the network is refused', async () => (await send()) === 429)
})

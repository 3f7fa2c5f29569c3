/** Certificate of the mail server, renewed while it runs. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, openMailServer } from '../../../api/inbound-mails/smtp.ts'
import { makeTemporaryFolder } from '../../../dev/machine/temporary.ts'
import { SERVER_CERTIFICATE, SERVER_KEY } from '../../support/temporal/certificates.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../../support/webhooks/certificate.ts'

const folder = makeTemporaryFolder()
const files = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') }
let server: MailServer

beforeAll(async () => {
  writeFileSync(files.cert, CERTIFICATE)
  writeFileSync(files.key, CERTIFICATE_KEY)
  server = await openMailServer(0, { certificateFiles: files, certificateLookMs: 20 })
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const fingerprintOf = (pem: string): string => new X509Certificate(pem).fingerprint256

/** Begins STARTTLS, and reads the fingerprint of the certificate that is shown. */
async function readShown(): Promise<string> {
  const socket = connectPlain(server.port, '127.0.0.1')
  try {
    for (const command of ['EHLO sender.example\r\n', 'STARTTLS\r\n']) {
      await once(socket, 'data')
      socket.write(command)
    }
    await once(socket, 'data')
    const secure = connect({ socket, rejectUnauthorized: false })
    await once(secure, 'secureConnect')
    return secure.getPeerCertificate().fingerprint256
  } finally {
    socket.destroy()
  }
}

test('a renewed certificate is shown once its key is there, and the former one until then', async () => {
  expect(await readShown()).toBe(fingerprintOf(CERTIFICATE))
  writeFileSync(files.cert, SERVER_CERTIFICATE) // its key is not written yet
  expect(await readShown()).toBe(fingerprintOf(CERTIFICATE))
  writeFileSync(files.key, SERVER_KEY)
  await expect.poll(readShown).toBe(fingerprintOf(SERVER_CERTIFICATE))
})

test('a server with a key of another certificate does not start', async () => {
  writeFileSync(files.cert, CERTIFICATE)
  await expect(openMailServer(0, { certificateFiles: files })).rejects.toThrow(/key values mismatch/)
})

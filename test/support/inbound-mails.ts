/** Bills by mail: addresses, a server of the test's own, and senders whose gateway says what it found. */
import { randomUUID } from 'node:crypto'
import { type SendMailOptions, createTransport } from 'nodemailer'
import { Webhook } from 'standardwebhooks'
import { type MailServer, openMailServer } from '../../api/inbound-mails/smtp.ts'
import { type TestPerson, api, baseUrl } from './api.ts'
import { atEndOfService } from './lifetime.ts'
import { until } from './until.ts'

let opened: Promise<MailServer> | undefined
/** Opens the server once for all files of a process. */
export const mailServer = (): Promise<MailServer> =>
  (opened ??= openMailServer(0).then((server) => {
    atEndOfService(() => server.stop())
    return server
  }))

export async function mailbox(by: TestPerson, organizationId: string, name = 'Bills') {
  const path = `/organizations/${organizationId}/bill-mailboxes`
  const { status, body } = await api('POST', path, { token: by.token, body: { name } })
  if (status !== 201) throw new Error(`mailbox: ${JSON.stringify(body)}`)
  return body as { id: string; address: string }
}

/** Writes the header of the gateway, which proves the domain of the sender. */
export const proved = (domain: string, more = '') => ({
  'Authentication-Results': `gateway.test; dmarc=pass header.from=${domain}; dkim=pass header.d=${domain}${more}`,
})

export const newSender = () => `ann@s${randomUUID().slice(0, 8)}.example`
export const domainOf = (address: string) => address.slice(address.indexOf('@') + 1)

/** Sends a mail by SMTP, encrypted by STARTTLS; throws what the server answers else. */
export async function sendMail(mail: SendMailOptions, port?: number): Promise<void> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: port ?? (await mailServer()).port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
  })
  try {
    await transport.sendMail(mail)
  } finally {
    transport.close()
  }
}

/** Writes a mail as bytes. */
export async function mailBytes(mail: SendMailOptions): Promise<Buffer> {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail)
  return message as Buffer // as asked
}

/** Hands a mail in as a provider does; `secret` null: without a signature. */
export async function handIn(to: string, from: string, raw: Buffer, secret = process.env['BILLS_MAIL_SECRET'] ?? null) {
  const [id, at] = [`msg_${randomUUID()}`, new Date()]
  const content = Buffer.concat([Buffer.from(`${from}\n${to}\n`), raw])
  const response = await fetch(`${baseUrl}/inbound-mails`, {
    method: 'POST',
    body: new Uint8Array(raw),
    headers: {
      'content-type': 'message/rfc822',
      'mail-sender': from,
      'mail-recipient': to,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      ...(secret !== null && { 'webhook-signature': new Webhook(secret).sign(id, at, content) }),
    },
  })
  return response.status
}

export const mailsOf = async (by: TestPerson, organizationId: string, query = ''): Promise<any[]> =>
  (await api('GET', `/organizations/${organizationId}/inbound-mails${query}`, { token: by.token })).body.data

/** Waits until the mail about this is read, and answers it. */
export const whenMailRead = (by: TestPerson, organizationId: string, subject: string) =>
  until(`the mail ${subject} is read`, async () => {
    const mail = (await mailsOf(by, organizationId)).find((one) => one.subject_line === subject)
    return mail && mail.status !== 'received' && mail
  })

export const decide = (
  by: TestPerson,
  organizationId: string,
  id: string,
  verb: 'accept' | 'refuse',
  body: object = {},
) => api('POST', `/organizations/${organizationId}/inbound-mails/${id}/${verb}`, { token: by.token, body })

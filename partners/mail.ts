import { createTransport } from 'nodemailer'
import { config } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import type { Delivery, QueuedMessage } from '../services/messages/messages.ts'
import type { MessageId } from '../domain/ids.ts'
import { renderHtml } from '../domain/messages/mail-html.ts'
import type { AttachedFile } from '../domain/messages/message.ts'

/** Connections to the mail server, and mails at once in a worker: more would wait in this process. */
export const MAIL_CONNECTIONS = 5
/** Timeout: a server may take ten minutes; a repeat would be a second mail (RFC 5321, 4.5.3.2.6). */
const ANSWER_MS = 600_000
const CONNECT_MS = 10_000
const IDLE_MS = 30_000

const transport = config.smtpUrl
  ? createTransport({
      url: config.smtpUrl,
      pool: true,
      maxConnections: MAIL_CONNECTIONS,
      maxRequeues: 0, // the workflow retries
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: ANSWER_MS,
      idleTimeout: IDLE_MS,
      requireTLS: config.live, // mails carry tokens
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  : undefined
/** Signs in to the mail server, and sends nothing. Throws if it does not take us. */
export async function verifyMailServer(): Promise<void> {
  if (!transport) throw new Error('there is no mail server')
  await transport.verify()
}

const senderAddress = /<([^<>]+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom
const senderDomain = /@([^\s>]+)/.exec(config.mailFrom)?.[1] ?? 'localhost'

/**
 * Hands a mail to the server; a repeat has the same Message-ID. Answers `refused` if this mail is refused for good. The
 * server's text is not stored: it repeats addresses.
 */
export async function sendMail(
  messageId: MessageId,
  mail: QueuedMessage,
  attached: Buffer | undefined,
): Promise<Delivery> {
  if (!transport) throw new Error('there is no mail server')
  try {
    await transport.sendMail({
      messageId: `<${messageId}@${senderDomain}>`,
      from: mail.sender ? { name: mail.sender.name, address: senderAddress } : config.mailFrom,
      ...(mail.sender?.reply_to && { replyTo: { name: '', address: mail.sender.reply_to } }),
      to: { name: '', address: mail.recipient }, // as an object it stays one address, whatever it holds
      subject: mail.subject,
      text: mail.text,
      ...(mail.mail && { html: renderHtml(mail.mail) }),
      ...(mail.attachment && attached && { attachments: [attachmentOf(mail.attachment, attached)] }),
      headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: no absence notices
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return { outcome: 'taken' }
  } catch (error) {
    const failure = error as SmtpError
    const refused = isRefused(failure)
    const { code = 'unknown', responseCode } = failure
    log.warn(
      { message_id: messageId, code, response_code: responseCode, refused },
      'the mail server did not take a mail',
    )
    return refused ? { outcome: 'refused', note: 'refused' } : { outcome: 'untaken' }
  }
}

const attachmentOf = ({ filename, content_type: contentType }: AttachedFile, content: Buffer) => ({
  filename,
  contentType,
  content,
})

type SmtpError = { code?: string; responseCode?: number; permanent?: boolean }

/** Missing sign-in, which is no fault of the mail (RFC 4954, 6). */
const AUTHENTICATION_REQUIRED = 530

/** Tells whether the server refuses this mail for good, and not us or all mails. */
function isRefused({ code, responseCode, permanent }: SmtpError): boolean {
  const refusesThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  const forGood = permanent ?? responseCode === undefined
  return refusesThisMail && forGood && responseCode !== AUTHENTICATION_REQUIRED
}

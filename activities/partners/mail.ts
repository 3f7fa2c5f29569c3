/** The mail server: takes a mail for delivery, over SMTP. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import { createTransport } from 'nodemailer'
import { config } from '../../db/config.ts'
import { takeQueuedMail } from '../../db/messages.ts'
import type { MessageRef } from '../messages.ts'

/** Mails on their way at once. */
const MAIL_CONNECTIONS = 5
/** A server that has the whole mail may take ten minutes to say so, and sends it twice if asked again (RFC 5321, 4.5.3.2.6). */
const ANSWER_MS = 600_000
const CONNECT_MS = 10_000
const IDLE_MS = 30_000

const transport = config.smtpUrl
  ? createTransport({
      url: config.smtpUrl,
      pool: true,
      maxConnections: MAIL_CONNECTIONS,
      maxRequeues: 0, // the workflow repeats
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: ANSWER_MS,
      idleTimeout: IDLE_MS,
      requireTLS: config.live, // mails carry tokens
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  : undefined
const senderDomain = /@([^\s>]+)/.exec(config.mailFrom)?.[1] ?? 'localhost'

/**
 * Hands a queued mail to the mail server; nothing where it is queued no longer. A repeat has the same Message-ID. Fails
 * for good where the server refuses this mail (5xx), and otherwise so that it is tried again. Failures quote nothing of
 * what the server says: it repeats addresses.
 */
export async function sendMail({ messageId }: MessageRef): Promise<void> {
  if (!transport) throw ApplicationFailure.retryable('SMTP_URL is not set where the worker runs', 'MailNotConfigured')
  const mail = await takeQueuedMail(messageId)
  if (!mail) return
  try {
    await transport.sendMail({
      messageId: `<${messageId}@${senderDomain}>`,
      from: config.mailFrom,
      to: { name: '', address: mail.recipient }, // as an object it is one address, whatever it holds
      subject: mail.subject,
      text: mail.text,
      headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: nobody's absence notice is wanted
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  } catch (error) {
    throw failureOf(error as SmtpError)
  }
}

/** What nodemailer says of a mail that was not taken. */
type SmtpError = { code?: string; responseCode?: number; permanent?: boolean }

/** The server asks for a sign-in that is not configured: that is no fault of the mail (RFC 4954, 6). */
const AUTHENTICATION_REQUIRED = 530

function failureOf({ code = 'unknown', responseCode, permanent }: SmtpError): ApplicationFailure {
  const refusesThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  const forGood = permanent ?? responseCode === undefined
  const nonRetryable = refusesThisMail && forGood && responseCode !== AUTHENTICATION_REQUIRED
  return ApplicationFailure.create({
    type: nonRetryable ? 'MailRefused' : 'MailNotTaken',
    message: `the mail server did not take the mail: ${responseCode ?? ''} ${code}`,
    nonRetryable,
    ...(nonRetryable && { category: ApplicationFailureCategory.BENIGN }), // an answer, not an incident
  })
}

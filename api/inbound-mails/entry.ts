/** Entry for providers that take mails for us, and hand them on signed. */
import * as v from 'valibot'
import { Refusal, refuse } from '../../domain/errors.ts'
import { config } from '../../platform/config.ts'
import { requireSignedNow, verifyWebhook } from '../../partners/standard-webhooks.ts'
import { findMailboxAt } from '../../services/inbound-mails/mailboxes.ts'
import { admitMail, countForger, receiveMail, refuseForgers } from '../../services/inbound-mails/reception.ts'
import { networkOf } from '../http/address.ts'
import { mail, operations } from '../http/operation.ts'
import { MEMORY, collect } from './memory.ts'

const { byHand } = operations('Bills by mail')
const ADDRESS_LENGTH_MAX = 320

export const inboundMailEntry = [
  byHand('post', '/inbound-mails', 'receiveInboundMail')
    .says(
      'Hand in a mail that came to an address for bills',
      'The body is the mail (RFC 5322), up to 25 MB. `Mail-Recipient` and `Mail-Sender` are its envelope; without a ' +
        'sender the latter is empty. Signed by Standard Webhooks: the content that is signed is the sender, a line ' +
        'feed, the recipient, a line feed, and the body. 204 once it is stored; the same mail again changes nothing.',
    )
    .for('anyone')
    .takes(mail)
    .refuses('not_authenticated', 'unprocessable_entity', 'not_found')
    .atRoot()
    .answers(v.object({}), 204)
    .does(async ({ origin, sent: { pieces, headers } }) => {
      if (config.billsMailDomain === undefined) refuse('unprocessable_entity', { reason: 'no_bill_mail' })
      const [sender = '', recipient = ''] = ['mail-sender', 'mail-recipient'].map((name) => headers.get(name) ?? '')
      const isLong = Math.max(sender.length, recipient.length) > ADDRESS_LENGTH_MAX
      if (config.billsMailSecret === undefined || isLong) refuse('not_authenticated')
      requireSignedNow(headers)
      const raw = await collectSigned(networkOf(origin.address), pieces, (body) => {
        const signed = Buffer.concat([Buffer.from(`${sender}\n${recipient}\n`), body])
        verifyWebhook(config.billsMailSecret ?? null, { raw: signed, headers })
      })
      const mailbox = (await findMailboxAt(recipient)) ?? refuse('not_found')
      await admitMail(mailbox, null)
      await receiveMail(mailbox, { raw, envelopeFrom: sender || null, fromGateway: true })
      return {}
    }),
]

/** Collects a body and verifies it. A network that is often wrong is refused before its bodies are read. */
async function collectSigned(
  network: string,
  pieces: AsyncIterable<Uint8Array>,
  verify: (body: Buffer) => void,
): Promise<Buffer> {
  await refuseForgers(network)
  try {
    const body = await collect(pieces, MEMORY.providers)
    verify(body)
    return body
  } catch (error) {
    // what we have no room for says nothing about the caller
    if (!(error instanceof Refusal && error.type === 'service_unavailable')) await countForger(network)
    throw error
  }
}

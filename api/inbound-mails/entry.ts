/** Entry for providers that take mails for us, and hand them on signed. */
import * as v from 'valibot'
import { refuse } from '../../domain/errors.ts'
import { config } from '../../platform/config.ts'
import { verifyWebhook } from '../../partners/standard-webhooks.ts'
import { findMailboxAt } from '../../services/inbound-mails/mailboxes.ts'
import { admitMail, receiveMail } from '../../services/inbound-mails/reception.ts'
import { operations, stream } from '../http/operation.ts'
import { collect } from './memory.ts'

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
    .takes(stream)
    .refuses('not_authenticated', 'unprocessable_entity', 'not_found')
    .atRoot()
    .answers(v.object({}), 204)
    .does(async ({ sent: { pieces, headers } }) => {
      if (config.billsMailDomain === undefined) refuse('unprocessable_entity', { reason: 'no_bill_mail' })
      const [sender = '', recipient = ''] = ['mail-sender', 'mail-recipient'].map((name) => headers.get(name) ?? '')
      const isSigned = config.billsMailSecret !== undefined && headers.has('webhook-signature')
      if (!isSigned || Math.max(sender.length, recipient.length) > ADDRESS_LENGTH_MAX) refuse('not_authenticated')
      const raw = await collect(pieces, false)
      const signed = Buffer.concat([Buffer.from(`${sender}\n${recipient}\n`), raw])
      verifyWebhook(config.billsMailSecret ?? null, { raw: signed, headers })
      const mailbox = (await findMailboxAt(recipient)) ?? refuse('not_found')
      await admitMail(mailbox, null)
      await receiveMail(mailbox, { raw, envelopeFrom: sender || null, fromGateway: true })
      return {}
    }),
]

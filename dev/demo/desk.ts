/** Desk of the demo: accounts to code bills by, an address for bills, and a mail of a supplier who is not known yet. */
import { createTransport } from 'nodemailer'
import { Webhook } from 'standardwebhooks'
import type { Client } from '../../clients/typescript/src/index.ts'
import { mailSettings } from '../settings.ts'
import { type Supplier, invoice } from './invoice.ts'

const SENDER = 'billing@papierhaus.example'
const PAPER: Supplier = {
  name: 'Papierhaus Elbe GmbH',
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
  taxId: 'DE204517838',
}
const ACCOUNTS = [
  { code: '4610', name: 'Advertising', account_type: 'expense' },
  { code: '4900', name: 'Office supplies', account_type: 'expense' },
  { code: '4930', name: 'Printed matter', account_type: 'expense' },
] as const

/** Makes what the desk of the demo shows, once: an organization that has an address for bills has its own. */
export async function seedDesk(apiUrl: string, owner: Client, organization_id: string): Promise<void> {
  const { data } = await owner.listBillMailboxes({ organization_id })
  if (data.length > 0) return
  const tax_codes = [{ code: 'VSt19', name: 'Input tax 19 %', rate: '19' }]
  await owner.replaceAccountsChart({ organization_id, accounts: [...ACCOUNTS], tax_codes })
  const { address } = await owner.createBillMailbox({ organization_id, name: 'Bills of suppliers' })
  const transport = createTransport({ streamTransport: true, buffer: true })
  const { message } = await transport.sendMail({
    from: { name: PAPER.name, address: SENDER },
    to: address,
    subject: 'Your invoice PE-2026-318',
    text: 'Please find our invoice attached.',
    attachments: [{ filename: 'invoice.pdf', content: await invoice('PE-2026-318', 125, PAPER) }],
  })
  await handIn(apiUrl, address, Buffer.from(message as Buffer)) // as the transport was asked
}

/** Hands a mail in as a provider does. */
async function handIn(apiUrl: string, recipient: string, mail: Buffer): Promise<void> {
  const [id, at] = [crypto.randomUUID(), new Date()]
  const signed = Buffer.concat([Buffer.from(`${SENDER}\n${recipient}\n`), mail])
  const response = await fetch(`${apiUrl}/inbound-mails`, {
    method: 'POST',
    body: new Uint8Array(mail),
    headers: {
      'content-type': 'message/rfc822',
      'mail-sender': SENDER,
      'mail-recipient': recipient,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(mailSettings(process.env).BILLS_MAIL_SECRET).sign(id, at, signed),
    },
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

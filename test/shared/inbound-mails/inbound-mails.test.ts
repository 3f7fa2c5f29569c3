/** Bills by mail, from a sender's program to a bill that is read. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { xmlFiles } from '../../../dev/sample-bills/xml-files.ts'
import { api, fund, join, organization, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { attention } from '../../support/approvals/attention.ts'
import { create, detail, requestPayment, sentFile, whenRead } from '../../support/bills/bills.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import {
  decide,
  domainOf,
  handIn,
  mailBytes,
  mailbox,
  mailsOf,
  newSender,
  proved,
  sendMail,
  whenMailRead,
} from '../../support/inbound-mails.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })
const { id: organizationId } = await organization(boss, 'Payer')
const { address, id: mailboxId } = await mailbox(boss, organizationId)

const [sample] = xmlFiles().filter(
  ({ half, name }) => half === 'made' && name.startsWith('plain') && name.includes('ubl-xrechnung'),
)
/** Writes XML of a bill with a number of its own. */
const xmlOf = (number: string) => {
  const text = sample!.bytes.toString('utf8')
  const bytes = Buffer.from(text.replace(String(sample!.truth.fields?.['bill_number']), number))
  if (!bytes.includes(number)) throw new Error('the sample has no number')
  return bytes
}
const newNumber = () => `M-${randomUUID().slice(0, 8)}`
const attached = (filename: string, content: Buffer) => ({ filename, content })
const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\n',
)
/** Sends files by mail; the gateway proves the domain of the sender. */
const bring = (sender: string, subject: string, file = attached('a.xml', xmlOf(newNumber())), to = address) =>
  sendMail({ from: sender, to, subject, headers: proved(domainOf(sender)), attachments: [file] })
const accepted = async (sender: string) => {
  const subject = `first of ${sender}`
  await bring(sender, subject)
  const mail = await whenMailRead(boss, organizationId, subject)
  expect(mail.status).toBe('unknown_sender')
  return (await decide(boss, organizationId, mail.id, 'accept', { remember: 'always' })).body
}

test('a bill by mail is read, waits for its sender to be accepted, and is paid only then; later ones are taken at once', async () => {
  const sender = newSender()
  const [subject, number] = [`Rechnung für ${randomUUID()}`, newNumber()]
  await sendMail({
    from: { name: 'Ann', address: sender },
    to: address,
    subject,
    text: 'Please pay.',
    headers: proved(domainOf(sender)),
    attachments: [
      attached('bill.xml', xmlOf(number)),
      attached('bill.pdf', PDF),
      attached('terms.txt', Buffer.from('x')),
    ],
  })
  const mail = await whenMailRead(boss, organizationId, subject)
  expect(mail).toMatchObject({
    status: 'unknown_sender',
    bill_mailbox_id: mailboxId,
    from_address: sender,
    from_name: 'Ann',
    authentication: { verdict: 'pass', dmarc: 'pass', dkim: 'pass', spf: null },
    sender_is_known: false,
    files: [{ outcome: 'bill' }, { outcome: 'beside_xml' }, { outcome: 'no_bill', bill_id: null }],
  })
  const [{ bill_id: billId }, { bill_id: besideOf }] = mail.files
  expect(besideOf).toBe(billId)
  const bill = await whenRead(boss, billId)
  expect(bill).toMatchObject({
    bill_number: number,
    created_by_id: null,
    inbound_mail_id: mail.id,
    sender_is_unknown: true,
  })
  const papers = await api('GET', `/organizations/${organizationId}/bills/${billId}/attachments`, { token: boss.token })
  expect(papers.body.data).toMatchObject([{ filename: 'bill.pdf' }])
  expect((await attention(boss, organizationId, '?kind=unknown_sender')).body.data).toMatchObject([
    { action: { kind: 'unknown_sender', inbound_mail_id: mail.id }, actionable_by_viewer: true },
  ])
  expect((await attention(boss, organizationId, '?kind=pay_bill')).body.data).toEqual([])
  const early = await requestPayment(boss, billId)
  expect([...refusal(early), early.body.error.details.reason]).toEqual([422, 'unprocessable_entity', 'unknown_sender'])
  expect(await mailsTo(sender)).toEqual([])

  const done = await decide(boss, organizationId, mail.id, 'accept', { remember: 'always' })
  expect(done.body).toMatchObject({ status: 'accepted', decided_by_id: boss.userId })
  expect((await decide(boss, organizationId, mail.id, 'accept', { remember: 'always' })).body).toEqual(done.body)
  expect((await detail(boss, billId)).bill.sender_is_unknown).toBe(false)
  const [answer, ...more] = await mailsTo(sender)
  expect(more).toEqual([])
  expect(answer?.text).toContain('"bill. xml"')
  expect(answer?.text).toContain('is being read as a bill')

  const next = `next ${randomUUID()}`
  await bring(sender, next)
  expect(await whenMailRead(boss, organizationId, next)).toMatchObject({ status: 'accepted', sender_is_known: true })
  expect(await mailsTo(sender)).toHaveLength(2)
})

test('a signed mail of a provider is stored once, however often it comes; another signature is refused', async () => {
  const sender = newSender()
  const subject = `signed ${randomUUID()}`
  const raw = await mailBytes({
    from: sender,
    to: address,
    subject,
    headers: proved(domainOf(sender)),
    attachments: [attached('a.xml', xmlOf(newNumber()))],
  })
  expect(await handIn(address, sender, raw, 'whsec_YW5vdGhlci1zZWNyZXQtb2Ytc29tZWJvZHktZWxzZQ==')).toBe(401)
  expect(await handIn(address, sender, raw, null)).toBe(401)
  expect(await handIn(`bills+${'a'.repeat(26)}@bills.test`, sender, raw)).toBe(404)
  expect([await handIn(address, sender, raw), await handIn(address.toUpperCase(), sender, raw)]).toEqual([204, 204])
  await whenMailRead(boss, organizationId, subject)
  expect((await mailsOf(boss, organizationId)).filter((mail) => mail.subject_line === subject)).toHaveLength(1)
})

test('the same Message-ID of the same sender is one mail, and the same file is one bill', async () => {
  const [sender, number] = [newSender(), newNumber()]
  const file = attached('a.xml', xmlOf(number))
  const messageId = `<${randomUUID()}@${domainOf(sender)}>`
  const send = (subject: string, more: object = {}) =>
    sendMail({ from: sender, to: address, subject, headers: proved(domainOf(sender)), attachments: [file], ...more })
  const [first, again, other] = ['first', 'again', 'other'].map((one) => `${one} ${randomUUID()}`)
  await send(first!, { messageId })
  const mail = await whenMailRead(boss, organizationId, first!)
  await send(again!, { messageId })
  expect(await whenMailRead(boss, organizationId, again!)).toMatchObject({ status: 'duplicate', duplicate_of: mail.id })
  await send(other!)
  const { files } = await whenMailRead(boss, organizationId, other!)
  expect(files).toMatchObject([{ outcome: 'known_bill', bill_id: mail.files[0].bill_id }])
})

test('a known sender whose domain is not proved waits, and a stranger who takes its Message-ID repeats nothing', async () => {
  const sender = newSender()
  await accepted(sender)
  const answers = (await mailsTo(sender)).length
  const strange = {
    failed: { 'Authentication-Results': `gateway.test; dmarc=fail header.from=${domainOf(sender)}` },
    foreign: { 'Authentication-Results': `mail.attacker.example; dmarc=pass header.from=${domainOf(sender)}` },
    other: proved('attacker.example'),
    silent: {},
  }
  const messageId = `<${randomUUID()}@${domainOf(sender)}>`
  const verdicts: string[] = []
  for (const [name, headers] of Object.entries(strange)) {
    const subject = `${name} ${randomUUID()}`
    await sendMail({
      from: sender,
      to: address,
      subject,
      messageId: name === 'silent' ? messageId : `<${randomUUID()}@x.example>`,
      headers,
      attachments: [attached('a.xml', xmlOf(newNumber()))],
    })
    const mail = await whenMailRead(boss, organizationId, subject)
    verdicts.push(`${name} ${mail.status} ${mail.authentication.verdict}`)
  }
  expect(verdicts).toEqual([
    'failed unknown_sender fail',
    'foreign unknown_sender none',
    'other unknown_sender none',
    'silent unknown_sender none',
  ])
  expect(await mailsTo(sender)).toHaveLength(answers)
  const real = `real ${randomUUID()}`
  await sendMail({
    from: sender,
    to: address,
    subject: real,
    messageId,
    headers: proved(domainOf(sender)),
    attachments: [attached('a.xml', xmlOf(newNumber()))],
  })
  expect(await whenMailRead(boss, organizationId, real)).toMatchObject({ status: 'accepted' })
})

test('a mail without a bill waits until a person puts it away, and a refused mail puts its bills away', async () => {
  const [empty, refused] = [`empty ${randomUUID()}`, `refused ${randomUUID()}`]
  await sendMail({ from: newSender(), to: address, subject: empty, text: 'Where do I send my bill?' })
  const mail = await whenMailRead(boss, organizationId, empty)
  expect(mail).toMatchObject({ status: 'mail_without_bill', without_bill: 'no_file', files: [] })
  const items = (await attention(boss, organizationId, '?kind=mail_without_bill')).body.data
  expect(items).toMatchObject([{ subject: { type: 'inbound_mail', inbound_mail_id: mail.id } }])
  expect((await decide(boss, organizationId, mail.id, 'refuse')).body).toMatchObject({ status: 'refused' })
  expect((await attention(boss, organizationId, '?kind=mail_without_bill')).body.data).toEqual([])
  expect(refusal(await decide(boss, organizationId, mail.id, 'accept', { remember: 'once' }))).toEqual([
    409,
    'invalid_state',
  ])

  const sender = newSender()
  const known = await create(boss, organizationId, {
    file_id: await sentFile(boss, organizationId, xmlOf(newNumber()), 'application/xml'),
  })
  expect(known.status).toBe(201)
  await sendMail({
    from: sender,
    to: address,
    subject: refused,
    attachments: [attached('a.xml', xmlOf(newNumber())), attached('b.xml', xmlOf(newNumber()))],
  })
  const other = await whenMailRead(boss, organizationId, refused)
  await decide(boss, organizationId, other.id, 'refuse')
  for (const { bill_id: id } of other.files) expect((await detail(boss, id)).bill.status).toBe('cancelled')
  expect(await mailsTo(sender)).toEqual([])
})

test('a bill stays that another mail of a known sender brings at the moment in which its first mail is refused', async () => {
  const subject = `crossing ${randomUUID()}`
  const file = attached('a.xml', xmlOf(newNumber()))
  await sendMail({ from: newSender(), to: address, subject, attachments: [file] })
  const mail = await whenMailRead(boss, organizationId, subject)
  const [{ bill_id: billId }] = mail.files
  await whenRead(boss, billId)
  const refused = await owner.begin(async (tx) => {
    await tx`update bills set sender_is_unknown = false where id = ${billId}` // as taking the other mail does
    const answer = decide(boss, organizationId, mail.id, 'refuse')
    await untilBlocked(tx)
    return { answer }
  })
  expect((await refused.answer).body.status).toBe('refused')
  expect((await detail(boss, billId)).bill.status).toBe('extracted')
})

test('who asks to pay a bill that came by mail does not approve it, if its account is new', async () => {
  const sender = newSender()
  await accepted(sender)
  const subject = `pay ${randomUUID()}`
  await bring(sender, subject)
  const { files } = await whenMailRead(boss, organizationId, subject)
  const [{ bill_id: billId }] = files
  await whenRead(boss, billId)
  const asked = await requestPayment(boss, billId, { acknowledge_duplicate: true })
  expect(asked.body.error).toMatchObject({ type: 'no_eligible_approver' })
})

test('who accepts a mail approves no payment of its bill to a new account, nor does who remembered its sender', async () => {
  const mate = await person({ authenticator: true })
  const { id: ownId } = await organization(boss, 'Two')
  await fund(ownId, '9000.00', 'EUR')
  await join(ownId, mate, 'admin')
  await setRules(ownId, boss, [{ steps: [{ required: 1, roles: ['owner', 'admin'] }] }])
  const { address: own } = await mailbox(boss, ownId)
  const sender = newSender()
  const brought = async (subject: string) => {
    await bring(sender, subject, undefined, own)
    const mail = await whenMailRead(boss, ownId, subject)
    await whenRead(boss, mail.files[0].bill_id)
    return mail
  }
  const first = await brought('first')
  await decide(mate, ownId, first.id, 'accept', { remember: 'always' })
  const second = await brought('second')
  expect(second).toMatchObject({ status: 'accepted', decided_by_id: mate.userId })
  for (const { files } of [first, second]) {
    const asked = await requestPayment(boss, files[0].bill_id, { acknowledge_duplicate: true })
    expect(asked.body.error).toMatchObject({ type: 'no_eligible_approver' })
  }
})

test('an address takes mail until it is ended, whatever its name; guesses are refused before any data', async () => {
  const own = await mailbox(boss, organizationId, 'Old')
  const path = `/organizations/${organizationId}/bill-mailboxes`
  const renamed = await api('PATCH', `${path}/${own.id}`, { token: boss.token, body: { name: 'New' } })
  expect(renamed.body).toMatchObject({ name: 'New', address: own.address, ended_at: null })
  const send = (to: string) => sendMail({ from: newSender(), to, subject: 'x', text: 'x' })
  await send(own.address)
  expect((await api('DELETE', `${path}/${own.id}`, { token: boss.token })).status).toBe(200)
  const listed = await api('GET', path, { token: boss.token })
  expect(listed.body.data.find(({ id }: { id: string }) => id === own.id).ended_at).not.toBeNull()
  await expect(send(own.address)).rejects.toThrow('550')
  await expect(send(`bills+${'q'.repeat(26)}@bills.test`)).rejects.toThrow('550')
  await expect(send('boss@elsewhere.example')).rejects.toThrow('550')
})

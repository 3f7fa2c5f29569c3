import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { main } from '../../../activities/index.ts'
import { deliverMessage } from '../../../activities/messages.ts'
import { client } from '../../../temporal/client.ts'
import { signalRun } from '../../../temporal/processes.ts'
import { noteInvoiceMail } from '../../../services/invoices/mails.ts'
import { linkApproval } from '../../../platform/mail-links.ts'
import { endMessage, noteUntaken, sendMessage } from '../../../services/messages/messages.ts'
import type { ApprovalId, MessageId } from '../../../domain/ids.ts'
import { encrypt } from '../../../platform/encryption.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import { MANY } from '../../support/model-runs.ts'
import { api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { mailOf } from '../../support/messages/mails.ts'
import { eventually } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

const { mails, line } = await vi.hoisted(async () => {
  const { startMailServer } = await import('../../support/mail-server.ts')
  const { startProxy } = await import('../../support/faults/proxy.ts')
  const mails = await startMailServer()
  const line = await startProxy(mails.address)
  const smtp = { SMTP_URL: `smtp://${line.address}`, MAIL_FROM: 'The Bank <hello@bank.test>' }
  Object.assign(process.env, { ...smtp, APP_URL: 'https://app.bank.test/' })
  return { mails, line }
})
useWorker()

const newEmail = () => `mailed-${randomUUID()}@example.com`
const messageTo = (email: string, more: object = {}) => ({
  recipient: email,
  channel: 'email' as const,
  mail: mailOf('A secret subject', 'Your code is 314159', {
    code: '314159',
    action: { label: 'Confirm', url: 'https://app.test/confirm#quite-secret' },
  }),
  token: 'quite-secret',
  ...more,
})
const send = (email: string, more: object = {}) => transaction((tx) => sendMessage(tx, messageTo(email, more)))
const rowOf = async (email: string) =>
  (await owner`select id, status, attempts, sealed is null as erased from messages where recipient = ${email}`)[0]
const statusOf = async (email: string) => (await rowOf(email))?.['status'] as string | undefined
const idOf = async (email: string) => (await rowOf(email))?.['id'] as MessageId
const runOf = (id: string) => client.workflow.getHandle(`delivery-${id}`)
const stateOf = async (id: string) => (await runOf(id).describe()).status.name
const mailbox = async (email: string) =>
  (await api('GET', `/sandbox/messages?to=${encodeURIComponent(email)}`)).body.data as { text: string }[]

const refOf = (id: MessageId) => ({ id, organizationId: null })

/** Reads what its run would find; its own run may look concurrently. */
async function foundOf(id: MessageId) {
  for (;;) {
    const found = await main.viewMessage(refOf(id))
    if (!found.again) return found
  }
}

/** A queued mail without a signal and without a line in `processes`. */
async function queuedInSilence(email: string): Promise<MessageId> {
  const content = { subject: 'Late', text: 'Better late than never', token: null, code: null, url: null }
  const [row] = await owner<{ id: MessageId }[]>`
    insert into messages (recipient, channel, status, sealed)
    values (${email}, 'email', 'queued', ${encrypt(Buffer.from(JSON.stringify(content)))}) returning id`
  if (!row) throw new Error('it was written')
  return row.id
}

test('a sign-up is mailed with a link into the web app, and the token in it confirms', async () => {
  const email = newEmail()
  const body = { email, password: 'correct horse battery staple' }
  expect((await api('POST', '/auth/sign-up', { body })).status).toBe(201)
  await eventually(() => statusOf(email)).toBe('sent')
  const [mail, ...more] = mails.handed(email)
  expect(more).toEqual([])
  expect(mail).toMatchObject({
    from: { name: 'The Bank', address: 'hello@bank.test' },
    to: [{ address: email }],
    subject: 'Confirm your email address',
    messageId: `<${await idOf(email)}@bank.test>`,
  })
  expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
  const token = /https:\/\/app\.bank\.test\/confirm-email#token=([\w-]{43})/.exec(mail?.text ?? '')?.[1]
  const confirmed = await api('POST', '/auth/email/confirm', { body: { token, password: body.password } })
  expect(confirmed).toMatchObject({ status: 200, body: { status: 'authenticated' } })
  expect(await mailbox(email)).toEqual([])
})

/** Content types of the parts of a mail, in order, with what is between its boundaries. */
const partsOf = (source: string) =>
  [...source.matchAll(/^content-type: ([^;\r]+)(?:;\s*charset="?([\w-]+))?/gim)].map(([, type, charset]) =>
    charset ? `${type} ${charset}` : type,
  )

test('a mail is text beside HTML, in lines and headers that every server takes, and asks for no answer', async () => {
  const email = newEmail()
  const long = `${'Überfällige Rechnung № 42 — '.repeat(9)}Ende`
  await send(email, { mail: mailOf(long, 'ä'.repeat(1900)) })
  await eventually(() => statusOf(email)).toBe('sent')
  const [source = ''] = mails.sources(email)
  const [head = ''] = source.split('\r\n\r\n')
  expect(partsOf(source)).toEqual(['multipart/alternative', 'text/plain utf-8', 'text/html utf-8'])
  expect(source.split('\r\n').every((line) => line.length <= 998)).toBe(true) // RFC 5322, 2.1.1
  expect(head).toMatch(/^[\x20-\x7e\r\n\t]*$/)
  expect(head.split('\r\n').every((line) => line.length <= 78)).toBe(true)
  const names = head
    .replaceAll(/\r\n\s+/g, ' ')
    .split('\r\n')
    .map((line) => line.split(':')[0]?.toLowerCase())
  const expected = ['from', 'to', 'subject', 'message-id', 'date', 'auto-submitted', 'mime-version', 'content-type']
  expect(names.toSorted()).toEqual(expected.toSorted())
  const [mail] = mails.handed(email)
  expect(mail?.subject).toBe(long)
  expect(Math.abs(Date.parse(mail?.date ?? '') - Date.now())).toBeLessThan(600_000)
})

test('a web app of its own is linked to by the list of what waits, the one page of approvals that it has', () => {
  const { url } = linkApproval(randomUUID() as ApprovalId, 'Review the request')
  expect(url).toBe('https://app.bank.test/approvals')
})

test('a mail that the release before has queued is sent as it was written, as text alone', async () => {
  const email = newEmail()
  await deliverMessage(refOf(await queuedInSilence(email)))
  expect(partsOf(mails.sources(email)[0] ?? '')).toEqual(['text/plain utf-8'])
  expect(mails.handed(email)[0]).toMatchObject({ subject: 'Late', text: 'Better late than never\n' })
})

test('a mail server that is away for a while gets the mail once, and until then only the recipient is readable', async () => {
  const email = newEmail()
  await line.cut()
  await send(email)
  await eventually(async () => (await rowOf(email))?.['attempts']).toBeGreaterThanOrEqual(2)
  const [row] = await owner`select m::text as text, m.sealed from messages m where recipient = ${email}`
  expect(row?.['text']).toContain(email)
  const readable = `${row?.['text']} ${row?.['sealed']}`
  for (const secret of ['314159', 'quite-secret', 'secret subject', 'Your code']) expect(readable).not.toContain(secret)
  expect(String(row?.['sealed'])).not.toContain(email)
  expect(await mailbox(email)).toEqual([])

  await line.mend()
  await eventually(() => statusOf(email)).toBe('sent')
  expect(mails.handed(email)).toHaveLength(1)
  expect(mails.handed(email)[0]?.text).toContain('Your code is 314159')
  expect(await rowOf(email)).toMatchObject({ erased: true })
})

test.each([
  ['puts off is offered again, and taken once', [451, 421], { status: 'sent', attempts: 3, erased: true }, 1],
  ['refuses for good has failed at once, and is erased', [550], { status: 'failed', attempts: 1, erased: true }, 0],
  ['asks a sign-in for, a fault of the configuration, is not lost', [530], { status: 'sent', erased: true }, 1],
])('a mail that the server %s', async (_, codes, row, handed) => {
  const email = newEmail()
  mails.misbehave(email, ...codes)
  await send(email)
  await eventually(() => statusOf(email)).toBe(row.status)
  expect(await rowOf(email)).toMatchObject(row)
  await eventually(async () => stateOf(await idOf(email))).toBe('COMPLETED')
  expect(mails.handed(email)).toHaveLength(handed)
})

test('what the server says of a mail, address and all, is kept nowhere', async () => {
  const email = newEmail()
  const id = await queuedInSilence(email)
  for (const [code, status, ask_note] of [
    [451, 'queued', 'not taken'],
    [550, 'failed', 'refused'],
  ] as const) {
    mails.misbehave(email, code)
    await deliverMessage(refOf(id))
    const [row] = await owner`select m::text as text, status, ask_note from messages m where id = ${id}`
    expect(row).toMatchObject({ status, ask_note })
    expect(row?.['text']).not.toContain('not wanted')
  }
})

test('a mail that nobody takes for a day has failed, and is erased', async () => {
  const email = newEmail()
  const id = await queuedInSilence(email)
  const offered = async () => {
    mails.misbehave(email, 451)
    await deliverMessage(refOf(id))
    return statusOf(email)
  }
  expect([await offered(), await offered()]).toEqual(['queued', 'queued'])
  await owner`update messages set unclear_since = unclear_since - interval '24 hours' where id = ${id}`
  await offered() // its last try
  await main.giveUpMessage(refOf(id))
  expect(await statusOf(email)).toBe('failed')
  expect(await rowOf(email)).toMatchObject({ erased: true })
  expect(mails.handed(email)).toEqual([])
})

test('an address is one recipient, whatever it holds', async () => {
  const [email, other] = [newEmail(), newEmail()]
  await send(`"${email}, x"@example.com, ${other}`)
  await eventually(() => statusOf(`"${email}, x"@example.com, ${other}`)).toMatch(/sent|failed/)
  expect([mails.handed(email), mails.handed(other)]).toEqual([[], []])
})

test('with a mail server there is no stand-in that could misbehave', async () => {
  const answer = await api('POST', '/sandbox/faults', { body: { partner: 'mail', fault: 'down', times: 1 } })
  const { reason, partner, partners } = answer.body.error.details
  expect([answer.status, reason, partner, partners.includes('mail')]).toEqual([422, 'no_stand_in', 'mail', false])
})

test('what is discarded is written as any other, and reaches nobody', async () => {
  const [email, after] = [newEmail(), newEmail()]
  await send(email, { discarded: true })
  await send(after)
  await eventually(() => statusOf(after)).toBe('sent')
  await eventually(async () => stateOf(await idOf(email))).toBe('COMPLETED') // its run finds nothing to do
  expect(await rowOf(email)).toMatchObject({ status: 'discarded', attempts: 0, erased: false })
  expect(mails.handed(email)).toEqual([])
  expect(await mailbox(email)).toEqual([])
})

test('a delivery that is told of many times, at once and afterwards, delivers once', async () => {
  const email = newEmail()
  const id = await queuedInSilence(email)
  const process = {
    id,
    workflow: 'delivery',
    organization_id: null,
    rail: null,
    status: 'queued',
    ref: null,
    why: 'queued',
    traceparent: null,
  }
  await Promise.all(Array.from({ length: MANY }, () => signalRun(process)))
  await eventually(() => statusOf(email)).toBe('sent')
  await signalRun(process)
  await eventually(() => stateOf(id)).toBe('COMPLETED')
  expect(mails.handed(email)).toHaveLength(1)
})

test('a mail that was sent or has failed stays so, whatever is recorded after it', async () => {
  for (const ending of ['send', 'fail'] as const) {
    const id = await queuedInSilence(newEmail())
    const found: unknown[] = []
    for (const event of [ending, ending, 'send', 'fail'] as const) {
      await transaction((tx) => endMessage(tx, id, { event, follow: noteInvoiceMail }))
      found.push(await foundOf(id))
    }
    await transaction((tx) => noteUntaken(tx, id))
    found.push(await foundOf(id))
    const ended = { status: ending === 'send' ? 'sent' : 'failed', at_rest: true }
    expect(found).toMatchObject(Array.from({ length: 5 }, () => ended))
  }
  expect(await foundOf(randomUUID() as MessageId)).toMatchObject({ status: 'gone', at_rest: true })
})

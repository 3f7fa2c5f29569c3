/** The worker dies or stops while mails are sent: none is lost, and repeats are recognizable. */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { startMailServer } from '../../support/mail-server.ts'
import { mailOf } from '../../support/messages/mails.ts'
import { startWorker } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

const mails = await startMailServer()
Object.assign(process.env, { SMTP_URL: `smtp://${mails.address}` })
const { sendMessage } = await import('../../../services/messages/messages.ts')
const { sql, transaction } = await import('../../../db/postgres/sql.ts')

/** Polls until a dead worker is noticed by its heartbeats. */
const eventually = <Value>(look: () => Value) => expect.poll(look, { timeout: 40_000, interval: 100 })
const newEmail = () => `killed-${randomUUID()}@example.com`
const send = (recipient: string) =>
  transaction((tx) => sendMessage(tx, { recipient, channel: 'email', mail: mailOf('Persistence', 'It arrives.') }))
const statusOf = async (email: string) =>
  (await sql<{ status: string }[]>`select status from messages where recipient = ${email}`)[0]?.status

async function sendIntoSilence(email: string): Promise<void> {
  mails.misbehave(email, 'silence')
  await send(email)
  await until('the mail is handed over', async () => mails.handed(email).length > 0)
}

const [taken, unheard, handedOn] = [newEmail(), newEmail(), newEmail()]
let stopped: number | null

/** One worker is killed and the next one stopped: the mails of both are awaited together. */
beforeAll(async () => {
  const first = await startWorker()
  await sendIntoSilence(taken)
  await first.kill()
  await send(unheard) // no one listens
  const second = await startWorker()
  await sendIntoSilence(handedOn)
  ;[stopped] = await Promise.all([second.stop(), startWorker()])
}, 120_000)

test('a worker that is killed while the server has the whole mail: it is sent again, and is the same mail', async () => {
  await eventually(() => statusOf(unheard)).toBe('sent')
  await eventually(() => statusOf(taken)).toBe('sent')
  const [first, second, ...more] = mails.handed(taken)
  expect(more).toEqual([])
  expect(second).toMatchObject({ messageId: first?.messageId, subject: 'Persistence' })
  expect(mails.handed(unheard)).toHaveLength(1)
}, 60_000)

test('a worker that is told to stop while the server is silent hands the mail to the next one', async () => {
  expect(stopped).toBe(0)
  await eventually(() => statusOf(handedOn)).toBe('sent')
  expect(mails.handed(handedOn)).toHaveLength(2)
}, 60_000)

/** The worker, then Postgres, dies while mails are on their way: none is lost, and a repeat can be recognized. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMailServer } from './support/mail-server.ts'
import { type Child, startServers, startWorker } from './support/processes.ts'

const servers = await startServers() // before anything reads the environment
const mails = await startMailServer()
Object.assign(process.env, { SMTP_URL: `smtp://${mails.address}` })
const { connection } = await import('../api/temporal.ts')
const { sendMessage } = await import('../db/messages.ts')
const { sql, transaction } = await import('../db/sql.ts')

afterAll(async () => {
  await connection.close()
  await sql.end({ timeout: 5 })
})

/** A dead worker is noticed by its heartbeats, and Postgres comes back by itself. */
const eventually = <Value>(look: () => Value) => expect.poll(look, { timeout: 40_000, interval: 100 })
const newEmail = () => `killed-${randomUUID()}@example.com`
const send = (recipient: string) =>
  transaction((tx) => sendMessage(tx, { recipient, channel: 'email', subject: 'Persistence', body: 'It arrives.' }))
const statusOf = async (email: string) =>
  (await sql<{ status: string }[]>`select status from messages where recipient = ${email}`.catch(() => []))[0]?.status

let worker: Child
beforeAll(async () => {
  worker = await startWorker()
})

test('a worker that is killed while the server has the whole mail: it is sent again, and is the same mail', async () => {
  const [email, waiting] = [newEmail(), newEmail()]
  mails.misbehave(email, 'silence')
  await send(email)
  await eventually(() => mails.handed(email).length).toBe(1)
  await worker.kill()
  await send(waiting) // nobody listens
  worker = await startWorker()
  await eventually(() => statusOf(waiting)).toBe('sent')
  await eventually(() => statusOf(email)).toBe('sent')
  const [first, second, ...more] = mails.handed(email)
  expect(more).toEqual([])
  expect(second).toMatchObject({ messageId: first?.messageId, subject: 'Persistence' })
  expect(mails.handed(waiting)).toHaveLength(1)
}, 60_000)

test('a worker that is told to stop while the server is silent hands the mail to the next one', async () => {
  const email = newEmail()
  mails.misbehave(email, 'silence')
  await send(email)
  await eventually(() => mails.handed(email).length).toBe(1)
  const [stopped, next] = [worker.stop(), startWorker()]
  worker = await next
  expect(await stopped).toBe(0)
  await eventually(() => statusOf(email)).toBe('sent')
  expect(mails.handed(email)).toHaveLength(2)
}, 60_000)

test('Postgres that is killed and comes back notifies the worker again', async () => {
  await servers.postgres.kill()
  await eventually(() =>
    sql`select 1`.then(
      () => 'there',
      () => 'away',
    ),
  ).toBe('away')
  await servers.postgres.restart()
  const email = newEmail()
  await eventually(() =>
    send(email).then(
      () => 'sent',
      () => 'refused',
    ),
  ).toBe('sent')
  await eventually(() => statusOf(email)).toBe('sent')
  expect(mails.handed(email)).toHaveLength(1)
}, 60_000)

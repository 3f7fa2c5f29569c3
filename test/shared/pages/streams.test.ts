/** Streams of pages: when they say that something changed, when they end, and how many there are. */
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { countStreams, openStream } from '../../../api/events/open-streams.ts'
import { newestEvents } from '../../../services/events/log.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { config } from '../../../platform/config.ts'
import { newToken, tokenHash } from '../../../platform/encryption.ts'
import {
  type TestPerson,
  api,
  approvalPath,
  baseUrl,
  createPayment,
  join,
  organization,
  payerAndPayee,
  person,
} from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { writeEvents } from '../../support/events.ts'
import { until } from '../../support/until.ts'

const CHANGED = 'event: changed\ndata: \n\n'

/** Opens a stream of the inbox, or of an approval, until the test is over. */
async function follow(session: string, query = '') {
  const leave = new AbortController()
  onTestFinished(() => leave.abort())
  const { status, body } = await fetch(`${baseUrl}/approve/stream${query}`, {
    headers: { cookie: `session=${session}` },
    signal: leave.signal,
  })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  return {
    status,
    leave: () => leave.abort(),
    /** Reads what comes next but comments; undefined at the end. */
    async next(): Promise<string | undefined> {
      for (;;) {
        const piece = await reader?.read()
        if (!piece || piece.done) return undefined
        if (!piece.value.startsWith(':')) return piece.value
      }
    },
    /** Reads the next comment: it has looked, and nothing is new. */
    idle: async () => expect((await reader?.read())?.value).toMatch(/^:/),
  }
}

async function anotherSession({ userId }: TestPerson): Promise<string> {
  const [token, deviceId] = [`ses_${newToken()}`, randomUUID()]
  await owner`
    with device as (insert into devices (id, user_id) values (${deviceId}, ${userId}))
    insert into sessions (id, token_hash, user_id, device_id) values (${randomUUID()}, ${tokenHash(token)}, ${userId}, ${deviceId})`
  return token
}

test('a person has five at once by whatever sessions, and another person is none of them', async () => {
  const busy = await person()
  const sessions = [busy.token, await anotherSession(busy)]
  const streams = await Promise.all(Array.from({ length: 8 }, (_, at) => follow(sessions[at % 2] ?? '')))
  expect(streams.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  expect((await follow((await person()).token)).status).toBe(200)
  streams.find(({ status }) => status === 200)?.leave()
  await until('there is room', async () => (await follow(busy.token)).status === 200)
})

test('a process has as many as it serves, of events and of pages together', async () => {
  await until('those before are over', async () => countStreams('events') + countStreams('pages') === 0)
  const streams = Array.from({ length: config.eventStreamsMax }, () => openStream('events', randomUUID()))
  onTestFinished(() => streams.forEach(({ close }) => close()))
  const one = await person()
  expect((await follow(one.token)).status).toBe(503)
  streams[0]?.close()
  expect((await follow(one.token)).status).toBe(200)
})

test('an inbox hears of requests in each organization of its viewer, and of nothing else that happens there', async () => {
  const [{ boss, payer, contactId }, elsewhere] = [await payerAndPayee('100.00'), await payerAndPayee('100.00')]
  await join(elsewhere.payer.id, boss, 'admin')
  const stream = await follow(boss.token)
  await stream.idle()
  await createPayment(boss, contactId, '5.00')
  expect(await stream.next()).toBe(CHANGED)
  await createPayment(elsewhere.boss, elsewhere.contactId, '5.00')
  expect(await stream.next()).toBe(CHANGED)
  await writeEvents(payer.id, [{}])
  await stream.idle()
  await organization(boss)
  expect(await stream.next()).toBe(CHANGED)
})

test('a page of an approval hears of it and of its payment', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '5.00')
  const stream = await follow(boss.token, `?approval=${payment.approval_request_id}`)
  await stream.idle()
  await api('POST', `${approvalPath(payment)}/cancel`, { token: boss.token, body: {} })
  expect(await stream.next()).toBe(CHANGED)
  expect((await follow(boss.token, `?approval=${randomUUID()}`)).status).toBe(404)
})

test('it ends with its session, and is not begun without one', async () => {
  const { boss } = await payerAndPayee()
  const stream = await follow(boss.token)
  await stream.idle()
  await api('POST', '/auth/sign-out', { token: boss.token })
  expect([await stream.next(), await stream.next()]).toEqual([CHANGED, undefined])
  expect((await follow(boss.token)).status).toBe(204)
})

test('what is newest in an organization changes with each event, also with one that commits after later ones', async () => {
  const id = (await organization(await person())).id as OrganizationId
  const newest = async () => (await newestEvents([id])).get(id)
  const seen = [await newest()]
  const now = Date.now()
  for (const seconds of [0, 5, 3, 60]) {
    await writeEvents(id, [{ occurredAt: new Date(now - seconds * 1000).toISOString() }])
    seen.push(await newest())
  }
  expect(new Set(seen).size).toBe(5)
  expect(await newest()).toBe(seen.at(-1))
})

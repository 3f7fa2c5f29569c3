import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { FAILURES_UNTIL_CAUTIOUS, pauseAfter, restAfter } from '../../../domain/webhooks/delivery.ts'
import { newWebhookSecret, signDelivery } from '../../../services/webhooks/secrets.ts'

const id = randomUUID()
const body = JSON.stringify({ type: 'payment.succeeded', data: { note: 'Grüße – 👋' } })
const [old, current] = [newWebhookSecret(), newWebhookSecret()]

test('a secret is whsec_ and 32 random bytes in base64', () => {
  expect(old).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(old).not.toBe(current)
})

test('a delivery is verified with the old secret and with the new one, and with no other', () => {
  const headers = signDelivery({ id, body }, [current, old])
  expect(headers['webhook-id']).toBe(id)
  for (const secret of [current, old]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching signature')
  expect(() => new Webhook(old).verify(body, signDelivery({ id, body }, [current]))).toThrow('No matching signature')
})

test('a delivery is refused if its body, id or time was changed, or if it is old', () => {
  const at = new Date()
  const headers = signDelivery({ id, body }, [current], at)
  const changed = [
    [`${body} `, headers],
    [body, { ...headers, 'webhook-id': randomUUID() }],
    [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }],
  ] as const
  for (const [text, sent] of changed)
    expect(() => new Webhook(current).verify(text, sent)).toThrow('No matching signature')
  const old = signDelivery({ id, body }, [current], new Date(at.getTime() - 6 * 60_000))
  expect(() => new Webhook(current).verify(body, old)).toThrow('too old')
})

test('tries come after 5 s, 1, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, and none after those', () => {
  const pauses = Array.from({ length: 12 }, (_, index) => pauseAfter(index + 1, 0))
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3600)
  expect(pauses).toEqual([5, 60, 5 * 60, 30 * 60, ...hours, null, null])
})

test('chance makes a pause longer by a tenth at most, and never shorter', () => {
  for (let tries = 1; tries <= 10; tries += 1) {
    const least = pauseAfter(tries, 0) ?? 0
    expect(pauseAfter(tries, 1)).toBeCloseTo(least * 1.1)
    for (let times = 0; times < 100; times += 1) {
      expect(pauseAfter(tries)).toBeGreaterThanOrEqual(least)
      expect(pauseAfter(tries)).toBeLessThan(least * 1.1)
    }
  }
})

test('what fails again and again rests for 5 s first, twice as long with every second failure, and at most half an hour', () => {
  const rests = Array.from({ length: 2000 }, (_, index) => restAfter(FAILURES_UNTIL_CAUTIOUS + index))
  expect([rests[0], rests[2], rests[4], rests[6]]).toEqual([5, 10, 20, 40])
  expect(rests).toEqual(rests.toSorted((a, b) => a - b))
  expect([rests.at(-1), rests.every(Number.isFinite)]).toEqual([30 * 60, true])
})

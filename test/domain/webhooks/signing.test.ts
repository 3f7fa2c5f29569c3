import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newWebhookSecret, signDelivery } from '../../../db/webhooks/secrets.ts'

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

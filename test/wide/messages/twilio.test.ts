/** Codes to phones by Twilio, which knows no keys: each arrives once, whatever happens to its answers. */
import { beforeEach, expect, test, vi } from 'vitest'
import { administer } from '../../../admin.ts'
import { api, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { newNumber } from '../../support/identity/identity.ts'
import { eventually } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

const twilio = await vi.hoisted(async () => {
  const { startTwilio } = await import('../../support/messages/twilio-server.ts')
  const { connect } = await import('../../support/connections.ts')
  const [sid, token] = [`AC${'0123456789abcdef'.repeat(2)}`, 'token-of-a-twilio-account']
  const server = await startTwilio(sid, token)
  const phones = { driver: 'twilio', serves: [{ messages: true }], url: server.url, account_sid: sid, key: token }
  connect({ bank: { serves: [{ rail: 'fiat' }] }, phones: { ...phones, from: '+12025550123' } })
  return server
})
useWorker()
beforeEach(() => {
  twilio.faults.length = 0
  Object.assign(twilio.counts, { orders: 0, looks: 0 })
})

async function addNumber(e164 = newNumber()) {
  const { token } = await person()
  expect((await api('POST', '/me/phone-numbers', { token, body: { e164 } })).status).toBe(200)
  return { token, e164 }
}
const statusTo = async (recipient: string) =>
  (await owner<{ status: string }[]>`select status from messages where recipient = ${recipient}`)[0]?.status
const receivedBy = (e164: string) => twilio.sent.filter(({ to, status }) => to === e164 && status !== 'undelivered')

test('a code arrives by one call, and confirms the number', async () => {
  const { token, e164 } = await addNumber()
  await eventually(() => statusTo(e164)).toBe('sent')
  const [message, ...more] = receivedBy(e164)
  expect([message?.from, more, twilio.counts]).toEqual(['+12025550123', [], { orders: 1, looks: 0 }])
  const code = /\b\d{6}\b/.exec(message?.body ?? '')?.[0]
  expect((await withStepUp('POST', '/me/phone-numbers/confirm', { token, body: { e164, code } })).status).toBe(200)
})

test.each(['lost_before', 'lost_after', 'failed', 429, 500] as const)(
  'a code arrives once in spite of %s',
  async (fault) => {
    twilio.faults.push(fault)
    const { e164 } = await addNumber()
    await eventually(() => statusTo(e164)).toBe('sent')
    expect(receivedBy(e164)).toHaveLength(1)
    expect(twilio.counts).toEqual({ orders: fault === 'lost_after' ? 1 : 2, looks: 1 })
  },
)

test('a wrong login is no refusal of the number: the code waits', async () => {
  twilio.faults.push(401)
  const { e164 } = await addNumber()
  await eventually(() => statusTo(e164)).toBe('sent')
  expect(receivedBy(e164)).toHaveLength(1)
})

test('a number that nobody has is refused for good, in words of ours', async () => {
  const { e164 } = await addNumber('+12122000404')
  await eventually(() => statusTo(e164)).toBe('failed')
  expect(await administer(['messages', 'failed'])).toContain(`message to ${e164}, 1 tries, refused: number_unknown`)
  expect(twilio.counts).toEqual({ orders: 1, looks: 0 })
})

/** Codes by the messenger, and mails by the stand-in mail server while it misbehaves. */
import { beforeEach, describe, expect, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { REQUEST_FAULTS } from '../../../domain/sandbox/sandbox.ts'
import { api, baseUrl, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { advance, mailsTo, newNumber } from '../../support/identity/identity.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { eventually, resultOf } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()
beforeEach(() => api('DELETE', '/sandbox/faults'))

const addNumber = async (e164 = newNumber()) => {
  const { token } = await person()
  expect((await api('POST', '/me/phone-numbers', { token, body: { e164 } })).status).toBe(200)
  return { token, e164 }
}
const rowTo = async (recipient: string) =>
  (
    await owner`select id, status, attempts, ask_note, sealed is null as erased from messages where recipient = ${recipient}`
  )[0]
const statusTo = async (recipient: string) => (await rowTo(recipient))?.['status'] as string | undefined
const deliveredTo = (recipient: string) => owner`
  select s.partner from sandbox_messages s join messages m using (id) where m.recipient = ${recipient}`

describe('a code to a phone', () => {
  test('arrives by the messenger, once, and confirms the number', async () => {
    const { token, e164 } = await addNumber()
    await eventually(() => mailsTo(e164)).toHaveLength(1)
    const [message] = await mailsTo(e164)
    expect(message).toMatchObject({ to: e164, channel: 'message', text: expect.stringContaining(message?.code ?? '') })
    expect(await deliveredTo(e164)).toEqual([{ partner: 'messenger' }])
    const body = { e164, code: message?.code }
    expect((await withStepUp('POST', '/me/phone-numbers/confirm', { token, body })).status).toBe(200)
    expect(await rowTo(e164)).toMatchObject({ status: 'mailbox', attempts: 1 })
  })

  test('is delivered once whatever the messenger does: each fault, on as many codes at once', async () => {
    for (const name of REQUEST_FAULTS) await fault('messenger', name)
    const numbers = await Promise.all(REQUEST_FAULTS.map(async () => (await addNumber()).e164))
    for (const e164 of numbers) await eventually(() => mailsTo(e164)).toHaveLength(1)
    const rows = await Promise.all(numbers.map(rowTo))
    const attempts = rows.map((row) => Number(row?.['attempts'])).reduce((sum, each) => sum + each)
    expect(attempts).toBe(2 * REQUEST_FAULTS.length)
    expect(await Promise.all(numbers.map(deliveredTo))).toEqual(numbers.map(() => [{ partner: 'messenger' }]))
  })

  test('to a number that nobody has is refused for good: erased, not tried again, and shown to operators', async () => {
    const e164 = '+12122000404'
    await addNumber(e164)
    await eventually(() => statusTo(e164)).toBe('failed')
    const row = await rowTo(e164)
    expect(row).toMatchObject({ attempts: 1, ask_note: 'refused: number_unknown', erased: true })
    expect([await mailsTo(e164), await deliveredTo(e164)]).toEqual([[], []])
    expect(await resultOf(`delivery-${row?.['id']}`)).toBe('failed')
    expect(await administer(['messages', 'failed'])).toContain(
      `${row?.['id']}: message to ${e164}, 1 tries, refused: number_unknown`,
    )
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
    expect(metrics).toMatch(/^messages_failed\{channel="message"\} 1$/m)
    expect(metrics).toMatch(/^messages_failed\{channel="email"\} 0$/m)
  })

  test('that is good no longer is not delivered any more', async () => {
    await fault('messenger', 'down', 1000)
    const { e164 } = await addNumber()
    await eventually(async () => (await rowTo(e164))?.['attempts']).toBeGreaterThan(0)
    await advance(10 * 60)
    await api('DELETE', '/sandbox/faults')
    await eventually(() => statusTo(e164)).toBe('failed')
    expect(await rowTo(e164)).toMatchObject({ ask_note: 'too late', erased: true })
    expect(await deliveredTo(e164)).toEqual([])
  })
})

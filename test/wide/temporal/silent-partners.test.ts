/** Partners that take a connection and say nothing: a queue of its own for each keeps all others going. */
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test, vi } from 'vitest'
import { recordCallback } from '../../../services/callbacks/callbacks.ts'
import { sendMessage } from '../../../services/messages/messages.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import type { Channel } from '../../../domain/messages/message.ts'
import { owner } from '../../support/database.ts'
import { mailOf } from '../../support/messages/mails.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { become, payerBy, sent } from '../../support/payments/payouts.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

const silent = await vi.hoisted(async () => {
  const { startSilentServer } = await import('../../support/faults/silence.ts')
  const [mail, bank, messenger] = [await startSilentServer(), await startSilentServer(), await startSilentServer()]
  Object.assign(process.env, {
    SMTP_URL: `smtp://${mail.address}`,
    BANK_URL: `http://${bank.address}`,
    MESSENGER_URL: `http://${messenger.address}`,
    PARTNER_TIMEOUT_MS: '60000',
  })
  return [mail, bank, messenger]
})
usePartners()
useWorker()
afterAll(() => silent.forEach((server) => server.close())) // before the worker drains

/** More than a worker does at once for any partner. */
const FLOOD = 60
const timesOver = Array.from({ length: FLOOD }, (_, number) => number)

const write = (channel: Channel) =>
  transaction(async (tx) => {
    for (const number of timesOver) {
      const recipient =
        channel === 'email' ? `silent-${number}@example.com` : `+4915200000${String(number).padStart(3, '0')}`
      await sendMessage(tx, { recipient, channel, mail: mailOf('Silence', 'Nobody says anything'), token: 'none' })
    }
  })
const announce = () =>
  Promise.all(
    timesOver.map(() =>
      recordCallback({ partner: 'bank', id: randomUUID(), subject: 'deposit', subjectId: randomUUID() }),
    ),
  )

/** Counts what waits for a silent partner. */
async function waiting(): Promise<Record<string, number>> {
  const [row] = await owner<Record<string, number>[]>`
    select (select count(*)::int from messages where status = 'queued' and channel = 'email') as mail,
      (select count(*)::int from messages where status = 'queued' and channel = 'message') as messenger,
      (select count(*)::int from processes where workflow = 'deposit') as bank`
  return row ?? {}
}

test('a payout ends while sixty mails, texts and deposits are held by a mail server, messenger and bank that say nothing', async () => {
  const payer = await payerBy('crypto')
  await Promise.all([write('email'), write('message'), announce()])
  await until('each is called', async () => silent.every(({ connections }) => connections() > 0))
  const payment = await sent(payer)
  expect(await become(payer, payment, 'succeeded')).toMatchObject({ status: 'succeeded' })
  expect(await waiting()).toEqual({ mail: FLOOD, messenger: FLOOD, bank: FLOOD })
})

/** Walks each path of each workflow and keeps its history. Run it when a workflow changes on purpose. */
import { randomUUID } from 'node:crypto'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { expect, test, vi } from 'vitest'
import { paymentStart, startDelivery } from '../api/processes.ts'
import { client, steer } from '../api/temporal.ts'
import type { NewPaymentRef, PaymentRef } from '../activities/payments.ts'
import { sendMessage } from '../db/messages.ts'
import type { MessageId } from '../db/model/ids.ts'
import { transaction } from '../db/sql.ts'
import { reconcile } from './support/reconcile.ts'
import { created } from '../workflows/payment.ts'
import { type TestPerson, api, approvalPath, approve, fund, organization, person, withStepUp } from './support/api.ts'
import { owner } from './support/database.ts'
import { type History, PRIVATE, keepHistory } from './support/recorded.ts'
import { type Payment, eventually, historyOf, stateOf, submitAlone, terminate } from './support/runs.ts'
import { useWorker } from './support/worker.ts'

const { mails } = await vi.hoisted(async () => {
  const { startMailServer } = await import('./support/mail-server.ts')
  const mails = await startMailServer()
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-'
  process.env['SMTP_URL'] = `smtp://${mails.address}`
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
  return { mails }
})
useWorker()

/** A payment that waits for approval, of people and words that nobody may read in its history. */
async function waiting(funds = '100.00') {
  const [boss, payeeBoss] = [await person({ authenticator: true, name: PRIVATE.firstName }), await person()]
  const payer = await organization(boss, PRIVATE.payer)
  const payee = await organization(payeeBoss, PRIVATE.payee)
  await fund(payer.id, funds)
  const contact = await api('POST', `/organizations/${payer.id}/payment-contacts`, {
    token: boss.token,
    body: { name: PRIVATE.payee, type: 'business', destinations: [{ type: 'svc_id', svc_id: payee.svcId }] },
  })
  const contactId: string = contact.body.id
  const made = await api('POST', '/payments', {
    token: boss.token,
    body: {
      amount: { amount: PRIVATE.amount, currency: 'USD' },
      payment_contact_id: contactId,
      payout_reason: PRIVATE.reason,
      statement_description: PRIVATE.statement,
      internal_notes: PRIVATE.notes,
    },
  })
  expect(made.status).toBe(201)
  const payment: Payment = made.body
  return { boss, payer, payee, contactId, payment }
}

const decide = (verb: 'approve' | 'reject' | 'cancel', by: TestPerson, payment: Payment, body: object) =>
  withStepUp('POST', `${approvalPath(payment)}/${verb}`, { token: by.token, body })

async function restarted(payment: Payment): Promise<void> {
  await terminate(payment)
  await expect.poll(async () => (await reconcile()) + Number((await stateOf(payment)) === 'RUNNING')).toBeGreaterThan(0)
}

/** Each path answers the payment that took it. */
const paths: Record<string, () => Promise<{ id: string }>> = {
  async approved() {
    const { boss, payment } = await waiting()
    expect((await decide('approve', boss, payment, { comment: PRIVATE.comment })).status).toBe(200)
    return payment
  },
  async rejected() {
    const { boss, payment } = await waiting()
    expect((await decide('reject', boss, payment, { reason: PRIVATE.comment })).status).toBe(200)
    return payment
  },
  async withdrawn() {
    const { boss, payment } = await waiting()
    expect((await decide('cancel', boss, payment, {})).status).toBe(200)
    return payment
  },
  async expired() {
    const { payment } = await waiting()
    await api('POST', '/sandbox/clock/advance', { body: { seconds: 30 * 24 * 3600 + 1 } })
    return payment
  },
  async 'insufficient-then-approved'() {
    const { boss, payer, payment } = await waiting('1.00')
    expect((await approve(boss, payment)).body.error.type).toBe('insufficient_funds')
    await fund(payer.id, '100.00')
    expect((await approve(boss, payment)).status).toBe(200)
    return payment
  },
  async 'payee-gone'() {
    const { boss, payee, payment } = await waiting()
    await owner`update organizations set status = 'deleted' where id = ${payee.id}`
    expect((await approve(boss, payment)).status).toBe(200)
    return payment
  },
  /** The contact went away between the API's look at it and the workflow's. */
  async refused() {
    const { boss, payer, contactId, payment } = await waiting()
    expect((await decide('reject', boss, payment, {})).status).toBe(200)
    await owner`update payment_contacts set status = 'archived' where id = ${contactId}`
    const [id, requestId] = [randomUUID(), randomUUID()]
    const creation = {
      requester: { kind: 'user', userId: boss.userId, sessionId: boss.sessionId, deviceId: randomUUID() },
      request: {
        amount: PRIVATE.amount,
        currency: 'USD',
        payment_contact_id: contactId,
        payout_reason: PRIVATE.reason,
        statement_description: PRIVATE.statement,
        internal_notes: PRIVATE.notes,
        body_hash: '0'.repeat(64),
        request_id: requestId,
      },
    } as unknown as NewPaymentRef // ids of rows that were just written
    const ref = { organizationId: payer.id, paymentId: id } as PaymentRef // the same
    const start = () => paymentStart(ref, 'svc_id', creation)
    await expect(
      steer({ start, update: created, updateId: `created:${requestId}`, args: [] }, async () => undefined),
    ).rejects.toMatchObject({ type: 'contact_not_approved' })
    return { id }
  },
  /** Started again from its row alone, where it waits for approval. */
  async resumed() {
    const { boss, payment } = await waiting()
    await restarted(payment)
    expect((await approve(boss, payment)).status).toBe(200)
    return payment
  },
  /** The same where the money is held and was never moved. */
  async 'resumed-submitted'() {
    const { payment } = await waiting()
    await terminate(payment)
    await submitAlone(payment)
    await expect
      .poll(async () => (await reconcile()) + Number((await stateOf(payment)) === 'COMPLETED'))
      .toBeGreaterThan(0)
    return payment
  },
}

test.each(Object.entries(paths))('%s', async (name, walk) => {
  const payment = await walk()
  await eventually(() => stateOf(payment)).toBe(name === 'refused' ? 'FAILED' : 'COMPLETED')
  keepHistory(`payment-${name}`, await historyOf(payment))
})

/** Each path answers the mail that took it. */
const deliveries: Record<string, () => Promise<MessageId>> = {
  sent: () => mailed(),
  'put-off-then-sent': () => mailed(451),
  refused: () => mailed(550),
  /** Started again when there was nothing to do any more. */
  rested: async () => {
    const id = await mailed()
    await eventually(() => deliveryState(id)).toBe('COMPLETED')
    await startDelivery(id)
    return id
  },
}

const delivery = (id: string) => client.workflow.getHandle(`delivery-${id}`)
const deliveryState = async (id: string) =>
  (
    await delivery(id)
      .describe()
      .catch(() => undefined)
  )?.status.name

/** A mail to somebody whose server answers with these first. */
async function mailed(...answers: number[]): Promise<MessageId> {
  const recipient = `${PRIVATE.firstName.toLowerCase()}-${randomUUID()}@example.com`
  mails.misbehave(recipient, ...answers)
  const content = { subject: PRIVATE.statement, body: PRIVATE.notes, code: '314159' }
  await transaction((tx) => sendMessage(tx, { recipient, channel: 'email', ...content }))
  const [row] = await owner<{ id: MessageId }[]>`select id from messages where recipient = ${recipient}`
  if (!row) throw new Error('it was written')
  return row.id
}

test.each(Object.entries(deliveries))('delivery %s', async (name, walk) => {
  const id = await walk()
  await eventually(() => deliveryState(id)).toBe('COMPLETED')
  // The shape that historyToJSON documents.
  keepHistory(`delivery-${name}`, JSON.parse(historyToJSON(await delivery(id).fetchHistory())) as History)
})

/** One Idempotency-Key at several decisions at the same moment: one wins, the others are refused. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { api, approvalPath, payerAndPayee, verifyStepUp } from '../../support/api.ts'
import { type Payment, paymentsOf, reserved } from '../../support/approvals/sets.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const outcome = ({ status, body }: { status: number; body: any }): string =>
  `${status} ${body.error?.type ?? body.status}`

test.each(['reject', 'approve'])(
  'one key at three approvals at once, to %s: one is decided, two are 422',
  async (verb) => {
    const { boss, contactId } = await payerAndPayee('100.00')
    const payments = await paymentsOf(boss, contactId, ['1.00', '1.00', '1.00'])
    const key = randomUUID()
    const send = (payment: Payment) =>
      api('POST', `${approvalPath(payment)}/${verb}`, { token: boss.token, body: {}, key })
    if (verb === 'approve') for (const payment of payments) await verifyStepUp(await send(payment))
    const answers = await Promise.all(payments.map(send))
    expect(answers.map(outcome).toSorted()).toEqual([
      verb === 'approve' ? '200 approved' : '200 rejected',
      '422 idempotency_key_reused',
      '422 idempotency_key_reused',
    ])
    expect(await reserved(payments)).toBe(verb === 'approve' ? 1 : 0)
  },
)

test('one key at one approval at once with three reasons: one is recorded, two are 422', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const [payment] = await paymentsOf(boss, contactId, ['1.00'])
  if (!payment) throw new Error('it was made')
  const key = randomUUID()
  const answers = await Promise.all(
    ['one', 'two', 'three'].map((reason) =>
      api('POST', `${approvalPath(payment)}/reject`, { token: boss.token, body: { reason }, key }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
})

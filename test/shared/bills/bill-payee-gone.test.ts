/** Bills paid by service ID, most of them to an organization that is gone at settlement. */
import { expect, test } from 'vitest'
import { movePayments } from '../../../services/payouts/settlement.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import type { OrganizationId, PaymentId } from '../../../domain/ids.ts'
import { type TestPerson, api, approve, payerAndPayee } from '../../support/api.ts'
import { statusOf } from '../../support/approvals/approvals.ts'
import { violations } from '../../support/batches/batches.ts'
import { detail, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import type { Payment } from '../../support/runs/runs.ts'

type Requested = Payment & { readonly fiat_outgoing_id: PaymentId }

async function billTo(boss: TestPerson, payerId: string, contactId: string) {
  const bill = await typedBill(boss, payerId, { amount: '5.00', currency: 'USD', iban: null })
  const { body } = await requestPayment(boss, bill.id, { payment_contact_id: contactId })
  return { id: bill.id as string, asked: body as Requested }
}

const remove = ({ id }: { id: string }) => owner`update organizations set status = 'deleted' where id = ${id}`

const balanceOf = async (boss: TestPerson, payerId: string) =>
  (await api('GET', `/organizations/${payerId}/balances`, { token: boss.token })).body.data[0]

test('the bill is locked before any account is, opened, and caused by the end of its payment', async () => {
  const { boss, payer, payee, contactId } = await payerAndPayee('20.00')
  const { id, asked } = await billTo(boss, payer.id, contactId)
  await remove(payee)
  const approving = await owner.begin(async (tx) => {
    await tx`select from bills where id = ${id} for update`
    const decided = approve(boss, asked)
    await untilBlocked(tx)
    const free = await tx`
      select from ledger_accounts where organization_id = ${payer.id} and balance > 0 for update skip locked`
    expect(free.length).toBe(1)
    return { decided }
  })
  expect((await approving.decided).body.status).toBe('approved')
  expect(await statusOf(asked.fiat_outgoing_id)).toBe('failed')
  const { bill, events } = await detail(boss, id)
  expect(bill).toMatchObject({ status: 'extracted', fiat_outgoing_id: null, approval_request_id: null })
  const [failed] = await owner`
    select id from events where subject_id = ${asked.fiat_outgoing_id} and type = 'payment.failed'`
  expect(events.at(-1)).toMatchObject({
    event_type: 'bill.payment_ended',
    actor_kind: 'user',
    actor_user_id: boss.userId,
    causation_id: failed?.['id'],
    payload: { payment_id: asked.fiat_outgoing_id, status: 'failed' },
  })
  expect(await balanceOf(boss, payer.id)).toMatchObject({ available: { amount: '20.00' }, held: { amount: '0.00' } })
  expect(await violations(payer.id)).toEqual([])
})

test('by service ID a bill is paid at once; what its cause did before opens it no more', async () => {
  const { boss, payer, contactId } = await payerAndPayee('20.00')
  const { id, asked } = await billTo(boss, payer.id, contactId)
  await approve(boss, asked)
  expect(await balanceOf(boss, payer.id)).toMatchObject({ available: { amount: '15.00' }, held: { amount: '0.00' } })
  const [submitted] = await owner<{ cause: string }[]>`
    select cause from events where subject_id = ${asked.fiat_outgoing_id} and type = 'payment.submitted'`
  await asSystem(payer.id as OrganizationId, (tx) =>
    movePayments(tx, asked.fiat_outgoing_id, { events: ['submit', 'fail'], cause: submitted?.cause ?? '' }),
  )
  expect(await statusOf(asked.fiat_outgoing_id)).toBe('succeeded')
  expect((await detail(boss, id)).bill).toMatchObject({
    status: 'payment_requested',
    fiat_outgoing_id: asked.fiat_outgoing_id,
  })
})

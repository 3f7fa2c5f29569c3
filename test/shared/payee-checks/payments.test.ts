/** Verification of the payee of a payment by bank: quoted, acknowledged, approved, and asked again. */
import { describe, expect, test } from 'vitest'
import { api, approvalPath, approve, payerAndPayee } from '../../support/api.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { tamper } from '../../support/ledger/books.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { EUR, attentionOf, checksOf, passDay, payeeNamed } from '../../support/payee-checks/payees.ts'
import { become, eventsOf, outgoing, payerBy, violations } from '../../support/payments/payouts.ts'
import { execute, executed, quoteOf } from '../../support/payments/quotes.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const acknowledged = { acknowledge_payee_check: true }

test('a quote shows what the bank says about the name of the account, and its time', async () => {
  const { boss, contact } = await payeeNamed('Supplier GmbH')
  const { payee_check, blocked_by } = await quoteOf(boss, contact, EUR)
  expect(payee_check).toEqual({ result: 'match', name: null, reason: null, checked_at: expect.any(String) })
  expect(blocked_by).toEqual([])
})

test.each([
  ['No Match GmbH', 'no_match', null],
  ['Close Match Ltd', 'close_match', 'Close Match Limited'],
])('%s is paid only if the requester acknowledges it, and the approver is warned', async (holder, result, name) => {
  const { boss, contact } = await payeeNamed(holder)
  const quote = await quoteOf(boss, contact, EUR)
  expect(quote.payee_check).toMatchObject({ result, name })
  expect(quote.blocked_by.map(({ type }: { type: string }) => type)).toEqual(['payee_mismatch'])
  const refused = await execute(boss, quote.quote_id)
  expect([refused.status, refused.body.error.type, refused.body.error.details]).toEqual([
    422,
    'payee_mismatch',
    { result },
  ])
  const approval = await approvalOf(await executed(boss, quote.quote_id, acknowledged), boss)
  expect(approval.warnings).toContain(`payee_${result}`)
  expect(approval.subject.fiat_outgoing.payee_check).toMatchObject({ ...quote.payee_check, holder })
})

test('an organization that blocks pays no account of another name, acknowledged or not', async () => {
  const { boss, contact } = await payeeNamed('No Match GmbH', 'block')
  const { quote_id } = await quoteOf(boss, contact, EUR)
  const { status, body } = await execute(boss, quote_id, acknowledged)
  expect([status, body.error.type, body.error.details.reason]).toEqual([422, 'payee_mismatch', 'payee_check_blocks'])
})

test('a payment that was acknowledged is not approved any more once its organization blocks', async () => {
  const { boss, contact, payer } = await payeeNamed('No Match GmbH')
  const payment = await executed(boss, (await quoteOf(boss, contact, EUR)).quote_id, acknowledged)
  await owner`update organizations set payee_check = 'block' where id = ${payer.id}`
  const { status, body } = await approve(boss, payment)
  expect([status, body.error.type]).toEqual([422, 'payee_mismatch'])
})

test('an acknowledgement of what matches is ignored', async () => {
  const { boss, contact } = await payeeNamed('Supplier GmbH')
  const payment = await executed(boss, (await quoteOf(boss, contact, EUR)).quote_id, acknowledged)
  const [row] = await owner`select payee_acknowledged from payments where id = ${payment.id}`
  expect(row).toEqual({ payee_acknowledged: false })
  expect((await approvalOf(payment, boss)).warnings).not.toContain('payee_no_match')
})

test.each([
  ['down', 'unavailable'],
  ['error', 'unavailable'],
  ['slow', 'too_slow'],
  ['malformed', 'unavailable'],
] as const)('a bank that is %s blocks nothing: the check is not possible, and says why', async (name, reason) => {
  const { boss, contact } = await payeeNamed('No Match GmbH')
  await fault('payee_checks', name)
  const quote = await quoteOf(boss, contact, EUR)
  expect(quote).toMatchObject({ payee_check: { result: 'not_possible', reason }, blocked_by: [] })
  expect((await execute(boss, quote.quote_id)).status).toBe(201)
})

test('the silence of the bank takes back nothing that it said within a day', async () => {
  const { boss, contact } = await payeeNamed('No Match GmbH')
  await quoteOf(boss, contact, EUR)
  await fault('payee_checks', 'down')
  expect(await quoteOf(boss, contact, EUR)).toMatchObject({ payee_check: { result: 'no_match' } })
})

test('a payment by blockchain has no check', async () => {
  const { boss, contact } = await payerBy('crypto')
  const quote = await quoteOf(boss, contact, { amount: '10', currency: 'USDC' })
  expect(quote.payee_check).toBe(null)
  const payment = await executed(boss, quote.quote_id, acknowledged)
  const [row] = await owner`select payee_check_id, payee_check_due_at from payments where id = ${payment.id}`
  expect(row).toEqual({ payee_check_id: null, payee_check_due_at: null })
})

test('a payment by service ID has no check, and its approval the subject that it always had', async () => {
  const { boss, contactId } = await payerAndPayee()
  const quote = await quoteOf(boss, contactId, { amount: '10', currency: 'USD' })
  expect(quote.payee_check).toBe(null)
  const payment = await executed(boss, quote.quote_id, acknowledged)
  const [row] = await owner`select subject_body::jsonb as body from approvals where target_id = ${payment.id}`
  expect(Object.keys(row?.['body']).toSorted()).toEqual(['amount', 'currency', 'payee', 'target_id'])
})

test('the hash of an approval covers the answer, without any name', async () => {
  const { boss, contact } = await payeeNamed('Close Match Ltd')
  const payment = await executed(boss, (await quoteOf(boss, contact, EUR)).quote_id, acknowledged)
  const { body } = await api('GET', `${approvalPath(payment)}/evidence`, { token: boss.token })
  const { payee_check } = JSON.parse(body.subject_body)
  expect(Object.keys(payee_check).toSorted()).toEqual(['checked_at', 'id', 'result', 'sha256'])
  expect(body.subject_body).not.toContain('Close')
  expect(body.approval.subject.fiat_outgoing.payee_check).toMatchObject({ name: 'Close Match Limited' })
})

test('the audit finds a payment with another answer of the bank than was approved', async () => {
  const payer = await payeeNamed('Supplier GmbH')
  const payment = await outgoing(payer)
  await quoteOf(payer.boss, payer.contact, EUR) // asks again
  expect(await violations(payer, payer.payer.id)).toEqual([])
  await tamper(
    (tx) => tx`
      update payments p set payee_check_id = k.id from payee_checks k
      where p.id = ${payment.id} and k.destination_id = p.destination_id and k.id <> p.payee_check_id`,
  )
  expect(await violations(payer, payer.payer.id)).toEqual([{ check: 'payee_check_differs', subject: payment.id }])
})

test('what the bank said is sealed at rest', async () => {
  const { boss, contact } = await payeeNamed('Close Match Ltd')
  await quoteOf(boss, contact, EUR)
  const [row] = await owner`
    select encode(k.sealed, 'escape') as sealed from payee_checks k join payment_destinations d on d.id = k.destination_id
    where d.payment_contact_id = ${contact}`
  expect(row?.['sealed']).not.toContain('Close')
})

describe('while its approval is pending', () => {
  test('the bank is asked again after a day, and the same answer changes nothing', async () => {
    const payer = await payeeNamed('Supplier GmbH')
    const payment = await outgoing(payer)
    await passDay(payment)
    await until('the bank to be asked again', async () => (await checksOf(payment)).length === 2)
    await until('the next question', async () => {
      const [row] = await owner`
        select payee_check_due_at > business_now() + interval '23 hours' as later from payments where id = ${payment.id}`
      return row?.['later']
    })
    expect((await approve(payer.boss, payment)).status).toBe(200)
  })

  test('another answer voids the approval: the payment is cancelled, and people see why', async () => {
    const payer = await payeeNamed('Supplier GmbH')
    const payment = await outgoing(payer)
    await fault('payee_checks', 'no_match')
    await passDay(payment)
    const ended = await become(payer, payment, 'cancelled')
    expect(ended.status_detail).toBe('payee check changed')
    expect((await approvalOf(payment, payer.boss)).status).toBe('cancelled')
    expect(await eventsOf(payer, payment)).toEqual(['payment.created', 'payment.payee_checked', 'payment.cancelled'])
    expect(await attentionOf(payer)).toMatchObject([
      { kind: 'payee_mismatch', action: { payment_id: payment.id, payment_contact_id: payer.contact } },
    ])
    expect(await violations(payer, payer.payer.id)).toEqual([])
  })

  test('a bank that is away then leaves the approval as it is, and is asked again within the hour', async () => {
    const payer = await payeeNamed('Supplier GmbH')
    const payment = await outgoing(payer)
    await owner`update payee_checks k set checked_at = checked_at - interval '2 days' from payments p
      where p.id = ${payment.id} and k.id = p.payee_check_id`
    await fault('payee_checks', 'down')
    await passDay(payment)
    await until('the bank to be asked again', async () => (await checksOf(payment)).length === 2)
    const [row] = await owner`
      select payee_check_due_at < business_now() + interval '61 minutes' as soon from payments where id = ${payment.id}`
    expect(row).toEqual({ soon: true })
    expect((await approve(payer.boss, payment)).status).toBe(200)
  })

  test('an answer to another quote of the same account blocks the approval at once', async () => {
    const payer = await payeeNamed('Supplier GmbH')
    const payment = await outgoing(payer)
    await fault('payee_checks', 'no_match', 2)
    await quoteOf(payer.boss, payer.contact, EUR)
    const { status, body } = await approve(payer.boss, payment)
    expect([422, 409]).toContain(status) // its run may have cancelled it already
    expect(['payee_mismatch', 'approval_already_processed']).toContain(body.error.type)
    await become(payer, payment, 'cancelled')
  })
})

/** Verification of the payee of a payment by bank: quoted, acknowledged, approved, and asked again. */
import { describe, expect, test } from 'vitest'
import { api, approvalPath, approve, fund, organization, payerAndPayee, person } from '../../support/api.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { tamper } from '../../support/ledger/books.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { EUR, attentionOf, checksOf, passDay, payeeNamed } from '../../support/payee-checks/payees.ts'
import { become, eventsOf, outgoing, payerBy, violations } from '../../support/payments/payouts.ts'
import { execute, executed, quoteOf } from '../../support/payments/quotes.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { batchOf, toName } from '../../support/account-changes.ts'
import { submit } from '../../support/batches/batches.ts'
import { detail, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { refusal } from '../../support/http/refusals.ts'
import { BANK, WALLET } from '../../support/contacts/destinations.ts'

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

test('of a quote it is of the answer that the quote showed', async () => {
  const { boss, contact } = await payeeNamed('Close Match Ltd')
  const quote = await quoteOf(boss, contact, EUR)
  await fault('payee_checks', 'no_match')
  const worse = await quoteOf(boss, contact, EUR)
  const refused = await execute(boss, quote.quote_id, acknowledged)
  expect([...refusal(refused), refused.body.error.details]).toEqual([422, 'payee_mismatch', { result: 'no_match' }])
  const payment = await executed(boss, worse.quote_id, acknowledged)
  const [row] = await owner`select payee_acknowledged from payments where id = ${payment.id}`
  expect(row).toEqual({ payee_acknowledged: true })
})

test('an answer that became better needs none of its own', async () => {
  const { boss, contact } = await payeeNamed('No Match GmbH')
  const quote = await quoteOf(boss, contact, EUR)
  await fault('payee_checks', 'close_match')
  await quoteOf(boss, contact, EUR)
  expect((await execute(boss, quote.quote_id, acknowledged)).status).toBe(201)
})

test('of a bill it is of the answer with which the bill was refused', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Payer')
  await fund(id, '1000.00', 'EUR')
  const bill = await typedBill(boss, id, { supplier_name: 'Close Match Ltd' })
  expect((await requestPayment(boss, bill.id)).body.error.details).toEqual({ result: 'close_match' })
  await fault('payee_checks', 'no_match')
  const worse = await requestPayment(boss, bill.id, acknowledged)
  expect([...refusal(worse), worse.body.error.details]).toEqual([422, 'payee_mismatch', { result: 'no_match' }])
  await fault('payee_checks', 'no_match')
  expect((await requestPayment(boss, bill.id, acknowledged)).body.status).toBe('payment_requested')
})

test('of a batch it is of the rows with which the batch was refused', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Payer')
  await fund(id, '1000.00', 'EUR')
  const rows = [toName('Close Match Ltd', 'DE89370400440532013000'), toName('Plain GmbH', 'DE02120300000000202051')]
  const batch = await batchOf(boss, id, ...rows)
  const counts = async (body: object) => (await submit(boss, batch, body)).body.error?.details
  expect(await counts({})).toEqual({ result: 'close_match', rows_no_match: 0, rows_close_match: 1 })
  const { data } = (await api('GET', `/payment-batches/${batch}/rows`, { token: boss.token })).body
  const path = `/payment-batches/${batch}/rows/${data[1].id}`
  await api('PATCH', path, { token: boss.token, body: { account_holder_name: 'No Match GmbH' } })
  const worse = { result: 'no_match', rows_no_match: 1, rows_close_match: 1 }
  expect(await counts(acknowledged)).toEqual(worse)
  expect((await submit(boss, batch, acknowledged)).body.status).toBe('awaiting_approval')
})

const boss = await person({ authenticator: true })
const { id: organizationId } = await organization(boss, 'Payer')
await fund(organizationId, '1000.00', 'EUR')

let bills = 0
const IBANS = ['DE89370400440532013000', 'DE75512108001245126199']
const billOf = (supplier_name: string) =>
  typedBill(boss, organizationId, {
    supplier_name,
    iban: IBANS[bills],
    bill_number: `B-${(bills += 1)}`,
    supplier_tax_id: null,
  })

test.each(['No Match GmbH', 'Close Match Ltd'])('a bill of %s is paid only if it is acknowledged', async (supplier) => {
  const bill = await billOf(supplier)
  const { status, body } = await requestPayment(boss, bill.id)
  expect([status, body.error.type]).toEqual([422, 'payee_mismatch'])
  expect((await detail(boss, bill.id)).bill.status).toBe('extracted')
  const requested = await requestPayment(boss, bill.id, { acknowledge_payee_check: true })
  expect(requested.body.status).toBe('payment_requested')
  const approval = await approvalOf({ ...requested.body, organization_id: organizationId }, boss)
  expect(approval.subject.fiat_outgoing.payee_check.holder).toBe(supplier)
})

test('a bank that is away does not keep a bill from being paid', async () => {
  const { id } = await organization(boss, 'Other payer')
  const bill = await typedBill(boss, id, { supplier_name: 'No Match GmbH' })
  await fault('payee_checks', 'down')
  const { body } = await requestPayment(boss, bill.id)
  expect(body).toMatchObject({ status: 'payment_requested' })
})

describe('validation', async () => {
  const boss = await person()
  await organization(boss)
  const stranger = await person()
  const validate = (by: { token: string }, body: object) =>
    api('POST', '/payment-destinations/validate', { token: by.token, body })

  test('the bank is asked about a valid account if people want that, and nothing is stored', async () => {
    const asked = await validate(boss, { ...BANK, account_holder_name: 'No Match GmbH', check_payee: true })
    expect(asked.body).toMatchObject({ valid: true, payee_check: { result: 'no_match' } })
    expect((await validate(boss, BANK)).body.payee_check).toBe(null)
  })

  test('no bank is asked about an invalid account, or about a wallet', async () => {
    const wrong = await validate(boss, { ...BANK, iban: 'DE00120300000000202051', check_payee: true })
    expect(wrong.body).toMatchObject({ valid: false, payee_check: null })
    expect((await validate(boss, { ...WALLET, check_payee: true })).body.payee_check).toBe(null)
  })

  test('the question needs the permission to add destinations in an organization', async () => {
    const { status, body } = await validate(stranger, { ...BANK, check_payee: true })
    expect([status, body.error.type, body.error.details]).toEqual([
      403,
      'forbidden',
      { permission: 'payment_destinations.create' },
    ])
  })

  test('questions are counted by person, apart from other validations', async () => {
    const { headers } = await validate(boss, { ...BANK, check_payee: true })
    expect(headers.get('ratelimit')).toContain('"payee_checks"')
    expect((await validate(boss, BANK)).headers.get('ratelimit')).not.toContain('"payee_checks"')
  })
})
